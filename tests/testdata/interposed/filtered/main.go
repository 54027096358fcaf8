// Calls that are turned by signals, in a process that the kernel ends at a system call that
// plain Go and the C library do not make: they read clocks without one.
package main

/*
#define _GNU_SOURCE
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

// without returns 0 when all threads of the process lack a system call.
static int without(int number) {
	struct sock_filter filter[] = {
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, number, 0, 1),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_KILL_PROCESS),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
	};
	struct sock_fprog program = {sizeof filter / sizeof filter[0], filter};
	prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
	return (int)syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, SECCOMP_FILTER_FLAG_TSYNC, &program);
}

static int clocks(void) { return without(SYS_clock_gettime); }

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
)

func main() {
	fmt.Println(C.clocks())
	go func() {
		for {
			runtime.GC() // stops the world
		}
	}()
	sum := C.long(0)
	for range 50 {
		sum += C.spin(5_000_000)
	}
	fmt.Println(sum)
}
