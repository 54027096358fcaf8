package tests

import (
	"fmt"
	"runtime"
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
	m.build("libm.so", "-buildmode=c-shared")
	m.must("gcc", "-o", "host", "-x", "c", "host.txt", "-x", "none", "./libm.so", "-L.", "-lwaits", "-Wl,-rpath,$ORIGIN")
	interrupted := -1
	if fmt.Sscanf(m.mustProgram("./host").stdout, "interrupted %d", &interrupted); interrupted < 0 || interrupted > 3 {
		t.Errorf("%d of 12 functions were interrupted; with plain cgo hardly one is", interrupted)
	}
	contains(t, "report", m.must(wherry, "build", "-report", "-buildmode=c-shared", "-o", "libm.so").stdout, "fast  by_libc", "cgo   link0",
		"cgo   pointer0", "nothing turns the call before code of others waits")
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
