// C blocks SIGURG, by which the runtime asks for a thread, in some way, and Go goes on on its thread, in a
// callback or after the call. There it calls C that spins until Go has collected garbage.
package main

/*
#define _GNU_SOURCE
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <sys/syscall.h>
#include <unistd.h>

#pragma GCC diagnostic ignored "-Wdeprecated-declarations"

extern int sighold(int); // which <signal.h> has for X/Open only

extern void goOn(int);
enum { SPINS, RETURNS, PANICS };
static void (*volatile hook)(int); // so that nobody sees that it calls back

static int is_blocked(void) {
	sigset_t now;
	pthread_sigmask(SIG_BLOCK, NULL, &now);
	return sigismember(&now, SIGURG);
}

// critical blocks all signals around a part that calls its hook. It returns what is wrong.
static const char *critical(int how) {
	sigset_t all, old;
	sigfillset(&all);
	hook = goOn;
	pthread_sigmask(SIG_BLOCK, &all, &old);
	for (int i = 0; i < 2; i++) {
		hook(how);
		if (!is_blocked())
			return "a callback has unblocked it";
	}
	pthread_sigmask(SIG_SETMASK, &old, NULL);
	return "";
}

static void *run(void *wrong) {
	hook = goOn;
	hook(RETURNS); // the first one: the runtime unblocks SIGURG
	*(const char **)wrong = critical(SPINS);
	return NULL;
}
static const char *on_thread(void) {
	pthread_t t;
	const char *wrong = "no thread";
	pthread_create(&t, NULL, run, &wrong);
	pthread_join(t, NULL);
	return wrong;
}

// by_cgo is called through cgo, where nobody could unblock it at the end.
static void by_cgo(void) {
	sigset_t all;
	sigfillset(&all);
	pthread_sigmask(SIG_BLOCK, &all, NULL);
}

static void hold(void) { sighold(SIGURG); }
static void block(void) { sigblock(-1); }
static void mask(void) { sigsetmask(-1); }

// lets_signals_come reports whether another signal may come while SIGURG's handler runs: where a call is
// turned there, that would run where the turning does.
static int lets_signals_come(void) {
	const unsigned long never = 1ul << (SIGKILL - 1) | 1ul << (SIGSTOP - 1);
	struct { unsigned long handler, flags, restorer, mask; } now;
	return syscall(SYS_rt_sigaction, SIGURG, NULL, &now, 8) != 0 || (now.mask | never) != ~0ul;
}

static atomic_int flag;
static void set(int to) { flag = to; }
static int spins(void) {
	while (!flag) {}
	return 7;
}
*/
import "C"

import (
	"fmt"
	"os"
	"runtime"
	"time"
)

func spin() {
	C.set(0)
	go func() {
		time.Sleep(5 * time.Millisecond)
		runtime.GC()
		C.set(1)
	}()
	fmt.Println(C.spins())
}

//export goOn
func goOn(how C.int) {
	switch how {
	case C.SPINS:
		spin()
	case C.PANICS:
		panic("out of C")
	}
}

func main() {
	runtime.LockOSThread()
	way := os.Args[1]
	switch way {
	case "callback":
		fmt.Print(C.GoString(C.critical(C.SPINS)))
	case "panic":
		func() {
			defer func() { recover() }()
			C.critical(C.PANICS)
		}()
		C.by_cgo() // not in the call that was left
	case "thread":
		fmt.Print(C.GoString(C.on_thread()))
	case "sighold":
		C.hold()
	case "sigblock":
		C.block()
	case "sigsetmask":
		C.mask()
	case "handler":
		fmt.Print(map[C.int]string{1: "SIGURG's handler can be interrupted\n"}[C.lets_signals_come()])
	}
	spin()
}
