// Visit measures what a callback costs: C calls a Go function that does next
// to nothing.
package main

import (
	"flag"
	"fmt"

	"github.com/wherrygo/wherry/examples/internal/rate"
)

func main() {
	n := flag.Int("n", 10_000_000, "callbacks of each kind")
	flag.Parse()

	rate.Run("100 per call", *n, func(n int) error { return visitInCallsOf(100, n) })
	rate.Run("1 per call", *n, func(n int) error { return visitInCallsOf(1, n) })
}

// visitInCallsOf makes n callbacks, in calls with so many each.
func visitInCallsOf(each, n int) error {
	for ; n > 0; n -= each {
		if got := visit(each); got != each*(each+1)/2 {
			return fmt.Errorf("visit(%d) = %d", each, got)
		}
	}
	return nil
}
