package main

/*
#cgo LDFLAGS: -lpthread
#cgo nocallback byPragma
#include <pthread.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>
extern void goDo(void);
static int (*volatile pad)(unsigned) = usleep;
static void spin(int us) {
	struct timespec t, e;
	clock_gettime(CLOCK_MONOTONIC, &t);
	do clock_gettime(CLOCK_MONOTONIC, &e); while ((e.tv_sec - t.tv_sec) * 1000000 + (e.tv_nsec - t.tv_nsec) / 1000 < us);
}
static void byPolicy(int us) { if (us < 0) spin(-us); else if (us > 0) pad(us); goDo(); }
static void byDirective(int us) { byPolicy(us); }
static void byPragma(int us) { byPolicy(us); }
static void unsaid(int us) { byPolicy(us); }
static void seldom(int us, int yes) { if (us) spin(us); if (yes) goDo(); }
static void outer(void) { goDo(); }
static void *threadMain(void *n) { for (int i = 0; i < *(int *)n; i++) goDo(); return 0; }
static void thread(int n) { pthread_t t; pthread_create(&t, 0, threadMain, &n); pthread_join(t, 0); }
*/
import "C"

import (
	"fmt"
	"os"
	"runtime"
	"strconv"
	"time"
)

//wherry:nocallback byDirective

var do = func() { fmt.Println("in Go") }

//export goDo
func goDo() { do() }

// once calls f in the callback number n of C, and does nothing in that one's callbacks.
func once(n int, f func()) {
	calls := 0
	do = func() {
		if calls++; calls == n {
			f()
		}
	}
}

func main() {
	breaks := func(us C.int) { C.byPolicy(us) }
	switch os.Args[2] {
	case "directive":
		breaks = func(us C.int) { C.byDirective(us) }
	case "pragma":
		breaks = func(us C.int) { C.byPragma(us) }
	case "nobody":
		breaks = func(us C.int) { C.unsaid(us) }
	}
	try := func(us C.int) {
		defer func() { fmt.Println("recovered:", recover()) }()
		breaks(us)
	}
	nested := func() { breaks(0) } // Go's runtime cannot recover from that panic in a callback
	switch os.Args[1] {
	case "at once":
		try(0)
	case "after waiting":
		try(1000)
	case "after a signal": // the collector turns the call
		go func() {
			for {
				runtime.GC()
				time.Sleep(time.Millisecond)
			}
		}()
		try(-100_000)
	case "known to last":
		go func() {
			for {
				runtime.Gosched()
			}
		}()
		for range 60 {
			C.seldom(30_000, 0)
		}
		breaks = func(C.int) { C.seldom(0, 1) }
		try(0)
	case "in a callback":
		once(1, nested)
		C.outer()
	case "in a callback from a C stack":
		once(100, nested)
		for range 200 {
			C.outer()
		}
	case "on a C thread":
		n, _ := strconv.Atoi(os.Args[3])
		once(n/2, nested)
		C.thread(C.int(n))
	case "twice":
		try(0)
		try(0)
	}
	fmt.Println("the program goes on")
}
