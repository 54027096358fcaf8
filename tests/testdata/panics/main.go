package main

/*
#include <unistd.h>
extern long back(void *, long);
static long visit(void *s, long n) { long r = 0; for (long i = 0; i < n; i++) r = r * 31 + back(s, i); return r; }
static long visitLarge(void *s, long n) { return visit(s, n); }
static long visitByCgo(void *s, long n) { return visit(s, n); }
static long add(long a, long b) { return a + b; }
static long addSlowly(long a, long b) { for (volatile int i = 0; i < 3000; i++); usleep(1); return a + b; }
extern void _wherry_stack_count(long *, long *) __attribute__((weak, visibility("hidden")));
static long stacksInUse(void) {
	long mapped = 0, unused = 0;
	if (_wherry_stack_count) _wherry_stack_count(&mapped, &unused);
	return mapped - unused;
}
*/
import "C"

import (
	"fmt"
	"os"
	"runtime"
	"runtime/cgo"
	"strconv"
	"sync"
	"sync/atomic"
	"unsafe"
)

// A state is one goroutine's: what it will do, and a hash of what it saw.
type state struct {
	seed  uint64
	hash  uint64
	depth int
	steps int
	h     *cgo.Handle
}

func (s *state) next(n int) int {
	s.seed = s.seed*6364136223846793005 + 1442695040888963407
	return int(s.seed>>33) % n
}
func (s *state) note(v int) { s.hash = s.hash*1099511628211 + uint64(v); s.steps++ }

//export back
func back(p unsafe.Pointer, i C.long) C.long {
	s := (*(*cgo.Handle)(p)).Value().(*state)
	s.note(int(i))
	return C.long(act(s))
}

//go:noinline
func deep(s *state, n int) int {
	var pad [200]byte
	pad[n%200] = byte(n)
	if n == 0 {
		return act(s)
	}
	return deep(s, n-1) + int(pad[n%200])
}

func act(s *state) (r int) {
	s.depth++
	depth := s.depth
	defer func() { s.note(depth); s.depth = depth - 1 }()
	if s.depth > 25 || s.steps > 3000 {
		return s.next(10)
	}
	switch s.next(16) {
	case 0, 1:
		r = int(C.visit(unsafe.Pointer(s.h), C.long(s.next(4))))
	case 2:
		r = int(C.visitLarge(unsafe.Pointer(s.h), C.long(s.next(4))))
	case 3:
		r = int(C.visitByCgo(unsafe.Pointer(s.h), C.long(s.next(4))))
	case 4:
		func() {
			defer func() {
				if v := recover(); v != nil {
					s.note(v.(int))
				}
			}()
			r = act(s)
		}()
	case 5:
		func() {
			defer func() {
				v := recover()
				s.note(act(s)) // C again, while another's frames are gone
				if v != nil && s.next(3) == 0 {
					panic(v.(int) + 1)
				}
			}()
			r = int(C.visit(unsafe.Pointer(s.h), C.long(s.next(4))))
		}()
	case 6:
		defer func() { s.note(act(s)) }() // while panicking, not recovered
		r = act(s)
	case 7:
		panic(s.next(1000))
	case 8:
		if s.next(6) == 0 {
			s.note(77)
			runtime.Goexit()
		}
	case 9:
		r = deep(s, s.next(200))
	case 10:
		for range s.next(3) {
			defer func() {
				if s.next(2) == 0 {
					if v := recover(); v != nil {
						s.note(v.(int))
					}
				}
			}()
		}
		r = act(s) + act(s)
	case 11:
		runtime.LockOSThread()
		r = act(s)
		runtime.UnlockOSThread()
	case 12:
		runtime.Gosched()
		r = act(s)
	case 13:
		r = int(C.add(C.long(s.next(9)), C.addSlowly(1, C.long(act(s)))))
	case 14: // ranges over a function, with a defer in the loop
		for v := range func(yield func(int) bool) { _ = yield(act(s)) && yield(act(s)) } {
			defer func() { s.note(v); recover() }()
		}
	case 15:
		r = s.next(50)
	}
	s.note(r)
	return r
}

func main() {
	n, _ := strconv.Atoi(os.Args[1])
	var stop atomic.Bool
	var stopped sync.WaitGroup
	stopped.Add(1)
	go func() {
		defer stopped.Done()
		var m runtime.MemStats
		for i := 0; !stop.Load(); i++ {
			runtime.ReadMemStats(&m)
			if i%2000 == 0 {
				runtime.GC()
			}
		}
	}()
	hashes := make([]uint64, n)
	work := make(chan int)
	var all sync.WaitGroup
	for range 4 {
		all.Add(1)
		go func() {
			defer all.Done()
			for i := range work {
				done := make(chan bool)
				go func() {
					s := &state{seed: uint64(i)*2654435761 + 12345}
					h := cgo.NewHandle(s)
					s.h = &h
					var pin runtime.Pinner
					pin.Pin(s.h)
					defer func() {
						if v := recover(); v != nil {
							s.note(v.(int))
						}
						hashes[i] = s.hash
						pin.Unpin()
						h.Delete()
						close(done)
					}()
					for range 5 {
						s.note(act(s))
					}
				}()
				<-done
			}
		}()
	}
	for i := range n {
		work <- i
	}
	close(work)
	all.Wait()
	stop.Store(true)
	stopped.Wait()
	for i, h := range hashes {
		fmt.Printf("%d %x\n", i, h)
	}
	fmt.Println(C.stacksInUse())
}
