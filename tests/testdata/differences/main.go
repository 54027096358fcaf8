package main

/*
#include <signal.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

extern void goDo(void);
extern void crosscall2(void (*)(void *), void *, int, uintptr_t);
extern void _cgo_panic(void *);

static int add(int a, int b) { return a + b; }
static void reCall(void) { goDo(); }
static int peek(int *p) { return *p; }
static int rePeek(int *p) { return *p; }
static void rePanic(void) { struct { const char *text; } a = {"by crosscall2"}; crosscall2(_cgo_panic, &a, sizeof a, 0); }

#cgo nocallback back
static void back(void) { goDo(); }

static void say(int sig) { (void)sig; if (write(1, "C's handler\n", 12)) _exit(7); }
static void handle(void) { struct sigaction a; memset(&a, 0, sizeof a); a.sa_handler = say; a.sa_flags = SA_ONSTACK;
	sigaction(SIGSEGV, &a, 0); }
__attribute__((constructor)) static void before(void) { if (getenv("BEFORE_GO")) handle(); }

extern int hook(int);
static int callHook(int n) { return hook(n); }
static int huge(int n) {
	char b[3 << 20];
	memset(b, n, sizeof b);
	for (int i = 0; i < (int)sizeof b; i += 4096) n += ((volatile char *)b)[i];
	return n;
}
*/
import "C"

import (
	"fmt"
	"os"
	"runtime"
	"runtime/trace"
	"unsafe"

	"example.com/m/other"
)

var do = func() {}

//export goDo
func goDo() { do() }

func count(call func()) {
	before := runtime.NumCgoCall()
	for range 1000 {
		call()
	}
	fmt.Println(runtime.NumCgoCall() - before)
}

var wild = (*C.int)(unsafe.Pointer(uintptr(8)))

var scenarios = map[string]func(){
	"counts": func() {
		file, err := os.Create(os.Args[2])
		if err == nil {
			err = trace.Start(file)
		}
		if err != nil {
			panic(err)
		}
		count(func() { C.add(1, 2) })
		count(func() { C.reCall() })
		trace.Stop()
	},
	"fault":               func() { C.peek(wild) },
	"reentrant fault":     func() { C.rePeek(wild) },
	"later handler":       func() { C.reCall(); C.handle(); C.rePeek(wild) },
	"crosscall2":          func() { defer func() { fmt.Println(recover()) }(); C.rePanic() },
	"nocallback":          func() { do = func() { fmt.Println("in Go") }; C.back() },
	"another's allocator": func() { p := C.malloc(8); other.Arm(p); C.free(p) },
	"another's function":  func() { fmt.Println(C.callHook(40), C.hook(1)) },
	"huge frame":          func() { fmt.Println(C.huge(1)) },
}

func main() {
	scenarios[os.Args[1]]()
	fmt.Println("ok")
}
