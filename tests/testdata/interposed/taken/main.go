// Go or C takes SIGURG, the runtime's signal, for itself, in each way that there is. Then a
// collection wants a thread to stop on which C spins, which ends when Go has collected.
package main

/*
#cgo CFLAGS: -Wno-deprecated-declarations
#define _GNU_SOURCE
#include <pthread.h>
#include <signal.h>
#include <string.h>
#include <sys/wait.h>
#include <ucontext.h>
#include <unistd.h>

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

static volatile int came, most, nests; // how often, and how many handlers at most within each other

static void counts(int sig) {
	static volatile int depth;
	came++;
	if (++depth > most) most = depth;
	if (depth < 3 && nests) raise(sig);
	depth--;
}

static volatile int waited;
static void *interrupts(void *thread) { // until the wait is over: what was sent may come before it begins
	while (!waited) {
		usleep(20000);
		pthread_kill(*(pthread_t *)thread, SIGURG);
	}
	return NULL;
}

// waits returns how a wait ends that a signal comes to.
static int waits(void) {
	pthread_t self = pthread_self(), other;
	int ends[2];
	char c;
	if (pipe(ends) != 0) return -1;
	came = 0;
	pthread_create(&other, NULL, interrupts, &self);
	int result = (int)read(ends[0], &c, 1);
	waited = 1;
	pthread_join(other, NULL);
	return result;
}

static void by_child(void) { // which has this one's memory
	struct sigaction act = {.sa_handler = SIG_IGN};
	int status = -1, child = vfork();
	if (child == 0) {
		sigaction(SIGURG, &act, NULL);
		sigaction(SIGURG, NULL, &act);
		_exit(act.sa_handler == SIG_IGN ? 3 : 4);
	}
	while (waitpid(child, &status, 0) == -1) ;
	came = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

static void ours(int sig) { (void)sig; }
static void theirs(int sig) { (void)sig; }
static int at_once;
static void *takes_too(void *old) {
	struct sigaction act = {.sa_handler = theirs, .sa_flags = SA_ONSTACK};
	while (!__atomic_load_n(&at_once, __ATOMIC_ACQUIRE)) ;
	sigaction(SIGURG, &act, old);
	return NULL;
}
static void both(void) { // one of two finds what the other has installed
	struct sigaction act = {.sa_handler = ours, .sa_flags = SA_ONSTACK}, old, other;
	pthread_t thread;
	pthread_create(&thread, NULL, takes_too, &other);
	__atomic_store_n(&at_once, 1, __ATOMIC_RELEASE);
	sigaction(SIGURG, &act, &old);
	pthread_join(thread, NULL);
	sigaction(SIGURG, NULL, &act);
	came = (old.sa_handler == theirs) + (other.sa_handler == ours) * 2 == (act.sa_handler == ours ? 1 : 2);
	signal(SIGURG, SIG_DFL);
}

enum { SIGNAL, SSIGNAL, SYSV, SIGSET, SIGSET_DEFAULT, HOLD, IGNORE, INTERRUPT, ACTION, BLOCKS, DEFAULT, IGNORED, ONCE, NESTED, INTERRUPTS,
	CHILD, BOTH, MASK, WAYS };

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
		break;
	case DEFAULT: was = signal(SIGURG, SIG_DFL); break;
	case IGNORED: was = signal(SIGURG, SIG_IGN); break;
	case ONCE:
		act.sa_handler = counts;
		act.sa_flags |= SA_RESETHAND;
		sigaction(SIGURG, &act, NULL);
		raise(SIGURG), raise(SIGURG);
		break;
	case NESTED:
		act.sa_handler = counts;
		act.sa_flags |= SA_NODEFER;
		nests = 1;
		sigaction(SIGURG, &act, NULL);
		raise(SIGURG);
		break;
	case INTERRUPTS:
		act.sa_handler = counts;
		sigaction(SIGURG, &act, NULL);
		most = waits() == -1;
		came = 0;
		break;
	case CHILD: by_child(); break;
	case BOTH: both(); break;
	case MASK:
		sigaction(SIGURG, NULL, &act);
		sigdelset(&act.sa_mask, SIGUSR1);
		sigaction(SIGURG, &act, NULL);
		sigaction(SIGURG, NULL, &now);
		came = sigismember(&now.sa_mask, SIGUSR1);
	}
	sigaction(SIGURG, NULL, &now);
	pthread_sigmask(SIG_SETMASK, NULL, &mask);
	void *f = now.sa_handler;
	int what = f == (void *)SIG_DFL ? 0 : f == (void *)SIG_IGN ? 1 : f == (void *)SIG_HOLD ? 2 : f == (void *)handler ? 3 : 4;
	return (was != NULL) | what << 1 | sigismember(&mask, SIGURG) << 4 | (long)now.sa_flags << 8 |
		(long)came << 40 | (long)most << 48;
}
static long take_beside(int way) { // another thread that has just begun to spin
	while (!spins_now()) ;
	return take(way);
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
	run("beside", strconv.Itoa(C.DEFAULT))
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
		case "beside":
			go C.spin()
			seen = C.take_beside(C.int(way))
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
	if args[1] == "ignore" || args[0] != "go" && (way == C.SIGNAL || way == C.IGNORED) { // for good: through cgo, at cgo's cost
		before := runtime.NumCgoCall()
		for range 100 {
			C.spin()
		}
		fmt.Print(runtime.NumCgoCall()-before, " calls ")
	}
	child := exec.Command("grep", "SigIgn", "/proc/self/status")
	child.Stdout = os.Stdout
	child.Run()
}
