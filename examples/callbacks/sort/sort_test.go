package sort

import (
	"slices"
	"testing"
)

func TestSort(t *testing.T) {
	for _, n := range []int{0, 1, 2, 1000, 1_000_000} {
		numbers := scattered(n)
		want := slices.Sorted(slices.Values(numbers))
		compared = 0
		byLibc(numbers)
		if !slices.Equal(numbers, want) {
			t.Errorf("%d numbers: qsort and slices.Sorted differ", n)
		}
		if n > 1 && compared < n-1 {
			t.Errorf("%d numbers sorted with %d comparisons", n, compared)
		}
	}
}

// BenchmarkQsort sorts a million numbers per operation.
func BenchmarkQsort(b *testing.B) {
	b.ReportAllocs()
	unsorted := scattered(1_000_000)
	numbers := make([]int32, len(unsorted))
	compared = 0
	for b.Loop() {
		copy(numbers, unsorted)
		byLibc(numbers)
		if !slices.IsSorted(numbers) {
			b.Fatal("the numbers are not sorted")
		}
	}
	b.ReportMetric(float64(compared)/float64(b.N), "comparisons/op")
}
