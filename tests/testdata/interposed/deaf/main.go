// A goroutine and a thread of C's fight for a lock, which the thread holds while it calls Go, and nobody
// asks for the only P: C ignores SIGURG. The goroutine's calls may not wait with that P for the lock.
package main

/*
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <unistd.h>

extern void back(void);

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static sem_t semaphore;
static pthread_t thread;
static int ends;
static void *holds(void *unused) {
	while (!__atomic_load_n(&ends, __ATOMIC_SEQ_CST)) {
		if (pthread_mutex_trylock(&mutex) != 0)
			continue;
		if (sem_trywait(&semaphore) == 0) {
			back();
			sem_post(&semaphore);
		}
		pthread_mutex_unlock(&mutex);
		for (volatile int i = 0; i < 50; i++) {}
	}
	return unused;
}
static void begin(void) {
	alarm(60);
	signal(SIGURG, SIG_IGN);
	sem_init(&semaphore, 0, 1);
	pthread_create(&thread, NULL, holds, NULL);
}
static int end(void) {
	__atomic_store_n(&ends, 1, __ATOMIC_SEQ_CST);
	return pthread_join(thread, NULL);
}
static void lock(void) {
	pthread_mutex_lock(&mutex);
	pthread_mutex_unlock(&mutex);
}
static void wait(void) {
	sem_wait(&semaphore);
	sem_post(&semaphore);
}
*/
import "C"

import (
	"fmt"
	"runtime"
)

//export back
func back() {}

func main() {
	runtime.GOMAXPROCS(1)
	C.begin()
	for i := range 80_000 {
		C.lock()
		C.wait()
		if i%16 == 0 {
			runtime.Gosched()
		}
	}
	fmt.Println(C.end())
}
