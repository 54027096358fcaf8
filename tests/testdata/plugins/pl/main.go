// Command pl is the plugin.
package main

import "example.com/m/shared"

func F() int { return shared.Next(41) }

func main() {}
