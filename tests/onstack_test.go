package tests

import "testing"

// Packages in which it would be seen if an argument stayed on the goroutine's stack do as with
// plain Go.
func TestArgumentsOnTheStack(t *testing.T) {
	onEach(t, func(t *testing.T, on target) {
		testdata(t, "onstack").on(on).likePlain("aligned", "byvalue", "elsewhere", "handedover", "handles", "hidden", "large", "packed",
			"returned", "unaligned")
	})
}
