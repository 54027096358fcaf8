// Command traced has functions that trace C's stack, as runtime.SetCgoTraceback wants them, and
// says what the runtime asked them.
package main

/*
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>

extern void back(int);

// What the runtime passes: see runtime.SetCgoTraceback.
struct traceback { uintptr_t context, sig; uintptr_t *buf, max; };
struct context { uintptr_t context; };
struct symbolizer { uintptr_t pc; const char *file; uintptr_t line; const char *function; uintptr_t entry, more, data; };

static long contexts, released, traced;

static void trace(void *of) {
	struct traceback *t = of;
	__atomic_add_fetch(&traced, 1, __ATOMIC_RELAXED);
	uintptr_t pc = t->context != 0 ? 0x2000 + t->context : 0x1000;
	t->buf[0] = pc;
	if (t->max > 1) t->buf[1] = 0;
}
static void enter(void *of) {
	struct context *c = of;
	if (c->context == 0) c->context = (uintptr_t)__atomic_add_fetch(&contexts, 1, __ATOMIC_RELAXED);
	else released++;
}
static void name(void *of) {
	struct symbolizer *s = of;
	if (s->pc == 0) return;
	s->file = "traced.c", s->line = s->pc & 0xfff, s->function = s->pc >= 0x2000 ? "in_callback" : "in_call";
}
static void *trace_function(void) { return trace; }
static void *enter_function(void) { return enter; }
static void *name_function(void) { return name; }
static long entered(void) { return contexts; }
static long left(void) { return released; }
static long asked(void) { return traced; }

static uint64_t computes(uint64_t n) { uint64_t sum = 1; while (n-- > 0) sum = sum * 31 + (sum >> 7) + n; return sum; }
static int add(int a, int b) { return a + b; }
static void calls(int n) { for (int i = 0; i < n; i++) back(i); }
static void dies(int *at) { *at = 1; }
static void *thread(void *n) { calls((int)(long)n); return 0; }
static void by_thread(int n) {
	pthread_t t;
	pthread_create(&t, 0, thread, (void *)(long)n);
	pthread_join(t, 0);
}
*/
import "C"

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"io"
	"os"
	"runtime"
	"runtime/pprof"
	"time"
)

var depth, seen int

//export back
func back(i C.int) {
	if depth++; depth < 3 {
		C.calls(2)
	}
	depth--
	var pcs [50]uintptr
	frames := runtime.CallersFrames(pcs[:runtime.Callers(0, pcs[:])])
	for {
		frame, more := frames.Next()
		if frame.Function == "in_callback" {
			seen++
		}
		if !more {
			break
		}
	}
}

func main() {
	sum := C.add(1, 2)
	runtime.SetCgoTraceback(0, C.trace_function(), C.enter_function(), C.name_function())
	for range 20 {
		sum += C.add(sum, 1)
		C.calls(3)
	}
	C.by_thread(2000)
	fmt.Println("contexts", C.entered(), C.left(), "frames", seen, sum)
	if len(os.Args) > 1 {
		C.dies(nil)
	}
	var profile bytes.Buffer
	if err := pprof.StartCPUProfile(&profile); err != nil {
		panic(err)
	}
	for began := time.Now(); time.Since(began) < 300*time.Millisecond; {
		C.computes(100000)
		C.add(1, 2)
	}
	pprof.StopCPUProfile()
	unpacked, err := gzip.NewReader(&profile)
	if err != nil {
		panic(err)
	}
	text, err := io.ReadAll(unpacked)
	if err != nil {
		panic(err)
	}
	fmt.Println("profile with C frames", bytes.Contains(text, []byte("in_call")), "asked", C.asked() > 0)
}
