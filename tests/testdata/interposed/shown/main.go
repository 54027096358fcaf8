// What sigaction shows of each signal: while C runs, in a profile, and when a thread of C's has called
// Go back so often that it holds its P.
package main

/*
#define _GNU_SOURCE
#include <pthread.h>
#include <signal.h>
#include <stdio.h>

extern long next(long);

static void *calls(void *unused) {
	for (long i = 0; i < 20000; i++) next(i);
	return unused;
}
static void thread(void) {
	pthread_t t;
	pthread_create(&t, NULL, calls, NULL);
	pthread_join(t, NULL);
}

static void own(int sig) { (void)sig; }

// show says what is there.
static void show(void) {
	struct sigaction act;
	for (int sig = 1; sig < NSIG; sig++) {
		if (sigaction(sig, NULL, &act) != 0) continue;
		void *f = (void *)act.sa_handler;
		unsigned long mask = 0;
		for (int i = 1; i < NSIG; i++) mask |= (unsigned long)(sigismember(&act.sa_mask, i) == 1) << (i - 1);
		printf("%d: %s, flags %x, mask %lx\n", sig, f == (void *)SIG_DFL ? "default" : f == (void *)SIG_IGN ? "ignored" :
			f == (void *)own ? "own" : "handler", act.sa_flags, mask);
	}
	fflush(stdout);
}

static void put_back(void) {
	struct sigaction act;
	for (int sig = 1; sig < NSIG; sig++)
		if (sigaction(sig, NULL, &act) == 0 && sigaction(sig, &act, NULL) != 0 && sig != SIGKILL && sig != SIGSTOP) printf("%d\n", sig);
}

static void install(void) {
	struct sigaction act = {.sa_handler = own, .sa_flags = SA_ONSTACK | SA_NODEFER}, old;
	sigaddset(&act.sa_mask, SIGSEGV), sigaddset(&act.sa_mask, SIGALRM);
	sigaction(SIGUSR2, &act, &old);
	sigaction(SIGQUIT, &act, &old);
	signal(SIGHUP, SIG_IGN);
}
*/
import "C"

import (
	"io"
	"runtime"
	"runtime/pprof"
)

//export next
func next(n C.long) C.long { return n + 1 }

func main() {
	runtime.GOMAXPROCS(4)
	C.show()
	C.thread()
	C.show()
	pprof.StartCPUProfile(io.Discard)
	C.put_back()
	C.show()
	pprof.StopCPUProfile()
	C.install()
	C.show()
	C.put_back()
	C.show()
}
