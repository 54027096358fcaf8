// Command namesakes profiles functions of one name: static ones in two files, and those of a library
// that another one replaces; and one that has become a part of the call.
package main

// #cgo LDFLAGS: -ldl
// #include <dlfcn.h>
// void in_a(int n);
// void in_b(int n);
// static void *library;
// static void (*function)(int);
// static void *load(char *path, char *name) {
//	if (library) dlclose(library);
//	library = dlopen(path, RTLD_NOW);
//	return library ? *(void **)&function = dlsym(library, name) : 0;
// }
// static void in_library(int n) { function(n); }
// static double in_call(int n) {
//	double sum = 1;
//	for (int i = 0; i < n; i++) sum = sum * 1.0000001 + i / (sum + 1);
//	return sum;
// }
import "C"

import (
	"fmt"
	"os"
	"runtime/pprof"
	"syscall"
	"time"
)

// used is the processor's time that the program has had.
func used() time.Duration {
	var usage syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &usage); err != nil {
		panic(err)
	}
	return time.Duration(usage.Utime.Nano())
}

func profile(name string, does ...func(C.int)) {
	file, err := os.Create(name)
	if err == nil {
		err = pprof.StartCPUProfile(file)
	}
	if err != nil {
		panic(err)
	}
	for _, do := range does {
		for began := used(); used()-began < 300*time.Millisecond; {
			do(100_000)
		}
	}
	pprof.StopCPUProfile()
	file.Close()
}

func inA(n C.int)       { C.in_a(n) }
func inB(n C.int)       { C.in_b(n) }
func inLibrary(n C.int) { C.in_library(n) }
func inCall(n C.int)    { C.in_call(n) }

func load(library, function string) {
	if err := os.Rename(library, "live.so"); err != nil {
		panic(err)
	}
	at := C.load(C.CString("./live.so"), C.CString(function))
	if at == nil {
		panic("no " + function)
	}
	fmt.Println(at)
}

func main() {
	load("first.so", "alpha")
	profile("first.prof", inA, inB, inLibrary, inCall)
	load("second.so", "gamma")
	profile("second.prof", inLibrary)
}
