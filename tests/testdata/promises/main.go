package main

/*
#cgo CFLAGS: -D_GNU_SOURCE
#cgo LDFLAGS: -lpthread
#include <errno.h>
#include <pthread.h>
#include <setjmp.h>
#include <stdint.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

extern void goDo(void);

static volatile int begun, ended, interrupted;
static void spin(int ms) {
	struct timespec t, e;
	clock_gettime(CLOCK_MONOTONIC, &t);
	begun = 1;
	do clock_gettime(CLOCK_MONOTONIC, &e); while ((e.tv_sec - t.tv_sec) * 1000 + (e.tv_nsec - t.tv_nsec) / 1000000 < ms);
	ended = 1;
}
static void doze(int ms) {
	struct timespec t = {ms / 1000, ms % 1000 * 1000000L};
	begun = 1;
	while (nanosleep(&t, &t)) interrupted = 1;
	ended = 1;
}
static int hasBegun(void) { return begun; }
static int hasEnded(void) { return ended; }
static int wasInterrupted(void) { return interrupted; }

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static void waitForLock(void) { begun = 1; pthread_mutex_lock(&lock); pthread_mutex_unlock(&lock); }
static void reCallWithLock(void) { pthread_mutex_lock(&lock); goDo(); pthread_mutex_unlock(&lock); }
static void unsaid(void) { goDo(); }
static int isLocked(void) { int e = pthread_mutex_trylock(&lock); if (!e) pthread_mutex_unlock(&lock); return e == EBUSY; }

static int *kept;
static void keep(int *p) { kept = p; }
static int keptValue(void) { return *kept; }

static int inThreadsStack(void) {
	pthread_attr_t a; void *low; size_t size; char here;
	if (pthread_getattr_np(pthread_self(), &a) || pthread_attr_getstack(&a, &low, &size)) abort();
	pthread_attr_destroy(&a);
	return (uintptr_t)&here - (uintptr_t)low < size;
}
static int reInThreadsStack(void) { return inThreadsStack(); }

static void *callGo(void *arg) { goDo(); return arg; }
static int reJoin(void) { pthread_t t; return pthread_create(&t, 0, callGo, 0) || pthread_join(t, 0); }

static jmp_buf outside;
static void leap(void) { longjmp(outside, 1); }
static void leave(void) { pthread_exit(0); }
extern void throwOne(void);

// A thread of C's ends the process when nothing of Go can.
static void *wait(void *arg) { sleep(*(int *)arg); if (write(1, "hangs\n", 6)) _exit(3); return arg; }
static void endHang(int s) { static int seconds; pthread_t t; seconds = s; pthread_create(&t, 0, wait, &seconds); pthread_detach(t); }
*/
import "C"

import (
	"fmt"
	"os"
	"runtime"
	"strconv"
	"time"
)

var do = func() {}

//export goDo
func goDo() { do() }

// inCall returns when C is in the call, on another goroutine.
func inCall(call func()) {
	go call()
	for C.hasBegun() == 0 {
		time.Sleep(time.Millisecond)
	}
}

// seconds is how long something lasts: longer than everything else in the test
// where it should not be waited for.
func seconds() C.int {
	n, err := strconv.Atoi(os.Args[2])
	if err != nil {
		panic(err)
	}
	return C.int(n)
}

// onSmallStack runs f on a stack that has to grow.
func onSmallStack(f func()) {
	done := make(chan bool)
	go func() { f(); close(done) }()
	<-done
}

//go:noinline
func grow(n int) int {
	var b [1000]byte
	if n > 0 {
		b[n%1000] = 1
		return grow(n-1) + int(b[5])
	}
	return 0
}

var scenarios = map[string]func(){
	"short": func() {
		inCall(func() { C.spin(1000 * seconds()) })
		runtime.GC()
		fmt.Println("waited:", C.hasEnded() == 1)
	},
	"not block": func() {
		inCall(func() { C.doze(1000 * seconds()) })
		runtime.GC()
		fmt.Println("waited:", C.hasEnded() == 1, "interrupted:", C.wasInterrupted() == 1)
	},
	"return": func() { C.throwOne() },
	"no lock": func() {
		C.endHang(seconds())
		do = func() { inCall(func() { C.waitForLock() }); runtime.GC() }
		C.reCallWithLock()
	},
	"keep nothing": func() {
		onSmallStack(func() {
			var x C.int = 1
			C.keep(&x)
			grow(1000)
			x = 0x5EED
			fmt.Println("sees it:", C.keptValue() == 0x5EED)
			_ = x
		})
	},
	"keep what is pinned": func() {
		onSmallStack(func() {
			var x C.int = 1
			var pinner runtime.Pinner
			pinner.Pin(&x)
			C.keep(&x)
			grow(1000)
			x = 0x5EED
			fmt.Println("sees it:", C.keptValue() == 0x5EED)
			pinner.Unpin()
		})
	},
	"bounds":                      func() { fmt.Println(C.inThreadsStack(), C.reInThreadsStack()) },
	"waits for no thread of Go's": func() { C.endHang(seconds()); runtime.GOMAXPROCS(1); fmt.Println(C.reJoin()) },
	"calls back after all":        func() { do = func() { fmt.Println("in Go") }; C.unsaid() },
	"leaves locks": func() {
		do = func() { panic("leave") }
		func() { defer func() { recover() }(); C.reCallWithLock() }()
		fmt.Println("locked:", C.isLocked())
	},
}

func main() {
	scenarios[os.Args[1]]()
	fmt.Println("ok")
}

// These would end the thread; they are here to be built.
func never() { C.leap(); C.leave() }
