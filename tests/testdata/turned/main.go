package main

/*
static unsigned loop(unsigned n) { unsigned s = 0; while (n--) s = s * 3 + n; return s; }
static unsigned isLong(unsigned n) { return loop(n); }
static unsigned named(unsigned n) { return loop(n); }
static unsigned isShort(unsigned n) { return loop(n); }
*/
import "C"

import (
	"fmt"
	"os"
	"runtime"
	"runtime/trace"
	"strings"
	"sync/atomic"
	"time"
)

// stops counts how often the world was stopped.
var stops, calm atomic.Int64

func stop() {
	for {
		if calm.Load() == 0 {
			var stats runtime.MemStats
			runtime.ReadMemStats(&stats)
			stops.Add(1)
			continue
		}
		calm.Store(2)
		time.Sleep(time.Millisecond)
	}
}

// interrupted makes calls until so many of them lasted while the world was stopped:
// each of these was asked to stop.
func interrupted(n int, call func()) {
	calm.Store(0)
	for n > 0 {
		before := stops.Load()
		call()
		if stops.Load() >= before+2 { // one of these began and ended in between
			n--
		}
	}
	calm.Store(1)
	for calm.Load() != 2 {
		runtime.Gosched()
	}
}

// recorded makes a thousand calls and records in a trace which of them left Go.
func recorded(name string, call func()) {
	file, err := os.Create(strings.ReplaceAll(name, " ", "_") + ".trace")
	if err == nil {
		err = trace.Start(file)
	}
	if err != nil {
		panic(err)
	}
	for range 1000 {
		call()
	}
	trace.Stop()
	file.Close()
	fmt.Println(name)
}

const long = 5_000_000 // rounds, some milliseconds

var want = map[C.uint]C.uint{10: loop(10), long: loop(long)}

func loop(n C.uint) (s C.uint) {
	for ; n > 0; n-- {
		s = s*3 + n - 1
	}
	return s
}

func check(n, got C.uint) {
	if got != want[n] {
		panic(fmt.Sprint(n, " rounds make ", got))
	}
}

func isLong(n C.uint) func() { return func() { check(n, C.isLong(n)) } }
func named(n C.uint) func()  { return func() { check(n, C.named(n)) } }
func isShort()               { check(10, C.isShort(10)) }

func main() {
	runtime.GOMAXPROCS(4)
	go stop()
	recorded("at first", isLong(10))
	interrupted(40, isLong(long))
	recorded("long", isLong(10))
	// A busy machine may stop at the very call by which it is tried again.
	for again := range 5 {
		for range 20_000 {
			isLong(10)()
		}
		recorded(fmt.Sprint("long no more ", again), isLong(10))
	}
	interrupted(40, named(long))
	recorded("named", named(10))
	interrupted(40, func() {
		for range 100_000 {
			isShort()
		}
	})
	recorded("short", isShort)
}
