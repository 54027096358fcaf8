//go:build ignore

// A program that wherry doctor builds accelerated and runs. Its C code looks,
// from inside a call, whether everything is where the offsets say.
package main

/*
#include <stdint.h>
#include <time.h>
#include <unistd.h>

#if defined(__x86_64__)
#define READ_G(g) __asm__ volatile("movq %%r14, %0" : "=r"(g))
#elif defined(__aarch64__)
#define READ_G(g) __asm__ volatile("mov %0, x28" : "=r"(g))
#endif

struct offsets { long g_m, g_sched_sp, m_g0, m_curg, m_vdsopc, m_vdsosp, m_incgo; };

static uintptr_t word(uintptr_t address) { return *(uintptr_t *)address; }

// look gives the number of the first fact that does not hold, or 0. The first
// two words of g are the bounds of its stack.
static int look(struct offsets *o) {
	uintptr_t g, here = (uintptr_t)__builtin_frame_address(0);
	READ_G(g);
	uintptr_t m = word(g + o->g_m), g0 = word(m + o->m_g0), sp = word(g0 + o->g_sched_sp);
	uintptr_t caller = word(m + o->m_vdsosp);
	if (word(g0 + o->g_m) != m) return 1;
	if (!(word(g0) < sp && sp <= word(g0 + 8))) return 2;
	if (!(word(g0) < here && here <= sp)) return 3;
	if (!(word(g) < caller && caller <= word(g + 8))) return 4;
	if (word(m + o->m_curg) != g) return 5;
	uintptr_t pc = word(m + o->m_vdsopc); // 0, or a little less than the caller's
	return pc != 0 && pc % 4 == 0 ? 6 : 0;
}

// turned reports whether the call that C runs in on this thread is a cgo call by now.
static int turned(struct offsets *o, uintptr_t g) { return *(volatile unsigned char *)(word(g + o->g_m) + o->m_incgo); }

static int waits(struct offsets *o) {
	uintptr_t g;
	READ_G(g);
	int before = turned(o, g);
	usleep(1);
	return !before && turned(o, g) ? 0 : 7;
}

static int computes(struct offsets *o) {
	uintptr_t g;
	READ_G(g);
	for (time_t begin = time(0); time(0) - begin < 10;)
		if (turned(o, g)) return 0;
	return 8;
}

// Every argument register at once, and one result.
static double mix(long a, double u, long b, double v, long c, double w, long d, double x, long e, double y, long f,
	double z, double s, double t) {
	return a + 2*b + 4*c + 8*d + 16*e + 32*f + 64*u + 128*v + 256*w + 512*x + 1024*y + 2048*z + 4096*s + 8192*t;
}

static int unlisted(int x) { return x + 1; } // stays on cgo
*/
import "C"

import (
	"fmt"
	"os"
	"runtime"
	"strconv"
)

var facts = []string{
	1: "g.m and m.g0 lead from goroutine to system stack and back",
	2: "g0.sched.sp lies within the system stack",
	3: "C runs on the system stack",
	4: "m.vdsoSP names the goroutine's stack while C runs",
	5: "m.curg is the goroutine",
	6: "m.vdsoPC says that a call is in flight",
	7: "a call becomes a cgo call before C blocks",
	8: "a call becomes a cgo call when the runtime wants its thread",
}

func main() {
	var o [7]C.long
	for i := range o {
		n, err := strconv.Atoi(os.Args[1+i])
		if err != nil {
			panic(err)
		}
		o[i] = C.long(n)
	}
	offsets := C.struct_offsets{o[0], o[1], o[2], o[3], o[4], o[5], o[6]}
	for range 100 {
		if n := C.look(&offsets); n != 0 {
			fmt.Println("does not hold:", facts[n])
			os.Exit(1)
		}
		runtime.Gosched()
	}
	go func() {
		for {
			runtime.GC()
		}
	}()
	for _, n := range []C.int{C.waits(&offsets), C.computes(&offsets)} {
		if n != 0 {
			fmt.Println("does not hold:", facts[n])
			os.Exit(1)
		}
	}
	if got, want := C.mix(1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1), C.double(1<<14-1); got != want || C.unlisted(1) != 2 {
		fmt.Println("does not hold: arguments arrive in their registers: got", got, "want", want)
		os.Exit(1)
	}
	for _, fact := range facts[1:] {
		fmt.Println(fact)
	}
	fmt.Println("arguments arrive in their registers")
}
