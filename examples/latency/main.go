package main

import (
	"flag"
	"fmt"

	"github.com/wherrygo/wherry/examples/internal/rate"
)

func main() {
	n := flag.Int("n", 10_000_000, "calls of each kind")
	flag.Parse()

	rate.Run("add", *n, addUp)
	rate.Run("local pointer", *n, fillUp)
	rate.Run("malloc, free", *n, borrowUp)
}

func addUp(n int) error {
	for i := range n {
		v := int32(i & 0xffff)
		if got := add(v, 1); got != v+1 {
			return fmt.Errorf("add(%d, 1) = %d", v, got)
		}
	}
	return nil
}

func fillUp(n int) error {
	for range n {
		if got := fill(); got != 42 {
			return fmt.Errorf("fill() = %d", got)
		}
	}
	return nil
}

func borrowUp(n int) error {
	for i := range n {
		if got := borrow(byte(i)); got != byte(i) {
			return fmt.Errorf("borrow(%d) = %d", byte(i), got)
		}
	}
	return nil
}
