package tasks

import (
	"runtime"
	"testing"
)

func TestTasks(t *testing.T) {
	for _, workers := range []int{1, 2, 8} {
		if err := run(10_000, workers); err != nil {
			t.Errorf("%d workers: %v", workers, err)
		}
	}
}

// BenchmarkTasks runs as many workers as GOMAXPROCS, which -cpu sets; one
// operation is one task.
func BenchmarkTasks(b *testing.B) {
	b.ReportAllocs()
	if err := run(b.N, runtime.GOMAXPROCS(0)); err != nil {
		b.Fatal(err)
	}
}
