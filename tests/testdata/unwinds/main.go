// Command unwinds has C walk its stack, as C++ exceptions and heap profilers do, in calls that have
// called back and whose goroutine's stack has moved: what was there is other goroutines' by then. With an
// argument also in calls that signals turn meanwhile, since Go collects.
package main

/*
#include <stddef.h>
#include <unwind.h>

extern void grow(void);

static _Unwind_Reason_Code frame(struct _Unwind_Context *c, void *n) {
	(void)c;
	return ++*(int *)n < 64 ? _URC_NO_REASON : _URC_END_OF_STACK;
}
static int walks(void) {
	int n = 0;
	_Unwind_Backtrace(frame, &n);
	return n > 1;
}
static int walksAfter(void) {
	grow();
	return walks();
}
static int walksOnce(void) { return walksAfter(); }
*/
import "C"

import (
	"fmt"
	"os"
	"runtime"
	"sync"
	"time"
)

//export grow
func grow() {
	deep(300)
	var all sync.WaitGroup
	for range 50 {
		all.Add(1)
		go func() {
			defer all.Done()
			fill(150)
			runtime.Gosched()
		}()
	}
	all.Wait()
}

//go:noinline
func deep(n int) int {
	var room [64]int
	if n > 0 {
		room[n%64] = deep(n - 1)
	}
	return room[n%64] + 1
}

//go:noinline
func fill(n int) int {
	var room [64]int
	for i := range room {
		room[i] = 0x4141414141410000 + i
	}
	if n > 0 {
		room[n%64] = fill(n - 1)
	}
	return room[n%64]
}

func main() {
	var whole, first, again C.int
	for range 20 {
		done := make(chan bool)
		go func() { // on a small stack
			whole += C.walks()
			first += C.walksOnce() // perhaps not yet on a C stack
			again += C.walksAfter()
			close(done)
		}()
		<-done
	}
	fmt.Println(whole, first, again)
	if len(os.Args) > 1 {
		beside()
	}
}

// beside has C walk its stack in calls that signals turn.
func beside() {
	var all sync.WaitGroup
	stop := make(chan bool)
	for range 3 {
		all.Add(1)
		go func() {
			defer all.Done()
			for {
				select {
				case <-stop:
					return
				default:
					for range 1000 { // one walk in a call, which so stays fast
						if C.walks() == 0 {
							panic("a walk ended early")
						}
					}
				}
			}
		}()
	}
	for end := time.Now().Add(3 * time.Second); time.Now().Before(end); {
		runtime.GC()
	}
	close(stop)
	all.Wait()
}
