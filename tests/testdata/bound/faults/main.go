// Command faults has package direct call C whose faults a handler of C's own repairs that is older
// than Go's: Go hands on to it what happens in a call.
package main

/*
#include <setjmp.h>
#include <signal.h>
#include <stdint.h>

static __thread sigjmp_buf from;
static void leaves(int sig, siginfo_t *info, void *context) { siglongjmp(from, sig); }
__attribute__((constructor)) static void early(void) {
	struct sigaction act = {.sa_sigaction = leaves, .sa_flags = SA_SIGINFO | SA_ONSTACK};
	sigaction(SIGSEGV, &act, NULL);
}
static int32_t faults(int32_t at) {
	if (sigsetjmp(from, 1) != 0)
		return 1;
	return *(volatile int32_t *)(intptr_t)at & 0;
}
static void *address(void) { return (void *)faults; }
*/
import "C"

import (
	"fmt"

	"github.com/wherrygo/wherry/direct"
)

func main() {
	faults := direct.MustBind[func(int32) int32](C.address())
	n := int32(0)
	for range 100 {
		n += faults(8)
	}
	fmt.Println(n)
}
