// Command sampled is profiled where a handler must take care: on a thread with little of its stack
// left, where C has its alignment checked, and where the dynamic linker's lock is held.
package main

/*
#cgo CFLAGS: -D_GNU_SOURCE
#include <link.h>
#include <pthread.h>
#include <stddef.h>
#include <sys/mman.h>
#include <time.h>

void stop(void);

static volatile unsigned long sum;
static long now(void) {
	struct timespec t;
	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
	return t.tv_sec * 1000 + t.tv_nsec / 1000000;
}
static void computes(void) {
	for (long end = now() + 300; now() < end;)
		for (int i = 0; i < 100000; i++)
			sum += (unsigned)i;
}

enum { STACK = 32 << 10, LEFT = 5500, FENCE = 65536 };
static char *low;
__attribute__((noinline)) static void deep(void) {
	volatile char room[256];
	room[0] = 1;
	if ((char *)__builtin_frame_address(0) - low > LEFT + 512)
		deep();
	else
		computes();
	room[1] = room[0];
}
static void *little(void *unused) {
	deep();
	return unused;
}

static void *aligned(void *unused) {
#if defined(__x86_64__)
	__asm__ volatile("pushfq\n\torl $0x40000, (%%rsp)\n\tpopfq" ::: "memory", "cc");
	for (unsigned i = 0; i < 1000000000; i++)
		sum += i;
	__asm__ volatile("pushfq\n\tandl $~0x40000, (%%rsp)\n\tpopfq" ::: "memory", "cc");
#endif
	return unused;
}

static int on_thread(void *(*runs)(void *), int fenced) {
	pthread_attr_t attr;
	pthread_attr_init(&attr);
	if (fenced) {
		char *at = mmap(NULL, FENCE + STACK, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
		if (at == MAP_FAILED || mprotect(low = at + FENCE, STACK, PROT_READ | PROT_WRITE) != 0 ||
			pthread_attr_setstack(&attr, low, STACK) != 0)
			return 1;
	}
	pthread_t t;
	return pthread_create(&t, &attr, runs, NULL) != 0 || pthread_join(t, NULL) != 0;
}
static int with_little(void) { return on_thread(little, 1); }
static int with_alignment(void) { return on_thread(aligned, 0); }

static int of_object(struct dl_phdr_info *info, size_t size, void *unused) {
	stop();
	return 1;
}
static int with_lock(void) {
	computes();
	return dl_iterate_phdr(of_object, NULL) != 1;
}
*/
import "C"

import (
	"bytes"
	"fmt"
	"os"
	"runtime/pprof"
)

//export stop
func stop() { pprof.StopCPUProfile() }

func main() {
	if err := pprof.StartCPUProfile(new(bytes.Buffer)); err != nil {
		panic(err)
	}
	fmt.Println(map[string]func() C.int{
		"little":    func() C.int { return C.with_little() },
		"alignment": func() C.int { return C.with_alignment() },
		"lock":      func() C.int { return C.with_lock() },
	}[os.Args[1]]())
	pprof.StopCPUProfile()
}
