package main

/*
#define _GNU_SOURCE
#include <pthread.h>
#include <signal.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

extern int next(int);

static int add(int a, int b) { return a + b; }
static int nap(int us) { usleep(us); return us; }
static unsigned compute(unsigned n) { unsigned s = 0; while (n--) s = s * 3 + n; return s; }
static int visit(int n) { int sum = 0; for (int i = 0; i < n; i++) sum += next(i); return sum; }

static volatile int came;
static void own(int sig) { (void)sig; came = 1; }

// replace installs a handler of SIGURG by the system call, which no library sees.
static int replace(void) {
	struct { void *handler; unsigned long flags; void *restorer; unsigned long mask[2]; } action;
	memset(&action, 0, sizeof action);
	if (syscall(SYS_rt_sigaction, SIGURG, 0, &action, 8) != 0) return -1;
	action.handler = own;
	action.flags &= ~(unsigned long)SA_SIGINFO;
	if (syscall(SYS_rt_sigaction, SIGURG, &action, 0, 8) != 0) return -1;
	raise(SIGURG);
	return came;
}

static void *calls_go(void *n) {
	long sum = 0;
	for (int i = 0; i < 20000; i++) sum += next(i) - i;
	*(long *)n = sum;
	return n;
}
static long thread(void) { // calls Go so often that it would hold its P
	long sum = 0;
	pthread_t t;
	if (pthread_create(&t, 0, calls_go, &sum) != 0) return -1;
	pthread_join(t, 0);
	return sum;
}
*/
import "C"

import (
	"fmt"
	"runtime"
	"sync"
)

//export next
func next(n C.int) C.int { return n + 1 }

func work(rounds int) {
	var all sync.WaitGroup
	for range 4 {
		all.Add(1)
		go func() {
			defer all.Done()
			for i := range rounds {
				if C.add(C.int(i), 1) != C.int(i+1) || C.nap(20) != 20 || C.visit(3) != 6 {
					panic("wrong")
				}
				C.compute(10000)
				if i%20 == 0 {
					runtime.GC()
				}
			}
		}()
	}
	all.Wait()
	if sum := C.thread(); sum != 20000 {
		panic(sum)
	}
}

func main() {
	work(100)
	fmt.Println("replaced", C.replace())
	work(200)
	fmt.Println("done")
}
