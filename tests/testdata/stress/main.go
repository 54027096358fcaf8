package main

/*
#cgo LDFLAGS: -lpthread
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static int add(int a, int b) { return a + b; }
static double scale(double x, int n) { for (int i = 0; i < n; i++) x = x * 1.0000001 + 1; return x; }
static unsigned sum(const unsigned char *p, size_t n) { unsigned s = 0; while (n--) s += *p++; return s; }
static void fill(unsigned *p, int n, unsigned v) { for (int i = 0; i < n; i++) p[i] = v + i; }
struct box { long a, b, c; };
static struct box turn(struct box x) { struct box y = {x.b, x.c, x.a}; return y; }
static int deep(int n) { volatile char pad[200]; pad[0] = 1; return n ? deep(n - 1) + pad[0] : 0; }

// misaligned gives how far the stack is from the alignment that C relies on.
static int misaligned(void) { return (int)((uintptr_t)__builtin_frame_address(0) & 15); }

// scramble leaves garbage in every register that a C function may change.
static void scramble(void) {
#if defined(__x86_64__)
	__asm__ volatile("movq $-1, %%rax; movq %%rax, %%rcx; movq %%rax, %%rdx; movq %%rax, %%rsi; movq %%rax, %%rdi;"
		"movq %%rax, %%r8; movq %%rax, %%r9; movq %%rax, %%r10; movq %%rax, %%r11\n"
		"pcmpeqd %%xmm0, %%xmm0; movdqa %%xmm0, %%xmm1; movdqa %%xmm0, %%xmm7; movdqa %%xmm0, %%xmm14; movdqa %%xmm0, %%xmm15"
		::: "rax", "rcx", "rdx", "rsi", "rdi", "r8", "r9", "r10", "r11", "xmm0", "xmm1", "xmm7", "xmm14", "xmm15");
#elif defined(__aarch64__)
	__asm__ volatile("mov x0, #-1; mov x1, x0; mov x2, x0; mov x8, x0; mov x9, x0; mov x15, x0;"
		"mov x16, x0; mov x17, x0; fmov d0, x0; fmov d7, x0; fmov d16, x0; fmov d31, x0"
		::: "x0", "x1", "x2", "x8", "x9", "x15", "x16", "x17", "v0", "v7", "v16", "v31");
#endif
}

extern int visit(int);
static int through(int n) { return visit(n); } // calls back
static int plainThrough(int n) { return visit(n); } // the same on cgo

// Go does anything at all in the callbacks of many.
extern int anything(int, unsigned);
extern struct box turnBack(struct box, double);
static int many(int n, unsigned seed) {
	volatile unsigned char pad[256];
	int sum = 0;
	for (int i = 0; i < 256; i++) pad[i] = (unsigned char)(i ^ n);
	for (int i = 0; i < n; i++) sum += anything(i, seed + i);
	for (int i = 0; i < 256; i++) if (pad[i] != (unsigned char)(i ^ n)) abort();
	return sum;
}
static struct box turnTwice(struct box b) { b = turnBack(b, 1.5); return turnBack(b, 2.5); }
static void *threadMain(void *arg) { *(int *)arg = visit(*(int *)arg); return arg; }
// Counted by the pool of C stacks itself.
extern void _wherry_stack_count(long *, long *) __attribute__((weak, visibility("hidden")));
static long stacksInUse(void) {
	long mapped = -1, unused = 0;
	if (_wherry_stack_count) _wherry_stack_count(&mapped, &unused);
	return mapped - unused;
}
extern int next(int), surely(int, unsigned);
extern long _wherry_hold_count(void) __attribute__((weak, visibility("hidden")));
static volatile int holdingStop;
static long holds(void) { return _wherry_hold_count ? _wherry_hold_count() : -1; }
static void *holdingMain(void *arg) { // calls Go so often that it holds its P, and then has Go do anything
	unsigned seed = (unsigned)(uintptr_t)arg, rounds = seed % 2 ? -1u : 5;
	volatile unsigned char pad[256];
	for (unsigned n = 0; n < rounds && !holdingStop; n++) {
		int sum = 0;
		for (int i = 0; i < 256; i++) pad[i] = (unsigned char)(i ^ n);
		for (int i = 0; i < 3000; i++) if (next(i) != i + 1) abort();
		for (int i = 0; i < 8; i++) sum += surely(i, seed += 2654435761u);
		if (sum != 28) abort();
		if (n % 16 == 3) usleep(30);
		if (n % 16 == 7) for (volatile int i = 0; i < 20000; i++) {}
		for (int i = 0; i < 256; i++) if (pad[i] != (unsigned char)(i ^ n)) abort();
	}
	return arg;
}
static void holdingThread(unsigned seed) {
	pthread_t t;
	if (pthread_create(&t, 0, holdingMain, (void *)(uintptr_t)seed)) abort();
	pthread_join(t, 0);
}
static void holdingEnd(void) { holdingStop = 1; }
static int onThread(int n) { // a C thread calls Go
	pthread_t t;
	if (pthread_create(&t, 0, threadMain, &n)) return -1;
	pthread_join(t, 0);
	return n;
}

// Calls that become system calls while they run: they compute, sleep, wait for
// another goroutine; and some call back then.
static unsigned spin(unsigned n) { unsigned h = 1; for (unsigned i = 0; i < n; i++) h = h * 31 + (i ^ h >> 3); return h; }
static int nap(int us) { usleep(us); return us; }
static int receive(int fd) { char c = 0; return read(fd, &c, 1) == 1 ? c : -1; }
static int spinThrough(int n) { volatile unsigned h = spin(n * 1000); (void)h; return visit(n); }
static int napThrough(int n) { nap(n % 50); return visit(n) + nap(1) - 1; }
*/
import "C"

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"runtime"
	"runtime/debug"
	"runtime/pprof"
	"runtime/trace"
	"sync"
	"sync/atomic"
	"syscall"
	"time"
	"unsafe"
)

