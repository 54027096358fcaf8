// A sample for the CPU profile comes after each instruction of a goroutine that calls C; with the argument
// "asked", at some of them the runtime's wish that the goroutine stop comes before it; with "mapped" that
// comes at each of them, until C begins in the first call of a thread. The kernel is asked directly, so that
// wherry sees neither the handler nor what it does.
package main

/*
#define _GNU_SOURCE
#include <errno.h>
#include <signal.h>
#include <stdint.h>
#include <sys/syscall.h>
#include <ucontext.h>
#include <unistd.h>

extern long goStep(long);

static long kernel(long number, long a, long b, long c, long d) {
	register long fourth __asm__("r10") = d;
	__asm__ volatile("syscall" : "+a"(number) : "D"(a), "S"(b), "d"(c), "r"(fourth) : "rcx", "r11", "memory");
	return number;
}
extern void afterStep(void);
__asm__(".text\n.weak afterStep\n.hidden afterStep\nafterStep:\nmovl $15, %eax\nsyscall\n"); // rt_sigreturn

enum { TRAP = 0x100, FLAGS = 17 }; // a signal after each instruction: a flag of REG_EFL
static volatile int stepping;
static long pid, tid, steps, every; // every: so many steps have one SIGURG, if it is not 0

static void onStep(int sig, siginfo_t *info, void *context) {
	steps++;
	if (!stepping)
		((ucontext_t *)context)->uc_mcontext.gregs[FLAGS] &= ~TRAP;
	else if (every != 0 && steps % every == 0)
		kernel(SYS_tgkill, pid, tid, SIGURG, 0);
	if (stepping)
		kernel(SYS_tgkill, pid, tid, SIGPROF, 0);
}
static long step(long n) {
	struct { void *handler; unsigned long flags; void *after; unsigned long mask; }
		action = {(void *)onStep, SA_SIGINFO | SA_ONSTACK | 0x04000000, (void *)afterStep, ~0ul}; // SA_RESTORER
	every = n, steps = 0, pid = kernel(SYS_getpid, 0, 0, 0, 0), tid = kernel(SYS_gettid, 0, 0, 0, 0), stepping = 1;
	long result = kernel(SYS_rt_sigaction, SIGTRAP, (long)&action, 0, 8);
	__asm__ volatile("pushfq\norq %0, (%%rsp)\npopfq" : : "i"(TRAP) : "memory", "cc");
	return result;
}
static void stepNoMore(void) { stepping = 0; }
static long timesStepped(void) { return steps; }

// where is that of a call that runs on a C stack, whereFast that of one that does not.
static uintptr_t where(void) { stepping = 0; goStep(0); return (uintptr_t)__builtin_frame_address(0); }
static uintptr_t whereFast(void) { return (uintptr_t)__builtin_frame_address(0); }

typedef struct { long a; double b; } two;
static long add(long a, long b) { return a + b; }
static double mix(double a, long b, float c, long d, long e, long f, long g, long h, long i) {
	return a + b + c + d + e + f + g + h + i;
}
static int fails(int e) { errno = e; return -1; }
static two pair(long a) { return (two){a, (double)a + 1}; }
static long backs(long n) { return goStep(n) + 1; }
static void *addressOfMix(void) { return mix; }
static long onStack(long n) { return goStep(n) + goStep(n + 1); }
*/
import "C"

import (
	"fmt"
	"os"
	"runtime"
	"runtime/pprof"
	"syscall"

	"github.com/wherrygo/wherry/direct"
)

var mix = direct.MustBind[func(a float64, b int64, c float32, d, e, f, g, h, i int64) float64](C.addressOfMix())

//export goStep
func goStep(n C.long) C.long { return n * 2 }

func check(ok bool, what string) {
	if !ok {
		panic(what)
	}
}

//go:noinline
func calls() {
	for i := range C.long(3) {
		check(C.add(i, 3) == i+3, "add")
		check(C.mix(1.5, 2, 0.25, 3, 4, 5, 6, 7, i) == C.double(28.75+float64(i)), "mix")
		check(mix(1.5, 2, 0.25, 3, 4, 5, 6, 7, int64(i)) == 28.75+float64(i), "mix, bound")
		_, err := C.fails(33)
		check(err == syscall.EDOM, "fails")
		check(C.pair(i) == C.two{i, C.double(i + 1)}, "pair")
		check(C.backs(i) == 2*i+1, "backs")
		check(C.onStack(i) == 4*i+2, "onStack")
	}
}

//go:noinline
func stepped(every C.long) {
	check(C.step(every) == 0, "no handler")
	calls()
	C.stepNoMore()
}

// onNewThread runs f on a thread that has no C stack yet.
func onNewThread(f func()) {
	ended := make(chan bool)
	go func() {
		defer close(ended)
		runtime.LockOSThread()
		f()
	}()
	<-ended
}

func mapped() {
	check(C.step(1) == 0, "no handler")
	distance := int64(C.where()) - int64(C.whereFast())
	check(distance < -1<<16 || distance > 1<<16, fmt.Sprintf("C runs on the thread's own stack: %d bytes away", distance))
	check(C.timesStepped() > 100, fmt.Sprintf("%d signals", C.timesStepped()))
}

func main() {
	if len(os.Args) > 1 && os.Args[1] == "mapped" {
		for range 10 {
			onNewThread(mapped)
		}
		return
	}
	every := C.long(0)
	if len(os.Args) > 1 {
		every = 101 // fewer than an unfinished turn has instructions would have it begin again and again
	}
	runtime.SetCPUProfileRate(1) // no samples but ours; StartCPUProfile says so
	f, err := os.Create("cpu.prof")
	check(err == nil, "cpu.prof")
	check(pprof.StartCPUProfile(f) == nil, "StartCPUProfile")
	for range 3 {
		onNewThread(func() { stepped(every) })
	}
	pprof.StopCPUProfile()
	fmt.Println("ok")
}
