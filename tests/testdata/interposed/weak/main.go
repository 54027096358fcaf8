// The usual way to find out what the C library at hand has: weak references. Names of
// functions that wait, some of them in no C library.
package main

/*
#include <stdio.h>

#define ALL(f) f(pidfd_spawn) f(epoll_pwait2) f(thr_sleep) f(closefrom) f(arc4random_buf) f(openat2) f(lutimes) f(getdents) \
	f(fgetln) f(posix_close) f(__isoc23_fscanf) f(pthread_yield) f(sigvec) f(usleep) f(pthread_cond_clockwait) f(sem_clockwait)
#define DECLARE(name) extern char name __attribute__((weak));
ALL(DECLARE)

static void all(void) {
#define SHOW(name) printf(#name " %d\n", &name != NULL);
	ALL(SHOW)
	fflush(stdout);
}
*/
import "C"

func main() { C.all() }
