package main

/*
#cgo LDFLAGS: -ldl -lpthread
#define _GNU_SOURCE
#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

extern long goStep(long);
extern void goDo(void);

static long sum(long n) { volatile long s = 0; for (long i = 0; i < n; i++) s += i; return s; }
static void quit(int status) { exit(status); }
static void quitAtOnce(int status) { _exit(status); }
static int forkExit(int status) {
	int pid = fork(), got = 0;
	if (pid == 0) _exit(status);
	while (waitpid(pid, &got, 0) < 0 && errno == EINTR) {}
	return WEXITSTATUS(got);
}
static int forkExec(void) {
	int pid = fork(), got = 0;
	if (pid == 0) { execl("/bin/sh", "sh", "-c", "exit 9", (char *)0); _exit(127); }
	while (waitpid(pid, &got, 0) < 0 && errno == EINTR) {}
	return WEXITSTATUS(got);
}
static jmp_buf inside;
static void jump(int n) { if (n == 0) longjmp(inside, 5); jump(n - 1); }
static int jumps(int n) { int got = setjmp(inside); if (got == 0) jump(n); return got; }
static jmp_buf outside;
static int leaps(void) { int got = setjmp(outside); if (got == 0) goDo(); return got; }
static void leap(void) { longjmp(outside, 6); }
static void *library;
static int (*borrowed)(int);
static int load(char *path) { library = dlopen(path, RTLD_NOW); if (library) borrowed = (int (*)(int))dlsym(library, "borrowed");
	return borrowed != 0; }
static int callLibrary(int n) { return borrowed(n); }
static int unload(void) { return dlclose(library); }

// These call back.
static long visit(long n) { long s = 0; for (long i = 0; i < n; i++) s += goStep(i); return s; }
static void act(void) { goDo(); }
static void quitAfterCallback(int status) { goDo(); exit(status); }
static int forkAfterCallback(int status) { goDo(); return forkExit(status); }
static int jumpsAfterCallback(int n) { goDo(); return jumps(n) + (int)visit(2); }
static int libraryAfterCallback(int n) { goDo(); return borrowed(n); }

// A page that is not to be written, and a handler of C's own: it makes the fault
// good, as a library does that tracks writes, or leaps out with the mask as it is, as
// one does that tries what it may touch.
static char *page;
static struct sigaction goHandler;
static sigjmp_buf tried;
static int leaping;
static void onFault(int sig, siginfo_t *info, void *context) {
	if ((char *)info->si_addr != page) goHandler.sa_sigaction(sig, info, context);
	else if (leaping) siglongjmp(tried, 1);
	else mprotect(page, 1, PROT_READ | PROT_WRITE);
}
static void handle(void) {
	struct sigaction own = {.sa_sigaction = onFault, .sa_flags = SA_SIGINFO | SA_ONSTACK | SA_NODEFER};
	page = mmap(NULL, 1, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	sigaction(SIGSEGV, &own, &goHandler);
}
static void touch(int leap) {
	leaping = leap;
	mprotect(page, 1, PROT_READ);
	if (sigsetjmp(tried, 0) == 0) *(volatile char *)page = 1;
}
static void touchElsewhere(void) { touch(0); *(volatile char *)8 = 1; }
static void touchAfterCallback(int leap) { goDo(); touch(leap); goDo(); touch(leap); }
static void touchElsewhereAfterCallback(void) { goDo(); touchElsewhere(); }

static void bye(void) { fputs("exit handler\n", stdout); fflush(stdout); }
static void atExit(void) { atexit(bye); }

// stopper has a child stop and continue this process all the time.
static void stopper(int times) {
	int parent = getpid();
	if (fork() == 0) {
		for (int i = 0; i < times; i++) {
			if (kill(parent, SIGSTOP)) break;
			usleep(500);
			if (kill(parent, SIGCONT)) break;
			usleep(2000);
		}
		_exit(0);
	}
}

// storm sends signals to every thread, 10,000 in a second.
static volatile int storming = 1;
static void *storm(void *arg) {
	const int signals[] = {SIGURG, SIGPROF, SIGCHLD, SIGWINCH, SIGURG, SIGPROF, SIGIO};
	for (int i = 0; storming;) {
		DIR *d = opendir("/proc/self/task");
		for (struct dirent *e; d && (e = readdir(d));)
			if (atoi(e->d_name) > 0 && atoi(e->d_name) != syscall(SYS_gettid)) {
				syscall(SYS_tgkill, getpid(), atoi(e->d_name), signals[i++ % 7]);
				usleep(40); // and the kernel's 60 to wake up
			}
		if (d) closedir(d);
	}
	return arg;
}
static void startStorm(void) { pthread_t t; pthread_create(&t, 0, storm, 0); pthread_detach(t); }
static void endStorm(void) { storming = 0; }

// Counted by the pool itself, where there is one.
extern void _wherry_stack_count(long *, long *) __attribute__((weak, visibility("hidden")));
static long stacksInUse(void) {
	long mapped = 0, unused = 0;
	if (_wherry_stack_count) _wherry_stack_count(&mapped, &unused);
	return mapped - unused;
}
static long stacksMapped(void) {
	long mapped = 0, unused = 0;
	if (_wherry_stack_count) _wherry_stack_count(&mapped, &unused);
	return mapped;
}
*/
import "C"

