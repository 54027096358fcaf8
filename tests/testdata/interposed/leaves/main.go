// C that a goroutine calls ends its thread, in each way that there is. The goroutine never comes
// back, and others go on, also when the collector stops them.
package main

/*
#cgo LDFLAGS: -ldl
#include <dlfcn.h>
#include <pthread.h>
#include <semaphore.h>
#include <threads.h>
#include <unistd.h>

static int left;
static sem_t semaphore;
enum { EXIT, THRD_EXIT, CANCELED, CANCELED_WAITING, CANCELED_IN_LOCK, CANCELED_BY_OTHER, CANCELED_AT_ONCE, ALLOWED, ALLOWED_TO_OTHER, CANCELED_IN_FLIGHT, WAYS };
static void allow(void) { pthread_setcanceltype(PTHREAD_CANCEL_ASYNCHRONOUS, NULL); }
static int sent;
static int (*unseen)(sem_t *); // sem_wait, by which nobody sees that C waits
static void find(void) {
	unseen = (int (*)(sem_t *))dlsym(dlopen("libc.so.6", RTLD_LAZY), "sem_wait");
	sem_init(&semaphore, 0, 0);
}
static void *cancels_later(void *thread) {
	usleep(2000);
	pthread_cancel(*(pthread_t *)thread);
	return NULL;
}
static void *cancels(void *thread) {
	pthread_cancel(*(pthread_t *)thread);
	__atomic_store_n(&sent, 1, __ATOMIC_SEQ_CST);
	return NULL;
}
static void leave(int way) {
	pthread_t self = pthread_self(), other;
	left++;
	if (way == CANCELED_IN_FLIGHT) {
		if (unseen != NULL && pthread_create(&other, NULL, cancels_later, &self) == 0)
			unseen(&semaphore);
		return;
	}
	sem_init(&semaphore, 0, 1);
	if (way == CANCELED_AT_ONCE)
		allow();
	if (way == CANCELED_BY_OTHER || way == ALLOWED_TO_OTHER) {
		sent = pthread_create(&other, NULL, cancels, &self) != 0;
		while (!__atomic_load_n(&sent, __ATOMIC_SEQ_CST)) {}
	} else if (way >= CANCELED) {
		pthread_cancel(self);
	}
	switch (way) {
	case CANCELED_IN_LOCK: case CANCELED_BY_OTHER: sem_wait(&semaphore);
	case ALLOWED_TO_OTHER: for (;;) {}
	case EXIT: pthread_exit(NULL);
	case THRD_EXIT: thrd_exit(0);
	case CANCELED: pthread_testcancel();
	case CANCELED_WAITING: usleep(1);
	}
}
static int leaves(void) { return left; }
*/
import "C"

import (
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"strconv"
	"time"
)

func main() {
	if len(os.Args) > 1 {
		way, _ := strconv.Atoi(os.Args[1])
		leave(C.int(way))
		return
	}
	for way := range int(C.WAYS) {
		cmd := exec.Command(os.Args[0], strconv.Itoa(way))
		timer := time.AfterFunc(20*time.Second, func() { cmd.Process.Kill() })
		text, err := cmd.CombinedOutput()
		timer.Stop()
		fmt.Printf("%d: %s%v\n", way, text, err)
	}
}

func leave(way C.int) {
	times := 4
	if way == C.CANCELED_IN_FLIGHT { // only the first cancellation of a process asks for calls in flight
		times = 1
		C.find()
	}
	for i := range times {
		go func() {
			if i%2 == 1 {
				runtime.LockOSThread()
			}
			defer fmt.Println("a deferred function runs")
			if way == C.ALLOWED || way == C.ALLOWED_TO_OTHER { // in an earlier call
				runtime.LockOSThread()
				C.allow()
			}
			C.leave(way)
		}()
		for C.leaves() <= C.int(i) {
			time.Sleep(time.Millisecond)
		}
		time.Sleep(5 * time.Millisecond)
		runtime.GC()
	}
	fmt.Println(C.leaves(), "of", runtime.NumGoroutine())
}
