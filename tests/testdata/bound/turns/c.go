// C that waits until so many threads are in it, or until Go says go on: only a call
// that became a cgo call while it ran ever ends.

package main

/*
#cgo LDFLAGS: -lpthread
#include <errno.h>
#include <pthread.h>
#include <stddef.h>
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int inside, most, opened;
static volatile int stop;

// waits returns when open has been called.
static void waits(void) {
	pthread_mutex_lock(&lock);
	if (++inside > most)
		most = inside;
	pthread_cond_broadcast(&changed);
	while (!opened)
		pthread_cond_wait(&changed, &lock);
	inside--;
	pthread_mutex_unlock(&lock);
}
static void await(int n) { // n threads wait
	pthread_mutex_lock(&lock);
	while (inside < n)
		pthread_cond_wait(&changed, &lock);
	pthread_mutex_unlock(&lock);
}
static void set(int open) {
	pthread_mutex_lock(&lock);
	opened = open;
	pthread_cond_broadcast(&changed);
	pthread_mutex_unlock(&lock);
}
static int gate(int n) { waits(); return n + 1; }
static int spins(int n) { while (!stop) ; return n + 1; }
static void stops(void) { stop = 1; }
static int fails(int error) { waits(); errno = error; return -1; }
extern int goBack(int);
static int (*back)(int) = goBack;
static void backBy(void *f) { back = f; }
static int calls(int n) { int i, s = 0; for (i = 0; i < n; i++) s += back(i); return s; }

static long sum(const unsigned char *p, long n) { long s = 0; while (n--) s += *p++; return s; }
static long one(const unsigned char *p, int n) { waits(); return sum(p, n); }
static long last(int a, double x, long b, long c, long d, const unsigned char *p) {
	waits(); return a + (long)x + b + c + d + sum(p, 1000); }
static long mixed(signed char a, const unsigned char *p, long n, short b, const unsigned char *q, long m) {
	waits(); return a + b + sum(p, n) + sum(q, m); }
static long ninth(long a, long b, long c, long d, long e, long f, long g, const unsigned char *p, long n) {
	waits(); return a + b + c + d + e + f + g + sum(p, n); }
struct pair { const unsigned char *p; long n; };
static long paired(struct pair s) { waits(); return sum(s.p, s.n); }
static void *address(int i) {
	void *all[] = {gate, spins, fails, calls, one, last, mixed, ninth, paired};
	return all[i];
}
*/
import "C"

import (
	"runtime"
	"unsafe"
)

func at(i int) unsafe.Pointer { return C.address(C.int(i)) }
func open(is bool) {
	n := 0
	if is {
		n = 1
	}
	C.set(C.int(n))
}
func await(n int)             { C.await(C.int(n)) }
func stops()                  { C.stops() }
func backBy(f unsafe.Pointer) { C.backBy(f) }

//export goBack
func goBack(n C.int) C.int { return C.int(goes(int32(n))) }

func goes(n int32) int32 {
	if n%100 == 0 {
		deep(300)
		runtime.GC()
	}
	return n
}

//go:noinline
func deep(n int) int {
	var room [300]byte
	room[n%300] = 1
	if n == 0 {
		return int(room[0])
	}
	return deep(n-1) + int(room[1])
}
