// Command oldest calls, waits, locks and calls back, and has a library ask what the C library has.
package main

/*
#cgo LDFLAGS: -ldl
#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

extern int inGo(int);

static int add(int a, int b) { return a + b; }
static int back(int n) { return inGo(n); }
static int waits(int n) { usleep(1000); return n; }

static int locks(int n) {
	static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
	pthread_mutex_lock(&lock);
	pthread_mutex_unlock(&lock);
	return n;
}

static void *thread(void *n) { return (void *)(long)inGo((int)(long)n); }

static int on_thread(int n) {
	pthread_t id;
	void *result;
	if (pthread_create(&id, NULL, thread, (void *)(long)n) != 0 || pthread_join(id, &result) != 0)
		abort();
	return (int)(long)result;
}

static void probes(const char *file) {
	void *library = dlopen(file, RTLD_NOW);
	if (library == NULL) {
		puts(dlerror());
		return;
	}
	((void (*)(void))dlsym(library, "probe"))();
	fflush(stdout);
}
*/
import "C"

import (
	"fmt"
	"os"
)

//export inGo
func inGo(n C.int) C.int { return n + 1 }

func main() {
	fmt.Println(C.add(1, 2), C.back(3), C.waits(4), C.locks(5), C.on_thread(6))
	C.probes(C.CString(os.Args[1]))
}
