package main

/*
#cgo LDFLAGS: -lpthread
#define _GNU_SOURCE
#include <errno.h>
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <ucontext.h>
#include <unistd.h>

extern long goStep(long, long);
extern void goDo(int);
extern long goNest(long);
extern void goWait(void);

static long visit(long n, long what) { long s = 0; for (long i = 0; i < n; i++) s += goStep(i, what); return s; }
static void act(int what) { char pad[300]; pad[0] = (char)what; goDo(what); if (pad[0] != (char)what) abort(); }
static long nest(long n) { return n <= 0 ? 0 : goNest(n - 1) + 1; }
static int fails(int e) { goDo(0); errno = e; return -1; }
static int waitFor(int n) { for (int i = 0; i < n; i++) goWait(); return n; }
// The kernel is asked, since gcc takes two calls of pthread_self for one.
static int sameThread(void) { long before = syscall(SYS_gettid); goWait(); return before == syscall(SYS_gettid); }
static int poke(long at) { return *(volatile int *)at; }
static int divide(int a, int b) { goDo(0); return a / b; }
static long plainVisit(long n) { return goStep(n, 0); }

// where tells on which stack C runs: near tells it from the thread's own.
static uintptr_t where(void) { goDo(0); return (uintptr_t)__builtin_frame_address(0); }
static uintptr_t whereFast(void) { return (uintptr_t)__builtin_frame_address(0); }

static void *threadMain(void *arg) { *(long *)arg = goStep(*(long *)arg, 0); return arg; }
static long onThread(long n) {
	pthread_t t;
	if (pthread_create(&t, 0, threadMain, &n)) return -1;
	pthread_join(t, 0);
	return n;
}

// C that switches stacks itself, by ucontext, which musl does not have.
#ifdef __GLIBC__
static ucontext_t outer, fiber;
static long fiberSum;
static char fiberStack[64 << 10];
static void fiberMain(void) {
	for (int i = 0; i < 10; i++) {
		fiberSum += goStep(i, 1);
		swapcontext(&fiber, &outer);
	}
}
static long fibers(void) {
	fiberSum = 0;
	getcontext(&fiber);
	fiber.uc_stack.ss_sp = fiberStack;
	fiber.uc_stack.ss_size = sizeof fiberStack;
	fiber.uc_link = &outer;
	makecontext(&fiber, fiberMain, 0);
	for (int i = 0; i < 10; i++) swapcontext(&outer, &fiber);
	return fiberSum;
}
#else
static long fibers(void) { return -1; }
#endif

// And by hand: run calls f(arg) on another stack.
extern void *runOn(void (*f)(void *), void *arg, char *top);
__asm__(
#if defined(__x86_64__)
	".text\n.weak runOn\n.hidden runOn\n.type runOn, @function\nrunOn:\n"
	"pushq %rbx\nmovq %rsp, %rbx\nmovq %rdx, %rsp\nmovq %rdi, %rax\nmovq %rsi, %rdi\ncall *%rax\nmovq %rbx, %rsp\npopq %rbx\nret\n"
#elif defined(__aarch64__)
	".text\n.weak runOn\n.hidden runOn\n.type runOn, %function\nrunOn:\n"
	"stp x19, x30, [sp, #-16]!\nmov x19, sp\nmov sp, x2\nmov x9, x0\nmov x0, x1\nblr x9\nmov sp, x19\nldp x19, x30, [sp], #16\nret\n"
#endif
);
static void byHandMain(void *arg) { *(long *)arg += goStep(*(long *)arg, 1); }
static long byHand(long n) {
	char *stack = malloc(64 << 10);
	runOn(byHandMain, &n, stack + (64 << 10));
	free(stack);
	return n;
}

static int deep(int n) { volatile char pad[1000]; pad[0] = 1; goDo(0); return n ? deep(n - 1) + pad[0] : 0; }
static int deepLarge(int n) { return deep(n); }
static int deepHuge(int n) { return deep(n); }

// Counted by the pool itself; exact when nothing runs.
extern void _wherry_stack_count(long *, long *) __attribute__((weak, visibility("hidden")));
static long stacksInUse(void) {
	long mapped = -1, unused = 0;
	if (_wherry_stack_count) _wherry_stack_count(&mapped, &unused);
	return mapped - unused;
}
static long stacksMapped(void) {
	long mapped = -1, unused = 0;
	if (_wherry_stack_count) _wherry_stack_count(&mapped, &unused);
	return mapped;
}
*/
import "C"

import (
	"fmt"
	"os"
	"os/signal"
	"runtime"
	"runtime/debug"
	"strings"
	"sync"
	"syscall"
	"time"
)

