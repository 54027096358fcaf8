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

// Ops iterates as b.Loop does, and measures: also how often a thread of the process let
// another run, which shows Go's monitor watching threads in C.
func Ops(b *testing.B) iter.Seq[int] {
	return func(yield func(int) bool) {
		b.ReportAllocs()
		begin := usage(b)
		for i := 0; b.Loop() && yield(i); i++ {
		}
		end := usage(b)
		if os.Getenv(Processor) != "" {
			b.ReportMetric(float64(processor(end)-processor(begin))/float64(b.N), "ns/op")
		}
		b.ReportMetric(float64(end.Nvcsw-begin.Nvcsw)/float64(b.N), "switches/op")
	}
}

func processor(u syscall.Rusage) time.Duration {
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

// usage is of this process, all threads.
func usage(b *testing.B) (u syscall.Rusage) {
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		b.Fatal(err)
	}
	return u
}
