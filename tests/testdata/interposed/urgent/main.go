// C blocks SIGURG, which is the runtime's signal too, and takes it by waiting for it.
package main

/*
#define _GNU_SOURCE
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <sys/signalfd.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

enum { TIMED, INFO, WAIT, DESCRIPTOR, POLLED, WAYS };

static void *sends(void *thread) {
	usleep(20000);
	pthread_kill(*(pthread_t *)thread, SIGURG);
	return NULL;
}

// takes returns the signal that it has waited for: one that has come before, or comes later.
static int takes(int way, int later) {
	sigset_t urgent, old, now;
	siginfo_t info = {0};
	struct timespec second = {1, 0};
	pthread_t self = pthread_self(), other;
	int got = -1;
	sigemptyset(&urgent);
	sigaddset(&urgent, SIGURG);
	pthread_sigmask(SIG_BLOCK, &urgent, &old);
	pthread_sigmask(SIG_BLOCK, NULL, &now);
	if (!sigismember(&now, SIGURG) || sigismember(&old, SIGURG))
		return -2;
	if (later)
		pthread_create(&other, NULL, sends, &self);
	else
		pthread_kill(self, SIGURG);
	if (way == TIMED) {
		got = sigtimedwait(&urgent, &info, &second);
	} else if (way == INFO) {
		got = sigwaitinfo(&urgent, &info);
	} else if (way == WAIT) {
		sigwait(&urgent, &got);
	} else {
		struct signalfd_siginfo from = {0};
		int descriptor = signalfd(-1, &urgent, 0);
		struct pollfd poller = {descriptor, POLLIN, 0};
		if (way != POLLED || poll(&poller, 1, 1000) == 1)
			got = read(descriptor, &from, sizeof from) == sizeof from ? (int)from.ssi_signo : -3;
		close(descriptor);
	}
	if (later)
		pthread_join(other, NULL);
	pthread_sigmask(SIG_SETMASK, &old, NULL);
	return got == SIGURG;
}

static long spin(long n) {
	volatile long x = 0;
	for (long i = 0; i < n; i++)
		x += i;
	return n;
}
*/
import "C"

import (
	"fmt"
	"runtime"
	"time"
)

func main() {
	stop := make(chan bool)
	go func() {
		for {
			select {
			case <-stop:
				return
			default:
				runtime.GC()
				time.Sleep(time.Millisecond)
			}
		}
	}()
	for way := range C.int(C.WAYS) {
		for round := range C.int(6) {
			fmt.Println(way, C.takes(way, round%2))
			C.spin(1_000_000)
		}
	}
	// Whoever waits in each call comes to be called otherwise.
	taken := C.int(0)
	for range 100 {
		taken += C.takes(C.TIMED, 0)
	}
	fmt.Println("taken", taken)
	stop <- true
}
