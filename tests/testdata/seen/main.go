// Command seen has C compute in every way that a call can go, for a CPU profile; with
// arguments, it dies there.
package main

// #include "seen.h"
import "C"

import (
	"os"
	"runtime/pprof"
	"strconv"
	"syscall"
	"time"
)

//export back
func back() {}

//export again
func again(n C.uint, how C.int) C.uint {
	switch {
	case how >= C.BY_CGO:
		return nestedByCgo(n, how-C.BY_CGO)
	case how >= C.TWICE:
		return nested(n, how-C.TWICE)
	}
	return inFlight(n, how)
}

//export ofThread
func ofThread(n C.uint) C.uint { return C.in_flight(n, 0) }

//go:noinline
func inFlight(n C.uint, how C.int) C.uint { return C.in_flight(n, how) }

//go:noinline
func byCgo(n C.uint, how C.int) C.uint { return C.by_cgo(n, how) }

//go:noinline
func turned(n C.uint, how C.int) C.uint { return C.turned(n, how) }

//go:noinline
func calledBack(n C.uint, how C.int) C.uint { return C.called_back(n, how) }

//go:noinline
func nested(n C.uint, how C.int) C.uint { return C.nests(n, how) }

//go:noinline
func nestedTwice(n C.uint, how C.int) C.uint { return C.nests(n, how+C.TWICE) }

//go:noinline
func nestedByCgo(n C.uint, how C.int) C.uint { return C.nests_by_cgo(n, how) }

//go:noinline
func nestedMixed(n C.uint, how C.int) C.uint { return C.nests(n, how+C.BY_CGO) }

//go:noinline
func belowQsort(n C.uint, how C.int) C.uint { return C.below_qsort(n, how) }

//go:noinline
func onThreads(n C.uint, how C.int) C.uint { return C.on_threads(n, how) }

var calls = map[string]func(n C.uint, how C.int) C.uint{
	"inFlight": inFlight, "byCgo": byCgo, "turned": turned, "calledBack": calledBack, "nested": nested,
	"nestedTwice": nestedTwice, "nestedByCgo": nestedByCgo, "nestedMixed": nestedMixed, "belowQsort": belowQsort,
}

// used is the processor's time that the program has had.
func used() time.Duration {
	var usage syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &usage); err != nil {
		panic(err)
	}
	return time.Duration(usage.Utime.Nano())
}

// takes calls a function until that has taken so much of the processor's time.
func takes(least time.Duration, f func()) {
	for began := used(); used()-began < least; {
		for range 100 {
			f()
		}
	}
}

func main() {
	if len(os.Args) > 2 {
		how, _ := strconv.Atoi(os.Args[2])
		for range 20 {
			calls[os.Args[1]](10, 0)
		}
		calls[os.Args[1]](0, C.int(how))
		return
	}
	file, err := os.Create("cpu.prof")
	if err == nil {
		err = pprof.StartCPUProfile(file)
	}
	if err != nil {
		panic(err)
	}
	for name, does := range calls {
		rounds := C.uint(1000) // some microseconds
		if name == "turned" {
			rounds = 100_000
		}
		takes(250*time.Millisecond, func() { does(rounds, 0) })
	}
	onThreads(1, 0)
	pprof.StopCPUProfile()
	file.Close()
}