//export visit
func visit(n C.int) C.int { return C.add(n, grow(int(n)%60)) }

//export anything
func anything(i C.int, seed C.uint) C.int {
	switch seed % 32 {
	case 0:
		time.Sleep(time.Microsecond)
	case 1:
		runtime.Gosched()
	case 2:
		done := make(chan C.int)
		go func() { done <- C.many(2, seed+7) }()
		check(<-done == 1, "many in a goroutine")
	case 3:
		check(grow(int(seed>>5)%300) == C.int(int(seed>>5)%300), "grow in a callback")
	case 4:
		check(C.many(3, seed+11) == 3, "many, nested")
	case 5:
		check(C.plainThrough(5) == 5+5, "plain cgo in a callback")
	case 6:
		if seed>>5%8 == 0 {
			panic(seed)
		}
	case 7:
		thread := syscall.Gettid()
		runtime.LockOSThread()
		runtime.Gosched()
		runtime.UnlockOSThread()
		runtime.Gosched()
		check(syscall.Gettid() == thread, "a callback left its thread")
	case 8:
		if seed>>5%64 == 0 {
			runtime.GC()
		}
	case 9:
		s := C.CString("callback")
		check(C.GoString(s) == "callback", "CString in a callback")
		C.free(unsafe.Pointer(s))
	case 10:
		debug.Stack()
	case 11:
		func() {
			defer func() { recover() }()
			panic("inside")
		}()
	case 12:
		if seed>>5%16 == 0 {
			check(C.onThread(3) == 3+3, "a C thread in a callback")
		}
	case 13:
		check(C.nap(20) == 20, "nap in a callback")
	case 14:
		check(C.spinThrough(20) == 20+20, "spinThrough in a callback")
	}
	return i
}

//export next
func next(n C.int) C.int { return n + 1 }

// surely is anything without a panic, which would end the program on a C thread.
//
//export surely
func surely(i C.int, seed C.uint) (result C.int) {
	defer func() {
		recover()
		result = i
	}()
	return anything(i, seed)
}

//export turnBack
func turnBack(b C.struct_box, x C.double) C.struct_box {
	if b.a%7 == 0 {
		grow(int(b.a) % 100)
	}
	return C.struct_box{b.b, b.c, b.a + C.long(x)}
}

// grow makes calls at many stack depths, so that stacks grow and
// shrink around them.
//
//go:noinline
func grow(n int) C.int {
	var local [16]C.uint
	if n == 0 {
		return C.misaligned()
	}
	r := grow(n - 1)
	C.fill(&local[0], 16, C.uint(n))
	for i, v := range local {
		if int(v) != n+i {
			panic(fmt.Sprintf("local[%d] = %d, want %d", i, v, n+i))
		}
	}
	return C.add(r, 1)
}

func check(ok bool, what string, args ...any) {
	if !ok {
		panic(fmt.Sprintf(what, args...))
	}
}

