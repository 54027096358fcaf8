package tests

import (
	"fmt"
	"runtime"
	"strings"
	"testing"
)

// In a library for a host only the library's own calls of the C library come to wherry. What
// waits in another library, or behind a pointer of the host's, sees no signal of the runtime's.
func TestWaitsOfOthersInSharedLibrary(t *testing.T) {
	t.Parallel()
	needsFastPath(t)
	m := testdata(t, "eintr")
	m.must("gcc", "-shared", "-fPIC", "-o", "libwaits.so", "-x", "c", "waits.txt")
	m.env = []string{"CGO_LDFLAGS_ALLOW=.*"}
	rep := m.build("libm.so", "-buildmode=c-shared")
	if why := rep.why("pointer0"); rep.mode("by_libc") != "fast" || rep.mode("link0") != "" || rep.mode("pointer0") != "" ||
		!strings.Contains(why, "nothing turns the call before code of others waits") {
		t.Errorf("got fast functions %q, pointer0 is not because %q", rep.fast(), why)
	}
	m.must("gcc", "-o", "host", "-x", "c", "host.txt", "-x", "none", "./libm.so", "-L.", "-lwaits", "-Wl,-rpath,$ORIGIN")
	interrupted := -1
	if fmt.Sscanf(m.mustProgram("./host").stdout, "interrupted %d", &interrupted); interrupted < 0 || interrupted > 3 {
		t.Errorf("%d of 12 functions were interrupted; with plain cgo hardly one is", interrupted)
	}
}

// Where C blocks the runtime's signal, Go code that its thread runs next can be asked for all the same:
// in a callback, also of a thread that C created, after a panic that has left C, and after the call. And
// while SIGURG's handler turns a call no signal comes, the C library's own neither.
func TestGoRunsUnblocked(t *testing.T) {
	t.Parallel()
	needsFastPath(t)
	m := testdata(t, "blocked")
	m.build("fast")
	for way, spins := range map[string]int{"callback": 3, "thread": 3, "panic": 1,
		"sighold": 1, "sigblock": 1, "sigsetmask": 1, "handler": 1} {
		t.Run(way, func(t *testing.T) {
			on := &module{t: t, dir: m.dir, env: m.env}
			if got := on.mustProgram("./fast", way).stdout; got != strings.Repeat("7\n", spins) {
				t.Errorf("got %q, want 7 in %d lines", got, spins)
			}
		})
	}
}

// Where others have blocked the runtime's signal or taken it, and nothing of wherry's stands before
// that, C that waits for Go in a loop is called through cgo: nobody could turn its call.
func TestSpinsWhereSignalsAreBlocked(t *testing.T) {
	t.Parallel()
	needsFastPath(t)
	m := testdata(t, "spins")
	ends := func(name string, args ...string) {
		t.Helper()
		if got := m.mustProgram(name, args...).stdout; got != "7\n7\n7\n" {
			t.Errorf("%s %q: got %q, want 7 three times", name, args, got)
		}
	}
	for _, flags := range [][]string{nil, {"-ldflags=-extldflags=-static"}} {
		m.build("spins", flags...)
		ends("./spins")
	}
	for _, mode := range []string{"c-shared", "c-archive"} {
		library, links := "libspins.so", []string{"./libspins.so"}
		if mode == "c-archive" {
			library, links = "libspins.a", []string{"libspins.a", "-pthread"}
		}
		rep := m.build(library, "-buildmode="+mode)
		why := rep.why("spins")
		if rep.mode("spins") != "" || rep.mode("set") != "fast" || !strings.Contains(why, "may wait for another thread") {
			t.Errorf("%s: got fast functions %q, spins is not because %q", mode, rep.fast(), why)
		}
		m.must("gcc", append([]string{"-o", "host", "-x", "c", "host.txt", "-x", "none"}, links...)...)
		ends("./host", "blocks")
		ends("./host", "takes")
	}
}

// C that grows its stack by itself (gcc -fsplit-stack) keeps in mind where its thread's is.
func TestSplitStack(t *testing.T) {
	t.Parallel()
	needsFastPath(t)
	if runtime.GOARCH != "amd64" {
		t.Skip("gcc has -fsplit-stack for amd64")
	}
	m := testdata(t, "splitstack")
	m.env = []string{"CGO_CFLAGS=-O2 -fsplit-stack", "CGO_CFLAGS_ALLOW=.*"}
	m.likePlain()
}

// C may have the processor check the alignment of what it reads; Go's handlers read as they like.
func TestAlignmentCheck(t *testing.T) {
	t.Parallel()
	needsFastPath(t)
	if runtime.GOARCH != "amd64" {
		t.Skip("only amd64 lets programs switch that check on")
	}
	testdata(t, "alignmentcheck").likePlain()
}
