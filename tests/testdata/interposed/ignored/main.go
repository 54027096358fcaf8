// Signals that Go ignores: before C is ready, or for a while. They come to C in calls, and to threads
// of C's between callbacks.
package main

/*
#include <pthread.h>
#include <signal.h>
#include <unistd.h>

extern long next(long);

static long compute(long n) {
	volatile long x = 0;
	for (long i = 0; i < n; i++) x += i % 7;
	raise(SIGURG);
	return x;
}

static void *calls(void *sig) {
	long sum = 0;
	for (long i = 0; i < 20000; i++) sum += next(i);
	pthread_kill(pthread_self(), *(int *)sig);
	for (long i = 0; i < 2000; i++) sum += next(i);
	return NULL;
}
static void thread(int sig) {
	pthread_t t;
	pthread_create(&t, NULL, calls, &sig);
	pthread_join(t, NULL);
}
*/
import "C"

import (
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"runtime"
	"runtime/pprof"
	"strings"
	"syscall"

	_ "example.com/m/early"
)

//export next
func next(n C.long) C.long { return n + 1 }

func main() {
	if len(os.Args) == 1 {
		for _, how := range []string{"IGNORED=none", "IGNORED=one", "IGNORED=all", "AGAIN=1"} {
			cmd := exec.Command(os.Args[0], how)
			cmd.Env = append(os.Environ(), how)
			text, err := cmd.CombinedOutput()
			fmt.Printf("%s: %s%v\n", how, text, err)
		}
		return
	}
	status, _ := os.ReadFile("/proc/self/status")
	for line := range strings.Lines(string(status)) {
		if strings.HasPrefix(line, "SigIgn") {
			fmt.Print(line)
		}
	}
	if os.Getenv("AGAIN") != "" {
		signal.Ignore(syscall.SIGABRT)
		signal.Notify(make(chan os.Signal, 1), syscall.SIGABRT, syscall.SIGQUIT)
		signal.Reset(syscall.SIGABRT)
		C.thread(C.SIGABRT)
		return
	}
	done := make(chan bool)
	go func() {
		for range 20 {
			C.compute(1_000_000)
		}
		done <- true
	}()
	var profile strings.Builder
	pprof.StartCPUProfile(&profile)
	for range 100 {
		runtime.GC()
	}
	<-done
	pprof.StopCPUProfile()
	C.thread(C.SIGURG)
	if os.Getenv("IGNORED") == "all" {
		syscall.Kill(os.Getpid(), syscall.SIGQUIT)
		signal.Notify(make(chan os.Signal, 1), syscall.SIGQUIT, syscall.SIGURG)
		syscall.Kill(os.Getpid(), syscall.SIGQUIT)
		C.compute(1_000_000)
	}
	fmt.Println("done")
}