//export goStep
func goStep(i, what C.long) C.long {
	if what == 1 {
		return grow(int(i)%50) + i
	}
	return i
}

//export goNest
func goNest(n C.long) C.long { return C.nest(n) }

var do func()

//export goDo
func goDo(what C.int) {
	if what == 1 {
		do()
	}
}

// with runs f inside a callback, in C, in a reentrant call.
func with(f func()) { do = f; C.act(1) }

//go:noinline
func grow(n int) C.long {
	var pad [512]byte
	pad[n%512] = 1
	if n == 0 {
		return 0
	}
	return grow(n-1) + C.long(pad[n%512]) - 1
}

func check(ok bool, what string, args ...any) {
	if !ok {
		panic("does not hold: " + fmt.Sprintf(what, args...))
	}
}

func recovered(f func()) (r any) {
	defer func() { r = recover() }()
	f()
	return nil
}

func main() {
	runtime.GOMAXPROCS(4)
	scenarios[os.Args[1]]()
	// Threads at rest hold no stack in use.
	check(C.stacksInUse() == 0, "%d C stacks leaked", C.stacksInUse())
	fmt.Println("ok")
}

var scenarios = map[string]func(){
	"own stack": func() {
		for range 10 { // without a rule a function first shows that it calls back
			C.where()
		}
		distance := int64(C.where()) - int64(C.whereFast())
		check(distance < -1<<16 || distance > 1<<16, "C runs on the thread's own stack: %d bytes away", distance)
	},
	"values": func() {
		check(C.visit(100, 0) == 4950, "visit(100)")
		for range 1000 {
			check(C.visit(100, 1) == 4950, "visit(100) with growing stacks")
		}
		_, err := C.fails(C.int(syscall.EDOM))
		check(err == syscall.EDOM, "errno %v", err)
	},
	"goroutines": func() {
		var all sync.WaitGroup
		for range 100 {
			all.Add(1)
			go func() {
				defer all.Done()
				for range 100 {
					check(C.visit(20, 1) == 190, "visit(20)")
				}
			}()
		}
		all.Wait()
	},
	"nested": func() {
		check(C.nest(900) == 900, "nest(900)")
		check(C.nest(3000) == 3000, "nest(3000), more than a thread may have C stacks")
		check(C.nest(900) == 900, "nest(900) after that")
	},
	"panics": func() {
		for i := range 1000 {
			r := recovered(func() { with(func() { grow(i % 100); panic(i) }) })
			check(r == i, "recovered %v, want %d", r, i)
		}
		// through several C frames and calls at once
		for i := range 100 {
			r := recovered(func() {
				with(func() { with(func() { recovered(func() { panic("inner") }); with(func() { panic(i) }) }) })
			})
			check(r == i, "recovered %v, want %d", r, i)
		}
		// Faults in Go are panics as ever: in a callback, and after it.
		var p *int
		for range 100 {
			r := recovered(func() { with(func() { *p = 1 }) })
			check(r != nil && strings.Contains(fmt.Sprint(r), "nil pointer"), "recovered %v", r)
			r = recovered(func() { C.visit(1, 0); *p = 1 })
			check(r != nil && strings.Contains(fmt.Sprint(r), "nil pointer"), "recovered %v", r)
		}
		// Recovered in the callback itself, C goes on.
		hits := 0
		with(func() { recovered(func() { panic(1) }); hits++ })
		check(hits == 1, "C did not go on")
	},
	"goexit": func() {
		for range 100 {
			done := make(chan bool)
			go func() {
				defer close(done)
				with(func() { with(runtime.Goexit) })
			}()
			<-done
		}
	},
	"blocking": func() {
		var all sync.WaitGroup
		work := make(chan int)
		var mutex sync.Mutex
		sum := 0
		waiting = func() { n := <-work; time.Sleep(time.Microsecond); mutex.Lock(); sum += n; mutex.Unlock() }
		for range 50 {
			all.Add(1)
			go func() {
				defer all.Done()
				check(C.waitFor(20) == 20, "wait")
			}()
		}
		for i := range 1000 {
			work <- i
		}
		all.Wait()
		check(sum == 499500, "sum %d", sum)
	},
	"everything": func() {
		with(func() {
			done := make(chan int)
			go func() { done <- int(C.visit(10, 1)) }()
			check(<-done == 45, "a goroutine started in a callback")
			runtime.GC()
			grow(2000) // a megabyte
			runtime.GC()
			runtime.LockOSThread()
			time.Sleep(time.Millisecond)
			runtime.UnlockOSThread()
			c := make(chan os.Signal, 1)
			signal.Notify(c, syscall.SIGUSR1)
			syscall.Kill(os.Getpid(), syscall.SIGUSR1)
			<-c
			signal.Stop(c)
			time.Sleep(20 * time.Millisecond) // preempted
			for start := time.Now(); time.Since(start) < 30*time.Millisecond; {
			}
			check(C.plainVisit(7) == 7, "plain cgo with a callback, from a callback")
			check(C.onThread(8) == 8, "a C thread calls Go meanwhile")
			check(C.visit(10, 1) == 45, "reentrant again")
		})
		// the goroutine is free to leave its thread again
		thread := syscall.Gettid()
		moved := false
		for range 10000 {
			runtime.Gosched()
			time.Sleep(10 * time.Microsecond)
			if syscall.Gettid() != thread {
				moved = true
				break
			}
			go func() {
				for start := time.Now(); time.Since(start) < time.Millisecond; {
				}
			}()
		}
		check(moved, "the goroutine never left its thread")
	},
	"locked": func() {
		runtime.LockOSThread() // stays locked after the call
		thread := syscall.Gettid()
		with(func() {
			time.Sleep(time.Millisecond)
			check(syscall.Gettid() == thread, "another thread in a callback")
		})
		for range 100 {
			time.Sleep(10 * time.Microsecond)
			check(syscall.Gettid() == thread, "a locked goroutine left its thread")
		}
	},
	"same thread": func() {
		var all sync.WaitGroup
		waiting = func() { time.Sleep(50 * time.Microsecond) }
		for range 20 {
			all.Add(1)
			go func() {
				defer all.Done()
				for range 50 {
					check(C.sameThread() == 1, "C continued on another thread")
				}
			}()
		}
		all.Wait()
	},
	"traces": func() {
		with(func() {
			for _, text := range []string{string(debug.Stack()), allStacks()} {
				check(strings.Contains(text, "main.goDo") && strings.Contains(text, "main.with") && strings.Contains(text, "main.main()"),
					"the trace lacks Go callers:\n%s", text)
			}
			var pcs [50]uintptr
			frames, found := runtime.CallersFrames(pcs[:runtime.Callers(0, pcs[:])]), false
			for more := true; more; {
				var f runtime.Frame
				f, more = frames.Next()
				found = found || f.Function == "main.main"
			}
			check(found, "runtime.Callers stops before main.main")
		})
	},
	"fibers": func() {
		for range 100 {
			check(C.fibers() == 45, "fibers")
			check(C.byHand(20) == 40, "byHand")
		}
	},
	"c thread": func() {
		for i := range 20 {
			check(C.onThread(C.long(i)) == C.long(i), "onThread(%d)", i)
		}
		check(C.plainVisit(3) == 3, "plainVisit")
	},
	"idle": func() { // stacks go back when calls are over
		C.nest(900)
		before := C.stacksMapped()
		check(before < 200, "%d stacks stay mapped", before)
	},
	"sizes": func() { // by class, in turn and nested
		for range 3 {
			C.deepLarge(800)
			check(C.visit(3, 1) == 3, "visit")
			with(func() { C.deepLarge(800); with(func() { C.deepLarge(800); C.nest(20) }) })
			C.deepHuge(6000)
		}
		C.nest(900)
		var all sync.WaitGroup
		for range 8 {
			all.Add(1)
			go func() { defer all.Done(); with(func() { runtime.Gosched(); C.deepLarge(800) }) }()
		}
		all.Wait()
		before := C.stacksMapped()
		check(before < 200, "%d stacks stay mapped", before)
	},
	"limits": func() { // beyond them calls run where calls through cgo do
		check(C.nest(100) == 100, "nest(100)")
		r := recovered(func() { C.nest(90); with(func() { C.nest(60); with(func() { C.nest(60); panic("deep") }) }) })
		check(r == "deep", "recovered %v", r)
		check(C.stacksMapped() <= 50, "%d stacks are mapped, want at most 50", C.stacksMapped())
		check(C.nest(10) == 10, "nest(10) after that")
	},
	"overflow": func() { C.deep(100000) },
	"settings": func() { C.deep(500); C.deep(500) },
	"crash":    func() { with(func() { panic("in a callback") }) },
	"segv":     func() { defer func() { fmt.Println("recovered", recover()) }(); C.poke(8) },
	"fpe":      func() { defer func() { fmt.Println("recovered", recover()) }(); C.divide(1, C.int(len(os.Args)-2)) },
}

func allStacks() string { b := make([]byte, 1<<20); return string(b[:runtime.Stack(b, true)]) }

var waiting func()

//export goWait
func goWait() { waiting() }