import (
	"bytes"
	"fmt"
	"os"
	"runtime"
	"runtime/debug"
	"runtime/pprof"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"time"
)

//export goStep
func goStep(n C.long) C.long { return n + 1 }

var do = func() {}

//export goDo
func goDo() { do() }

func check(ok bool, what string, args ...any) {
	if !ok {
		panic("does not hold: " + fmt.Sprintf(what, args...))
	}
}

// work calls C, with and without callbacks, on several goroutines and checks every result.
func work(time_ time.Duration) {
	var all sync.WaitGroup
	end := time.Now().Add(time_)
	for range 4 {
		all.Add(1)
		go func() {
			defer all.Done()
			for n := 0; time.Now().Before(end); n++ {
				for range 50 {
					check(C.sum(1000) == 499500, "sum")
					check(C.visit(20) == 210, "visit")
				}
				if n%20 == 0 {
					runtime.GC()
				}
			}
		}()
	}
	all.Wait()
}

func memory() uint64 {
	text, _ := os.ReadFile("/proc/self/statm")
	pages, _ := strconv.ParseUint(strings.Fields(string(text))[0], 10, 64)
	return pages * uint64(os.Getpagesize())
}

func limit(what int, n uint64) {
	var old syscall.Rlimit
	check(syscall.Getrlimit(what, &old) == nil, "getrlimit")
	old.Cur = n
	if err := syscall.Setrlimit(what, &old); err != nil {
		panic(err)
	}
}

// inCallbacks has so many goroutines wait in a callback at once.
func inCallbacks(n int) {
	var inside, all sync.WaitGroup
	inside.Add(n)
	do = func() { inside.Done(); inside.Wait() }
	for range n {
		all.Add(1)
		go func() { defer all.Done(); C.act() }()
	}
	all.Wait()
}

//go:noinline
func deep(n int) int {
	var pad [512]byte
	pad[n%512] = 1
	if n == 0 {
		return 0
	}
	return deep(n-1) + int(pad[n%512])
}

