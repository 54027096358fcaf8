// Package job runs the operations of a benchmark.
package job

import (
	"iter"
	"os"
	"syscall"
	"testing"
	"time"
)

// Processor is the environment variable that, if it is not empty, has ns/op be
// processor time, of all threads. That is what a comparison beside other load needs.
const Processor = "REALWORLD_PROCESSOR"

// Ops iterates as b.Loop does, and measures.
func Ops(b *testing.B) iter.Seq[int] {
	return func(yield func(int) bool) {
		b.ReportAllocs()
		begin := used(b)
		for i := 0; b.Loop() && yield(i); i++ {
		}
		if os.Getenv(Processor) != "" {
			b.ReportMetric(float64(used(b)-begin)/float64(b.N), "ns/op")
		}
	}
}

// used is the processor time of this process.
func used(b *testing.B) time.Duration {
	var usage syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &usage); err != nil {
		b.Fatal(err)
	}
	return time.Duration(usage.Utime.Nano() + usage.Stime.Nano())
}
