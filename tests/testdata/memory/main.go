// Looks at the memory of its own process while it runs in C, in each way that wherry
// has, and in Go.

package main

/*
#cgo LDFLAGS: -lpthread
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>
// Also what comes and goes between two looks is seen: from before main on,
// the kernel kills the process at a mapping that is writable and executable
// and at memory that becomes executable. (Not under qemu-user.)
#include "filter.h"
#ifdef FILTER
#include <stddef.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
__attribute__((constructor)) static void filter(void) {
	#define LOAD(field) BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, field))
	#define IF(value, then, otherwise) BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, value, then, otherwise)
	struct sock_filter rules[] = {
		LOAD(nr),
		IF(SYS_mmap, 0, 4),
		LOAD(args[2]), BPF_STMT(BPF_ALU | BPF_AND | BPF_K, PROT_WRITE | PROT_EXEC), IF(PROT_WRITE | PROT_EXEC, 6, 0),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
		IF(SYS_mprotect, 1, 0),
		IF(SYS_pkey_mprotect, 0, 2),
		LOAD(args[2]), BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, PROT_EXEC, 1, 0),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_KILL_PROCESS),
	};
	struct sock_fprog program = {sizeof rules / sizeof *rules, rules};
	if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) || prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program)) {
		perror("seccomp");
		_exit(9);
	}
}
#endif

// look returns 0 where no mapping is writable and executable and the stack that
// it runs on is not executable, and prints the mapping otherwise.
static int look(void) {
	char line[4352], perms[8];
	uintptr_t here = (uintptr_t)__builtin_frame_address(0);
	unsigned long low, high;
	int wrong = 0, stack = 0;
	FILE *f = fopen("/proc/self/maps", "r");
	if (!f) return 100;
	while (fgets(line, sizeof line, f)) {
		if (sscanf(line, "%lx-%lx %7s", &low, &high, perms) != 3) { wrong += 1000; continue; }
		int mine = here >= low && here < high;
		stack += mine;
		if (strchr(perms, 'x') && (strchr(perms, 'w') || mine || strstr(line, "[stack]"))) {
			printf("%s%s", mine ? "the stack in use: " : "", line);
			wrong++;
		}
	}
	fclose(f);
	return stack ? wrong : wrong + 200; // the kernel tells a mapping that changes meanwhile twice
}
static int lookCgo(void) { return look(); }
static int lookFast(void) { return look(); }
static int lookNoCallback(void) { return look(); }
extern int inGo(int);
static int lookReentrant(int depth) { int wrong = look(); wrong += inGo(depth); return wrong + look(); }
static void *threadMain(void *arg) { *(int *)arg = look() + inGo(0); return arg; }
static int lookThread(void) {
	pthread_t t;
	int wrong = 0;
	if (pthread_create(&t, 0, threadMain, &wrong)) return 300;
	pthread_join(t, 0);
	return wrong;
}
// The test's own faults: memory as it must not be, or only for a moment.
static int writable(void) { // between two pages of none, or qemu-user may show it as part of its neighbour
	char *p = mmap(0, 3 * 65536, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	return p == MAP_FAILED || mmap(p + 65536, 65536, PROT_READ | PROT_WRITE | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1,
		0) == MAP_FAILED;
}
static int becomes(void) {
	void *p = mmap(0, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	return mprotect(p, 4096, PROT_READ | PROT_EXEC) || munmap(p, 4096);
}
*/
import "C"

import (
	"fmt"
	"os"
	"sync"
	"time"
)

func wrong(what string, n C.int) {
	if n != 0 {
		fmt.Println(what, n)
	}
}

//export inGo
func inGo(depth C.int) C.int {
	wrong("fast in a callback", C.lookFast())
	if depth > 0 {
		return C.lookReentrant(depth - 1)
	}
	return C.lookCgo()
}

func round() {
	wrong("cgo", C.lookCgo())
	wrong("fast", C.lookFast())
	wrong("nocallback", C.lookNoCallback())
	wrong("reentrant", C.lookReentrant(3))
	wrong("C thread", C.lookThread())
	others() // packages callback and event, where the program has them
}

func main() {
	if len(os.Args) > 1 {
		wrong("fault", map[string]func() C.int{"writable": func() C.int { return C.writable() }, "becomes": func() C.int {
			return C.becomes()
		}}[os.Args[1]]())
	}
	wrong("before", C.lookCgo())
	round()
	var all sync.WaitGroup
	for range 8 {
		all.Add(1)
		go func() { defer all.Done(); round() }()
	}
	all.Wait()
	time.Sleep(10 * time.Millisecond)
	wrong("after", C.lookCgo())
	fmt.Println("looked")
}
