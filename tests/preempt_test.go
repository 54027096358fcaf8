package tests

import (
	"fmt"
	"testing"
	"time"
)

const looping = `package main

// static unsigned spin(unsigned n) { unsigned h = 1; for (unsigned i = 0; i < n; i++) h = h * 31 + (i ^ h >> 3); return h; }
import "C"

import (
	"fmt"
	"runtime"
	"time"
)

func main() {
	go func() {
		for {
			C.spin(200) // short, but never anything else
		}
	}()
	begin := time.Now()
	for range 20 {
		runtime.GC()
	}
	collected := time.Now()
	runtime.GOMAXPROCS(1)
	for range 10 {
		time.Sleep(time.Millisecond)
	}
	fmt.Println(collected.Sub(begin).Milliseconds(), time.Since(collected).Milliseconds())
}
`

// A goroutine that makes one direct call after the other can be preempted:
// neither the collector nor other goroutines starve. (Signals do not help:
// they nearly always find it in C.)
func TestLoopOfDirectCallsIsPreempted(t *testing.T) {
	onEach(t, func(t *testing.T, on target) {
		m := newModule(t, map[string]string{"main.go": looping, "wherry.policy": "example.com/m spin direct\n"}).on(on)
		m.build("fast")
		begin := time.Now()
		r := m.mustProgram("./fast")
		// Without the check in the stub it is 5 to 30 s; with it well below 1 s.
		if took := time.Since(begin); took > 4*time.Second {
			t.Errorf("took %v: 20 collections and 10 sleeps took %s ms", took, r.stdout)
		}
		t.Logf("20 collections and 10 sleeps: %s ms", r.stdout)
	})
}

const visiting = `package main

/*
#include <time.h>
extern long same(long);
extern double half(long);
static double visits(int ms) {
	struct timespec t, e;
	double sum = 0;
	clock_gettime(CLOCK_MONOTONIC, &t);
	for (long i = 1; ; i++) {
		for (volatile int k = 0; k < 2000; k++);
		if (same(i) != i || half(i) != i * 0.5)
			return -1;
		clock_gettime(CLOCK_MONOTONIC, &e);
		if ((e.tv_sec - t.tv_sec) * 1000 + (e.tv_nsec - t.tv_nsec) / 1000000 > ms)
			return 0;
	}
}
*/
import "C"

import (
	"fmt"
	"runtime"
	"time"
)

// So short that Go's compiler gives them no stack check.

//export same
func same(n C.long) C.long { return n }

//export half
func half(n C.long) C.double { return C.double(n) * 0.5 }

func main() {
	done := make(chan C.double)
	go func() { done <- C.visits(1500) }()
	time.Sleep(10 * time.Millisecond)
	for n := 0; ; n++ {
		select {
		case wrong := <-done:
			fmt.Println(n, wrong)
			return
		default:
			runtime.GC()
		}
	}
}
`

// A reentrant call that makes one callback after the other can be preempted in
// each, however small the Go function, and C gets the right results all the same.
func TestCallbacksArePreempted(t *testing.T) {
	onEach(t, func(t *testing.T, on target) {
		m := newModule(t, map[string]string{"main.go": visiting, "wherry.policy": "example.com/m visits reentrant\n"}).on(on)
		m.build("fast")
		var collections int
		var wrong float64
		out := m.mustProgram("./fast").stdout
		if n, _ := fmt.Sscan(out, &collections, &wrong); n != 2 || wrong != 0 {
			t.Errorf("wrong results: %q", out)
		}
		if collections < 10 { // 1 without a check, hundreds with it
			t.Errorf("%d collections during a call of 1.5 s", collections)
		}
		t.Logf("%d collections", collections)
	})
}
