// Package shared is in the host and in the plugin.
package shared

// static int next(int x) { return x + 1; }
import "C"

func Next(x int) int { return int(C.next(C.int(x))) }