var scenarios = map[string]func(){
	"no memory": func() {
		debug.SetGCPercent(-1)
		limit(syscall.RLIMIT_AS, memory()+100<<10)
		do = func() { // the call has the stack that is mapped at the start
			for range 3 {
				check(C.visit(3) == 6, "visit")
				check(C.stacksMapped() == 1, "%d C stacks are mapped", C.stacksMapped())
			}
			limit(syscall.RLIMIT_AS, ^uint64(0))
			check(C.visit(3) == 6, "visit, with memory again")
			check(C.stacksMapped() == 2, "%d C stacks are mapped, with memory again", C.stacksMapped())
		}
		C.act()
		work(100 * time.Millisecond)
	},
	"too many threads": func() { debug.SetMaxThreads(20); inCallbacks(50) },
	"no processes": func() {
		if os.Geteuid() == 0 { // root may have as many as it likes
			check(syscall.Setuid(54321) == nil, "setuid")
		}
		const nproc = 6
		limit(nproc, 8)
		inCallbacks(50)
	},
	"no files": func() {
		time.Sleep(time.Millisecond) // the runtime needs some for its timers
		limit(syscall.RLIMIT_NOFILE, 0)
		check(C.visit(20) == 210 && C.sum(1000) == 499500, "calls")
		_, err := os.Open("/dev/null")
		fmt.Println(err)
		work(100 * time.Millisecond)
	},
	"storm": func() {
		runtime.SetCPUProfileRate(10000)
		var profile bytes.Buffer
		check(pprof.StartCPUProfile(&profile) == nil, "profile")
		C.startStorm()
		work(2 * time.Second)
		C.endStorm()
		pprof.StopCPUProfile()
		check(profile.Len() > 1000, "the profile is empty")
	},
	"stopped":               func() { C.stopper(100); work(time.Second) },
	"fork":                  func() { fmt.Println(C.forkExit(3), C.forkExec(), C.forkAfterCallback(4)); work(50 * time.Millisecond) },
	"exit":                  func() { C.atExit(); C.visit(1); C.quit(5) },
	"_exit":                 func() { C.atExit(); C.visit(1); C.quitAtOnce(6) },
	"exit after a callback": func() { C.atExit(); C.quitAfterCallback(7) },
	"exit in a callback":    func() { C.atExit(); do = func() { C.quit(8) }; C.act() },
	"longjmp within C": func() {
		for range 1000 {
			check(C.jumps(10) == 5 && C.jumpsAfterCallback(10) == 8, "jumps")
		}
		work(50 * time.Millisecond)
	},
	"longjmp across Go": func() {
		do = func() { C.leap() }
		for range 100 {
			C.leaps()
		}
		work(50 * time.Millisecond)
	},
	"C's own handler": func() {
		C.handle()
		do = func() { check(deep(500) == 500, "deep") }
		for i := range C.int(100) {
			done := make(chan bool)
			go func() { // on a small stack
				C.touch(i % 2)
				C.touchAfterCallback(i % 2)
				check(deep(1000) == 1000, "deep")
				close(done)
			}()
			<-done
		}
	},
	"C's own handler, another fault": func() { C.handle(); C.touchAfterCallback(0); C.touchElsewhereAfterCallback() },
	"library": func() {
		check(C.load(C.CString(os.Args[2])) == 1, "dlopen")
		fmt.Println(C.callLibrary(1), C.libraryAfterCallback(2), C.unload())
		work(50 * time.Millisecond)
		check(C.load(C.CString(os.Args[2])) == 1, "dlopen again")
		fmt.Println(C.callLibrary(3), C.libraryAfterCallback(4), C.unload())
	},
	"closed library": func() {
		C.load(C.CString(os.Args[2]))
		fmt.Println(C.callLibrary(1), C.unload())
		C.callLibrary(2)
	},
	"closed library after a callback": func() {
		C.load(C.CString(os.Args[2]))
		fmt.Println(C.libraryAfterCallback(1), C.unload())
		C.libraryAfterCallback(2)
	},
	"leaks": func() {
		work(50 * time.Millisecond)
		goroutines := runtime.NumGoroutine()
		for range 200 {
			for _, leave := range []func(){func() {}, runtime.Goexit, func() { panic("leave") }} {
				do = leave
				done := make(chan bool)
				go func() {
					defer close(done)
					defer func() { recover() }()
					C.act()
				}()
				<-done
			}
		}
		for i := 0; runtime.NumGoroutine() > goroutines && i < 1000; i++ {
			time.Sleep(time.Millisecond)
		}
		// Fewer, if one of work's was still ending when they were counted.
		check(runtime.NumGoroutine() <= goroutines, "%d goroutines leaked", runtime.NumGoroutine()-goroutines)
		check(C.stacksInUse() == 0, "%d C stacks leaked", C.stacksInUse())
		tasks, _ := os.ReadDir("/proc/self/task")
		check(len(tasks) < 50, "%d threads", len(tasks))
	},
}

func main() {
	runtime.GOMAXPROCS(4)
	scenarios[os.Args[1]]()
	os.Stdout.WriteString("ok\n")
}
