package tests

import (
	"os"
	"strings"
	"testing"
)

// mapping looks at the memory of its own process while it runs in C, in each
// way that wherry has, and in Go.
const mapping = `package main

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

// look gives 0 where no mapping is writable and executable and the stack that
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
			return C.becomes() }}[os.Args[1]]())
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
`

const mappingPolicy = `example.com/m lookNoCallback nocallback
example.com/m lookReentrant reentrant
example.com/m lookCgo cgo
example.com/m lookThread cgo
`

// Packages callback and event in use, looked at from a Go func that C
// calls and from a thread that posts.
const mappingOthers = `package main

/*
#include "wherry_event.h"
static int each(void *f) { int (*call)(int) = (int (*)(int))f; return call(2); }
static int post(void *q) { int v = 7; return wherry_event_post(q, &v, sizeof v); }
*/
import "C"

import (
	"context"
	"time"

	"github.com/wherrygo/wherry/callback"
	"github.com/wherrygo/wherry/event"
)

func others() {
	f, err := callback.New(func(n int32) int32 { return int32(inGo(C.int(n))) })
	if err != nil {
		panic(err)
	}
	wrong("callback.New", C.each(f.Pointer()))
	f.Release()
	q, err := event.New(event.Options{})
	if err != nil {
		panic(err)
	}
	wrong("post", C.post(q.Pointer()))
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	if events, err := q.Batch(ctx); err != nil || len(events) != 1 {
		panic(err)
	}
	wrong("event", C.int(inGo(1)))
	q.Close()
}
`

// No memory is writable and executable, or becomes executable, and no C stack
// is executable: before, during and after calls in every mode, callbacks, C
// threads, the event queue and counting.
func TestNoWritableExecutableMemory(t *testing.T) {
	onEach(t, func(t *testing.T, on target) {
		m := newModule(t, map[string]string{"main.go": mapping, "others.go": "package main\n\nfunc others() {}\n",
			"filter.h": "", "wherry.policy": mappingPolicy}).on(on)
		if on.runner == nil {
			header, err := os.ReadFile("../event/wherry_event.h")
			if err != nil {
				t.Fatal(err)
			}
			m.write("wherry_event.h", string(header))
			m.write("others.go", mappingOthers)
			m.usesWherry()
			m.write("filter.h", "#define FILTER\n")
		}
		plain := m.run("go", "build", "-o", "plain")
		if plain.status != 0 {
			t.Fatalf("plain build: %s", plain.stderr)
		}
		rep := m.build("fast")
		for function, mode := range map[string]string{"lookFast": "fast", "lookNoCallback": "fast", "lookReentrant": "reentrant", "lookCgo": ""} {
			if got := rep.mode(function); got != mode {
				t.Fatalf("%s is %q, want %q: %s", function, got, mode, rep.why(function))
			}
		}
		for _, program := range []string{"./plain", "./fast"} {
			if r := m.program(program); r.status != 0 || r.stdout != "looked\n" {
				t.Errorf("%s: exit status %d\n%s%.2000s", program, r.status, r.stdout, r.stderr)
			}
		}
		if on.runner == nil {
			if r := m.run(wherry, "stat", "."); r.status != 0 || !strings.Contains(r.stdout, "looked\n") || strings.Count(r.stdout, "\n") != 1 {
				t.Errorf("stat: exit status %d\n%s%.2000s", r.status, r.stdout, r.stderr)
			}
		}
		// The test sees what it looks for.
		if on.runner != nil {
			contains(t, "a writable and executable page", m.program("./fast", "writable").stdout, "rwx", "fast 1", "after 1")
			return
		}
		for _, fault := range []string{"writable", "becomes"} {
			if r := m.program("./fast", fault); r.status == 0 || strings.Contains(r.stdout, "looked") {
				t.Errorf("%s: the kernel did not stop it: exit status %d\n%s", fault, r.status, r.stdout)
			}
		}
		m.write("filter.h", "")
		m.build("unfiltered")
		contains(t, "a writable and executable page", m.program("./unfiltered", "writable").stdout, "rwx", "fast 1", "after 1")
	})
}
