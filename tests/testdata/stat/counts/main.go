package main

/*
#cgo LDFLAGS: -lpthread
#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <unistd.h>
struct pair { long a, b; };
static int byCgo(int a) { return a + 1; }
static int byFast(int a) { return a + 1; }
static int byNoCallback(int a) { return a + 1; }
static int long_(int us) { usleep(us); return us; }
static struct pair turn(struct pair p) { struct pair q = {p.b, p.a}; return q; }
static int fails(int n) { errno = n; return n; }
static int neverCalled(void) { return 0; }
extern int back(int);
extern struct pair backStruct(struct pair);
static int visits(int n) { int sum = 0; for (int i = 0; i < n; i++) sum += back(i); return sum; }
static int visitsByCgo(int n) { return visits(n); }
static long visitsStruct(int n) { struct pair p = {1, 2}; for (int i = 0; i < n; i++) p = backStruct(p); return p.a; }
static void *threadMain(void *n) { visits(*(int *)n); return 0; }
static void thread(int n) { pthread_t t; pthread_create(&t, 0, threadMain, &n); pthread_join(t, 0); }
*/
import "C"

import (
	"fmt"
	"os"
	"sync"
	"syscall"
	"time"
	"unsafe"
)

//wherry:fast byFast turn fails
//wherry:nocallback byNoCallback
//wherry:reentrant visits visitsStruct
//wherry:cgo byCgo visitsByCgo thread

//export back
func back(n C.int) C.int { return n }

//export backStruct
func backStruct(p C.struct_pair) C.struct_pair { return C.struct_pair{p.b, p.a} }

func main() {
	if len(os.Args) > 1 && os.Args[1] == "never" {
		C.neverCalled()
	}
	var all sync.WaitGroup
	for g := range 8 {
		all.Add(1)
		go func() {
			defer all.Done()
			for range 1000 * (g + 1) {
				C.byCgo(1)
				C.byFast(1)
				C.byFast(2)
				C.byNoCallback(1)
			}
		}()
	}
	all.Wait()
	for range 100 {
		C.turn(C.struct_pair{1, 2})
		C.fails(3)
		_, err := C.fails(4)
		if err == nil {
			panic("errno")
		}
		C.free(unsafe.Pointer(C.CString("x")))
		C.visits(7)
		C.visitsByCgo(5)
		C.visitsStruct(3)
		C.long_(500)
	}
	for range 10 {
		C.thread(2)
	}
	fmt.Println("done")
	if len(os.Args) > 1 {
		switch os.Args[1] {
		case "wait":
			time.Sleep(time.Minute)
			fmt.Println("ended by itself")
		case "exit":
			os.Exit(3)
		case "panic":
			panic("on purpose")
		case "kill":
			syscall.Kill(syscall.Getpid(), syscall.SIGKILL)
			time.Sleep(time.Minute)
		}
	}
}
