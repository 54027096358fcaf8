// Go or C takes SIGURG, the runtime's signal, for itself, in each way that there is. Then a
// collection wants a thread to stop on which C spins, which ends when Go has collected.
package main

/*
#cgo CFLAGS: -Wno-deprecated-declarations
#define _GNU_SOURCE
#include <pthread.h>
#include <signal.h>
#include <string.h>
#include <ucontext.h>

static int spinning, released;
static void release(void) { __atomic_store_n(&released, 1, __ATOMIC_RELEASE); }
static int spins_now(void) { return __atomic_load_n(&spinning, __ATOMIC_ACQUIRE); }
static void spin(void) {
	__atomic_store_n(&spinning, 1, __ATOMIC_RELEASE);
	while (!__atomic_load_n(&released, __ATOMIC_ACQUIRE)) ;
}

static void handler(int sig) { (void)sig; }
static void blocks(int sig, siginfo_t *info, void *context) {
	(void)sig, (void)info;
	sigfillset(&((ucontext_t *)context)->uc_sigmask);
}

enum { SIGNAL, SSIGNAL, SYSV, SIGSET, SIGSET_DEFAULT, HOLD, IGNORE, INTERRUPT, ACTION, BLOCKS, WAYS };

// take returns what C sees of the signal then.
static long take(int way) {
	struct sigaction act = {.sa_handler = handler, .sa_flags = SA_ONSTACK}, now;
	void *was = NULL;
	sigset_t mask;
	switch (way) {
	case SIGNAL: was = signal(SIGURG, handler); break;
	case SSIGNAL: was = ssignal(SIGURG, handler); break;
	case SYSV: was = sysv_signal(SIGURG, handler); break;
	case SIGSET: was = sigset(SIGURG, handler); break;
	case SIGSET_DEFAULT: was = sigset(SIGURG, SIG_DFL); break;
	case HOLD: was = sigset(SIGURG, SIG_HOLD); break;
	case IGNORE: sigignore(SIGURG); break;
	case INTERRUPT: siginterrupt(SIGURG, 1); break;
	case ACTION: sigaction(SIGURG, &act, NULL); break;
	case BLOCKS:
		act.sa_sigaction = blocks;
		act.sa_flags |= SA_SIGINFO;
		sigaction(SIGUSR1, &act, NULL);
		pthread_kill(pthread_self(), SIGUSR1);
	}
	sigaction(SIGURG, NULL, &now);
	pthread_sigmask(SIG_SETMASK, NULL, &mask);
	void *f = now.sa_handler;
	int what = f == (void *)SIG_DFL ? 0 : f == (void *)SIG_IGN ? 1 : f == (void *)SIG_HOLD ? 2 : f == (void *)handler ? 3 : 4;
	return (was != NULL) | what << 1 | sigismember(&mask, SIGURG) << 4 | (long)now.sa_flags << 8;
}
static long take_and_spin(int way) {
	long seen = take(way);
	spin();
	return seen;
}
*/
import "C"

import (
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"runtime"
	"strconv"
	"syscall"
	"time"
)

func main() {
	if len(os.Args) > 1 {
		take(os.Args[1:])
		return
	}
	for _, call := range []string{"before", "in"} {
		for way := range C.int(C.WAYS) {
			run(call, strconv.Itoa(int(way)))
		}
	}
	run("go", "ignore")
	run("go", "reset")
	run("go", "notify")
}

// run runs a way, again where it dies: what signal installs may come on a goroutine's stack,
// which plain programs do not always survive.
func run(call, way string) {
	var text []byte
	var err error
	for range 3 {
		cmd := exec.Command(os.Args[0], call, way)
		timer := time.AfterFunc(20*time.Second, func() { cmd.Process.Kill() })
		text, err = cmd.CombinedOutput()
		if timer.Stop(); err == nil {
			break
		}
	}
	fmt.Printf("%s %s: %s%v\n", call, way, text, err)
}

func take(args []string) {
	done := make(chan C.long)
	way, _ := strconv.Atoi(args[1])
	runtime.GC() // so that signals have been sent
	go func() {
		runtime.LockOSThread()
		defer runtime.UnlockOSThread()
		seen := C.long(0)
		switch args[0] {
		case "in":
			seen = C.take_and_spin(C.int(way))
		case "before":
			seen = C.take(C.int(way))
			C.spin()
		case "go":
			if args[1] == "notify" {
				signal.Notify(make(chan os.Signal, 9), syscall.SIGURG)
			} else {
				signal.Ignore(syscall.SIGURG)
			}
			if args[1] == "reset" {
				signal.Reset(syscall.SIGURG)
			}
			C.spin()
		}
		done <- seen
	}()
	for C.spins_now() == 0 {
		time.Sleep(time.Millisecond)
	}
	for range 3 {
		time.Sleep(time.Millisecond)
		runtime.GC()
	}
	C.release()
	fmt.Printf("%#x ", <-done)
}
