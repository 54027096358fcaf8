// Libraries that are preloaded see the calls of C that they see plainly.
package main

/*
#cgo LDFLAGS: -ldl -lpthread
#define _GNU_SOURCE
#include <dlfcn.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdio.h>
#include <time.h>
#include <unistd.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_rwlock_t rwlock = PTHREAD_RWLOCK_INITIALIZER;
static sem_t semaphore;

// locks takes free locks: each is what one of the libraries counts. Others of the
// process may count too, on other threads.
static int locks(void) {
	struct timespec soon;
	int failed = sem_init(&semaphore, 0, 10);
	clock_gettime(CLOCK_REALTIME, &soon);
	soon.tv_sec++;
	for (int i = 0; i < 10; i++) {
		failed |= pthread_mutex_lock(&mutex) | pthread_mutex_unlock(&mutex);
		failed |= pthread_mutex_timedlock(&mutex, &soon) | pthread_mutex_unlock(&mutex);
		failed |= pthread_rwlock_rdlock(&rwlock) | pthread_rwlock_unlock(&rwlock);
		failed |= pthread_rwlock_wrlock(&rwlock) | pthread_rwlock_unlock(&rwlock);
		failed |= sem_wait(&semaphore);
	}
	return failed;
}

static long reads(void) { char to; return read(-1, &to, 1); }
static long sleeps(void) { return usleep(7); }
static long streams(void) { FILE *f = fopen("/dev/zero", "r"); return f == NULL ? -1 : fgetc(f) + fclose(f); }

// seen is what a library says that it has seen on this thread, or -1.
static long seen(void) {
	long (*say)(void) = (long (*)(void))dlsym(RTLD_DEFAULT, "seen");
	return say != NULL ? say() : -1;
}

static long both(int *failed, long *result) {
	long before = seen();
	*failed = locks();
	*result = reads();
	return seen() - before;
}
*/
import "C"

import (
	"fmt"
	"os"
	"os/exec"
)

func main() {
	if len(os.Args) > 1 {
		var failed C.int
		var result C.long
		n := C.both(&failed, &result)
		fmt.Println("seen", n, "failed", failed, "read", result, "slept", C.sleeps(), "streamed", C.streams())
		return
	}
	for _, libraries := range []string{
		"", "./locks.so", "./tries.so", "./versioned.so", "./dlsym.so", "./versioned.so ./locks.so", "./tries.so ./dlsym.so",
		"./asks.so ./resolver.so", "./strings.so", "./streams.so", "./near1.so ./near2.so",
	} {
		cmd := exec.Command(os.Args[0], "once")
		cmd.Env = append(os.Environ(), "LD_PRELOAD="+libraries)
		cmd.Stdout, cmd.Stderr = os.Stdout, os.Stderr
		fmt.Printf("%q: ", libraries)
		if err := cmd.Run(); err != nil {
			fmt.Println(err)
		}
	}
}
