// Sort sorts a million numbers with the C library's qsort and a comparator
// written in Go.
package main

import (
	"errors"
	"flag"
	"fmt"
	"slices"

	"github.com/wherrygo/wherry/examples/internal/rate"
)

func main() {
	n := flag.Int("n", 1_000_000, "numbers")
	flag.Parse()

	numbers := scattered(*n)
	rate.Run("qsort", *n, func(int) error {
		byLibc(numbers)
		if !slices.IsSorted(numbers) {
			return errors.New("the numbers are not sorted")
		}
		return nil
	})
	fmt.Println(compared, "comparisons")
}
