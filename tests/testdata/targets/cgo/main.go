// Cgo does by C.function what C can be used for.
package main

/*
#cgo LDFLAGS: -lpthread
#include "../work.h"

static void post(struct job *j) { (void)j; }
extern int triple(int);
*/
import "C"

import (
	"fmt"
	"runtime"
	"time"
)

//export triple
func triple(n C.int) C.int {
	if n%1000 == 0 {
		runtime.GC()
	}
	return 3 * n
}

// together runs c while another goroutine waits until it is there, and releases it: one
// processor is enough only if c's call is turned.
func together(c func(), there func() bool, release func()) {
	done := make(chan bool)
	go func() { c(); close(done) }()
	for !there() {
		time.Sleep(time.Microsecond)
	}
	runtime.GC()
	release()
	<-done
}

func main() {
	for _, processors := range []int{1, 4} {
		runtime.GOMAXPROCS(processors)
		before, sum := runtime.NumCgoCall(), C.int(0)
		for range 1000 {
			sum = C.add(sum, 3)
		}
		fmt.Println("call", sum, "through cgo", runtime.NumCgoCall()-before >= 1000)
		fmt.Println("callback", C.calls(C.callback(C.triple), 3000))
		together(func() { fmt.Println("turned by a signal", C.spins(7)) },
			func() bool { return C.is_inside() != 0 }, func() { C.stop() })
		together(func() { fmt.Println("turned to wait", C.waits(7)) },
			func() bool { return C.is_waiting() != 0 }, func() { C.go_on() })
		fmt.Println("thread", C.on_thread(C.callback(C.triple), 3000, nil))
	}
}
