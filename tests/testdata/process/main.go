package main

/*
#include <signal.h>
#include <unistd.h>
static int twice(int n) { return 2 * n; }
static int sum(int n) { int s = 0; while (n > 0) s += n--; return s; }
static int waits(int us) { usleep(us); return us; }
extern int inGo(int);
static int back(int n) { return inGo(n); }

// Handlers of the program's own, each for one signal, of both kinds.
static volatile int seen[65];
static void onFPE(int sig) { seen[sig] += sig == SIGFPE; }
static void onBUS(int sig) { seen[sig] += sig == SIGBUS; }
static void onSEGV(int sig, siginfo_t *info, void *context) { seen[sig] += sig == SIGSEGV && info->si_signo == sig && context != 0; }
static void set(void) {
	struct sigaction fpe = {.sa_handler = onFPE, .sa_flags = SA_ONSTACK}, bus = {.sa_handler = onBUS, .sa_flags = SA_ONSTACK},
		segv = {.sa_sigaction = onSEGV, .sa_flags = SA_ONSTACK | SA_SIGINFO};
	sigaction(SIGFPE, &fpe, 0);
	sigaction(SIGBUS, &bus, 0);
	sigaction(SIGSEGV, &segv, 0);
}
static int own(int sig) {
	struct sigaction now;
	sigaction(sig, 0, &now);
	return now.sa_handler == onFPE || now.sa_handler == onBUS || now.sa_sigaction == onSEGV;
}
static int heard(int sig) { int before = seen[sig]; raise(sig); return seen[sig] - before; }
*/
import "C"

import (
	"fmt"
	"os"
)

//wherry:nocallback twice
//wherry:reentrant back
//wherry:cgo set own heard

//export inGo
func inGo(n C.int) C.int { return n + 1 }

func recovers() (ok bool) {
	defer func() { ok = recover() != nil }()
	var nothing *int
	*nothing = 1
	return
}

func handlers() {
	if len(os.Args) == 1 {
		fmt.Println("recovers:", recovers())
		return
	}
	for _, sig := range []C.int{C.SIGSEGV, C.SIGBUS, C.SIGFPE} {
		fmt.Printf("own: %d, heard: %d\n", C.own(sig), C.heard(sig))
	}
}

func main() {
	if len(os.Args) > 1 {
		C.set()
	}
	C.twice(1)
	C.waits(20000)
	C.sum(10)
	handlers()
	os.Stdout.WriteString("now reentrant\n")
	C.back(1)
	os.Stdout.WriteString("again\n")
	C.back(1)
	handlers()
}
