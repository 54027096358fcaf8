// Command sentfaults has somebody send what faults raise: in bursts, to a program that wants to be
// told; or by sigqueue, where C's handler has interrupted C, which ends the program.
package main

/*
#define _GNU_SOURCE
#include <pthread.h>
#include <signal.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

static void *sends(void *unused) {
	sigset_t all;
	sigfillset(&all);
	pthread_sigmask(SIG_BLOCK, &all, NULL);
	for (int i = 0; i < 20000; i++)
		kill(getpid(), SIGSEGV);
	return unused;
}
static pthread_t sender;
static void burst(void) { pthread_create(&sender, NULL, sends, NULL); }
static void over(void) { pthread_join(sender, NULL); }
static int add(int n) { return n + 1; }

static volatile int handled;
static void queues(int sig) {
	siginfo_t info;
	memset(&info, 0, sizeof info);
	info.si_code = SI_QUEUE;
	info.si_pid = getpid();
	syscall(SYS_rt_tgsigqueueinfo, getpid(), syscall(SYS_gettid), SIGSEGV, &info);
	handled = 1;
}
static pthread_t caller;
static volatile int spinning;
static void *interrupts(void *unused) {
	while (!spinning) {}
	pthread_kill(caller, SIGUSR1);
	return unused;
}
static void prepare(void) {
	struct sigaction act = {.sa_handler = queues, .sa_flags = SA_ONSTACK};
	sigaction(SIGUSR1, &act, NULL);
	caller = pthread_self();
	pthread_create(&sender, NULL, interrupts, NULL);
}
static int spins(void) {
	for (spinning = 1; !handled;) {}
	return handled;
}
*/
import "C"

import (
	"fmt"
	"os"
	"os/signal"
	"runtime"
	"syscall"
)

func main() {
	if os.Args[1] == "queued" {
		runtime.LockOSThread()
		defer func() { fmt.Println("recovered", recover()) }()
		C.prepare()
		fmt.Println(C.spins())
		return
	}
	told := make(chan os.Signal, 1)
	signal.Notify(told, syscall.SIGSEGV)
	C.burst()
	for range 1000000 {
		C.add(1)
	}
	<-told
	C.over()
	fmt.Println("told")
}
