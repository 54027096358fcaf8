package main

import (
	"slices"
	"testing"
)

func TestScenarios(t *testing.T) {
	for _, s := range slices.Concat(calls, tables) {
		for _, n := range []int{1, 2, 999, 1000} {
			if !s.Run(n) {
				t.Errorf("%s: wrong result of %d operations", s.Name(), n)
			}
		}
	}
}
