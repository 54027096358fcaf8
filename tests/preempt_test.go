package tests

import (
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
