package tests

import "testing"

const repairedFaultGo = `package main

/*
#include <stddef.h>
#include <sys/mman.h>
struct pair { long a, b; };
typedef long (*back)(struct pair, long, long, long, long, long, long, long);
static char *page;
static char *mapped(void) { return page = mmap(NULL, 4096, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0); }
static long visit(void *f) {
	struct pair p = {1, 2};
	long n = ((back)f)(p, 1, 2, 3, 4, 5, 6, 7);
	page[5] = 1;
	return n + ((back)f)(p, 1, 2, 3, 4, 5, 6, 7);
}
*/
import "C"

import (
	"unsafe"

	"github.com/wherrygo/wherry/callback"
)

//wherry:reentrant visit

type pair struct{ a, b int64 }

var back, _ = callback.New(func(p pair, a, b, c, d, e, f, g int64) int64 { return p.a + p.b + g })

//export prepare
func prepare() unsafe.Pointer { return unsafe.Pointer(C.mapped()) }

//export run
func run() C.long { return C.visit(back.Pointer()) }

func main() {}
`

const repairedFaultHost = `//go:build ignore

#include <dlfcn.h>
#include <signal.h>
#include <stdio.h>
#include <sys/mman.h>
static char *page;
static struct sigaction old;
static void handler(int sig, siginfo_t *info, void *context) {
	char *at = info->si_addr;
	if (at >= page && at < page + 4096) mprotect(page, 4096, PROT_READ | PROT_WRITE);
	else old.sa_sigaction(sig, info, context);
}
int main(int argc, char **argv) {
	void *library = argc > 1 ? dlopen(argv[1], RTLD_NOW) : NULL;
	if (library == NULL) return 1;
	page = ((char *(*)(void))dlsym(library, "prepare"))();
	struct sigaction own = {.sa_sigaction = handler, .sa_flags = SA_SIGINFO | SA_ONSTACK};
	sigaction(SIGSEGV, &own, &old);
	printf("%ld\n", ((long (*)(void))dlsym(library, "run"))());
	return 0;
}
`

// A host's handler makes a fault good that C of a library has, on a C stack. What calls
// back then is still a call that may call back.
func TestCallbackAfterRepairedFault(t *testing.T) {
	onEach(t, func(t *testing.T, on target) {
		m := newModule(t, map[string]string{"lib.go": repairedFaultGo, "host.c": repairedFaultHost}).on(on)
		m.usesWherry()
		m.must(on.cc(), "-o", "host", "host.c", "-ldl")
		m.must("go", "build", "-buildmode=c-shared", "-o", "plain.so", ".")
		m.build("fast.so", "-buildmode=c-shared")
		for _, library := range []string{"./plain.so", "./fast.so"} {
			if got := m.mustProgram("./host", library).stdout; got != "20\n" {
				t.Errorf("%s: got %q, want 20", library, got)
			}
		}
	})
}
