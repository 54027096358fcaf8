package tests

import (
	"strings"
	"testing"
)

const demoted = `package main
` + guardedC + `
import (
	"fmt"
	"runtime"
	"sync"
	"sync/atomic"
	"time"
)

// direct makes calls and gives how many of them did not go by cgo. More
// goroutines than processors call, so that a preempted one's thread goes on with
// another's calls.
func direct(call func()) int64 {
	var stop atomic.Bool
	var made atomic.Int64
	var all sync.WaitGroup
	before := runtime.NumCgoCall()
	for range 2 * runtime.GOMAXPROCS(0) {
		all.Add(1)
		go func() {
			defer all.Done()
			for !stop.Load() {
				for range 1000 {
					call()
				}
				made.Add(1000)
			}
		}()
	}
	var stats runtime.MemStats
	for end := time.Now().Add(4 * time.Second); time.Now().Before(end); {
		runtime.ReadMemStats(&stats) // stops the world: each goroutine is asked to yield
	}
	stop.Store(true)
	all.Wait()
	return made.Load() - (runtime.NumCgoCall() - before)
}

func main() {
	for range 20 {
		C.waits(2000)
	}
	fmt.Println(direct(func() { C.waits(0) }))
}
`

// A function that was demoted is never called directly, wherever in a call its
// goroutine is asked to yield.
func TestDemotedStaysOnCgo(t *testing.T) {
	onEach(t, func(t *testing.T, on target) {
		m := newModule(t, map[string]string{"main.go": demoted, "wherry.policy": guardPolicy}).on(on)
		m.build("fast")
		if r := m.mustProgram("./fast"); r.stdout != "0\n" {
			t.Errorf("%s calls of a demoted function were direct", strings.TrimSpace(r.stdout))
		}
	})
}
