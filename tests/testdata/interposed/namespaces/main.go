// Libraries that find the C library before the program: what they wait for, no signal ends.
package main

/*
#cgo LDFLAGS: -ldl
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stddef.h>

typedef int (*function)(int);

static function opened(int way) {
	const char *file = "./library.so";
	void *library = way == 0 ? dlopen(file, RTLD_NOW | RTLD_LOCAL | RTLD_DEEPBIND) : dlmopen(LM_ID_NEWLM, file, RTLD_NOW);
	return library == NULL ? NULL : (function)dlsym(library, "waits");
}

// One for each, since wherry learns that a function waits.
static int call_deep(function f) { return f(5); }
static int call_apart(function f) { return f(5); }
static int is_null(function f) { return f == NULL; }
*/
import "C"

import (
	"fmt"
	"runtime"
	"time"
)

func main() {
	go func() {
		for {
			runtime.GC() // wants every thread that a call keeps
			time.Sleep(time.Millisecond)
		}
	}()
	for way, call := range []func(f C.function) C.int{
		func(f C.function) C.int { return C.call_deep(f) },
		func(f C.function) C.int { return C.call_apart(f) },
	} {
		f := C.opened(C.int(way))
		ended := C.int(0)
		for range 50 {
			ended += call(f)
		}
		fmt.Println(C.is_null(f), ended > 10) // one or two are by a signal that was sent before, through cgo too
	}
}
