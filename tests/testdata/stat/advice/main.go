package main

/*
#cgo LDFLAGS: -lpthread
#cgo CFLAGS: -D_GNU_SOURCE
#include <pthread.h>
#include <stdlib.h>
extern int back(int);
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int named(int n) { return n + 1; }
static int quick(int n) { return n + 1; }
static int seldom(int n) { return n + 1; }
static int visits(int n) {
	static char *volatile p;
	p = malloc(n);
	pthread_mutex_lock(&lock);
	n = back(n);
	pthread_mutex_unlock(&lock);
	free(p);
	return n;
}
static int (*volatile hidden)(int) = back;
static int indirect(int n) { return hidden(n); }
static long raw(void) {
#if defined(__x86_64__)
	long r = 39;
	__asm__ volatile("syscall" : "+a"(r) :: "rcx", "r11", "memory");
#else
	register long r __asm__("x0"), nr __asm__("x8") = 172;
	__asm__ volatile("svc #0" : "=r"(r) : "r"(nr) : "memory");
#endif
	return r;
}
static int asks(void) { pthread_attr_t a; return pthread_getattr_np(pthread_self(), &a); }
*/
import "C"

import "os"

//export back
func back(n C.int) C.int { return n }

func main() {
	if len(os.Args) > 1 {
		C.asks()
	}
	C.seldom(1)
	for range 500_000 {
		C.named(1)
		C.quick(1)
		C.visits(1)
		C.indirect(1)
		C.raw()
	}
}
