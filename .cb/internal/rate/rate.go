// Package rate runs the work of an example and prints how fast it went.
package rate

import (
	"fmt"
	"os"
	"time"
)

// Run lets work do n operations and prints their rate. A rate of wrong results
// is worth nothing, so an error of work ends the program.
func Run(name string, n int, work func(n int) error) {
	start := time.Now()
	if err := work(n); err != nil {
		fmt.Fprintf(os.Stderr, "%s: %v\n", name, err)
		os.Exit(1)
	}
	d := time.Since(start)
	fmt.Printf("%-14s %12.0f ops/s %10.1f ns/op\n",
		name, float64(n)/d.Seconds(), float64(d.Nanoseconds())/float64(n))
}