func worker(seed uint64, stop *atomic.Bool, calls *atomic.Int64) {
	state := seed*2 + 1
	next := func(n int) int { state = state*6364136223846793005 + 1442695040888963407; return int(state>>33) % n }
	for !stop.Load() {
		n := next(1000)
		switch next(18) {
		case 0:
			check(C.add(C.int(n), 7) == C.int(n+7), "add(%d, 7)", n)
		case 1:
			p := bytes.Repeat([]byte{byte(n)}, 1+n)
			check(C.sum((*C.uchar)(unsafe.Pointer(&p[0])), C.size_t(len(p))) == C.uint(byte(n))*C.uint(len(p)), "sum")
		case 2:
			b := C.turn(C.struct_box{1, C.long(n), 3})
			check(b.a == C.long(n) && b.b == 3 && b.c == 1, "turn %v", b)
		case 3:
			check(grow(n) == C.int(n), "grow(%d)", n)
		case 4:
			check(C.through(C.int(n)) == C.int(n+n%60), "through(%d)", n)
		case 5:
			s := C.CString(fmt.Sprint(n))
			check(C.GoString(s) == fmt.Sprint(n), "CString(%d)", n)
			C.free(unsafe.Pointer(s))
		case 6:
			done := make(chan C.int)
			go func() { done <- grow(n % 100) }()
			check(<-done == C.int(n%100), "grow in a goroutine")
		case 7:
			func() {
				defer func() { check(recover() == n, "recover") }()
				defer C.add(1, 2)
				if C.add(C.int(n), 0) == C.int(n) {
					panic(n)
				}
			}()
		case 8:
			check(C.scale(1, C.int(n)) > float64t(n), "scale")
		case 9:
			check(C.deep(C.int(n)) == C.int(n), "deep(%d)", n)
		case 10:
			if n < 20 {
				check(C.onThread(C.int(n)) == C.int(n+n%60), "onThread(%d)", n)
			}
		case 11:
			C.scramble()
			var zeros [64]uint64 // Go clears it with X15
			touch(&zeros)
			check(zeros == [64]uint64{}, "zeros %v", zeros)
		case 12:
			if n < 5 {
				runtime.GC()
			} else if n < 10 {
				debug.Stack()
			} else if n < 12 {
				time.Sleep(time.Duration(n) * time.Microsecond)
			}
		case 13:
			check(C.nap(C.int(n%50)) == C.int(n%50), "nap(%d)", n%50)
		case 14:
			if n < 300 {
				h := uint32(1)
				for i := range uint32(n * 1000) {
					h = h*31 + (i ^ h>>3)
				}
				check(C.spin(C.uint(n*1000)) == C.uint(h), "spin(%d)", n*1000)
			}
		case 15:
			var ends [2]int
			check(syscall.Pipe(ends[:]) == nil, "pipe")
			go func() {
				runtime.Gosched()
				syscall.Write(ends[1], []byte{byte(n % 100)})
			}()
			check(C.receive(C.int(ends[0])) == C.int(n%100), "receive")
			syscall.Close(ends[0])
			syscall.Close(ends[1])
		case 16:
			check(C.spinThrough(C.int(n)) == C.int(n+n%60), "spinThrough(%d)", n)
		case 17:
			check(C.napThrough(C.int(n)) == C.int(n+n%60), "napThrough(%d)", n)
		}
		switch next(3) {
		case 0:
			func() {
				seed := C.uint(next(1 << 30))
				defer func() {
					if r := recover(); r != nil {
						_, ok := r.(C.uint)
						check(ok, "recovered %v", r)
					}
				}()
				check(C.many(C.int(n%40), seed) == C.int(n%40*(n%40-1)/2), "many(%d)", n%40)
			}()
		case 1:
			b := C.turnTwice(C.struct_box{C.long(n), 2, 3})
			check(b == C.struct_box{3, C.long(n) + 1, 2 + 2}, "turnTwice %v", b)
		case 2:
			done := make(chan bool)
			go func() {
				defer close(done)
				if n < 10 {
					defer runtime.Goexit()
				}
				defer func() { recover() }()
				C.many(C.int(n%10), C.uint(next(1<<30)))
			}()
			<-done
		}
		if boundCalls != nil {
			boundCalls(n, next)
		}
		calls.Add(1)
	}
}

var boundCalls func(n int, next func(int) int) // by package direct, in a file of its own

//go:noinline
func touch(*[64]uint64) {}

func float64t(n int) C.double { return C.double(n) }

func main() {
	duration, err := time.ParseDuration(os.Args[1])
	check(err == nil, "%v", err)
	runtime.SetCPUProfileRate(2000)
	if os.Getenv("STRESS_PROFILE") != "off" {
		check(pprof.StartCPUProfile(io.Discard) == nil, "profile")
	}
	if os.Args[len(os.Args)-1] != "no trace" {
		check(trace.Start(io.Discard) == nil, "trace")
	}
	var stop atomic.Bool
	var calls atomic.Int64
	var all sync.WaitGroup
	for i := range 8 {
		all.Add(1)
		go func() { defer all.Done(); worker(uint64(i), &stop, &calls) }()
	}
	for i := range 3 { // two that last, and one after the other
		all.Add(1)
		go func() {
			defer all.Done()
			for seed := uint32(i); !stop.Load(); seed += 6 {
				C.holdingThread(C.uint(seed))
				if i == 2 {
					runtime.GOMAXPROCS(2 + int(seed)%3)
				}
			}
		}()
	}
	time.Sleep(duration)
	for calls.Load() <= 1000 { // a busy machine, or qemu-user
		time.Sleep(10 * time.Millisecond)
	}
	stop.Store(true)
	C.holdingEnd()
	all.Wait()
	trace.Stop()
	pprof.StopCPUProfile()
	check(C.stacksInUse() == 0, "%d C stacks leaked", C.stacksInUse())
	fmt.Println("done", C.holds())
}
