//go:build cgo

package cexample

import (
	"os"
	"os/exec"
	"runtime"
	"strings"
	"testing"
	"unsafe"

	"github.com/wherrygo/wherry/handle"
)

// child runs a test of this package in a process of its own.
func child(t *testing.T, test string, env ...string) (output string, err error) {
	t.Helper()
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(exe, "-test.run=^"+test+"$", "-test.v")
	cmd.Env = append(append(os.Environ(), "CEXAMPLE_CHILD=1"), env...)
	out, err := cmd.CombinedOutput()
	return string(out), err
}

func inChild() bool { return os.Getenv("CEXAMPLE_CHILD") == "1" }

// TestDereference shows that C cannot use a handle as an address by mistake.
func TestDereference(t *testing.T) {
	if unsafe.Sizeof(uintptr(0)) == 4 {
		t.Skip("on 32-bit platforms a Pointer is an address that can be read")
	}
	if inChild() {
		Read(handle.NewHandle(1).Pointer())
		return
	}
	out, err := child(t, t.Name())
	if err == nil || !strings.Contains(out, "SIGSEGV") {
		t.Errorf("C read from a handle: %v\n%s", err, out)
	}
}

// TestStrictPointers repeats TestGCStress with the runtime's pointer checks.
func TestStrictPointers(t *testing.T) {
	for _, env := range [][]string{
		{"GODEBUG=invalidptr=1,cgocheck=1", "GOGC=5"},
		{"GODEBUG=invalidptr=1,cgocheck=1,gccheckmark=1", "GOGC=100"},
		{"GODEBUG=invalidptr=1,cgocheck=1,clobberfree=1", "GOGC=20"},
	} {
		if out, err := child(t, "TestGCStress", env...); err != nil {
			t.Errorf("%v: %v\n%s", env, err, out)
		}
	}
	out, err := child(t, "TestBadPointerIsFound", "GODEBUG=invalidptr=1,cgocheck=1")
	if err == nil || !strings.Contains(out, "found bad pointer in Go heap") {
		t.Errorf("invalidptr=1 found nothing, so this test shows nothing: %v\n%s", err, out)
	}
}

type node struct {
	userdata unsafe.Pointer
	next     *node
	pad      [3]unsafe.Pointer
}

// TestGCStress keeps handles in unsafe.Pointer variables on the heap, on
// stacks that move, and in C calls while the collector runs.
func TestGCStress(t *testing.T) {
	rounds, length := 20, 2_000
	if testing.Short() {
		rounds = 3
	}
	for range rounds {
		var list *node
		for i := range length {
			p := handle.NewHandle(i).Pointer()
			list = &node{userdata: p, next: list, pad: [3]unsafe.Pointer{p, nil, p}}
		}
		runtime.GC()
		deep(200, list.userdata)
		for n, i := list, length-1; n != nil; n, i = n.next, i-1 {
			h := handle.FromPointer(Echo(n.userdata))
			if h.Value() != i || n.pad[0] != n.pad[2] {
				t.Fatalf("value %v, want %d", h.Value(), i)
			}
			h.Delete()
		}
		runtime.GC() // with pointers of deleted handles
		runtime.KeepAlive(list)
	}
}

// deep makes the stack grow with p in every frame.
func deep(n int, p unsafe.Pointer) unsafe.Pointer {
	var room [128]unsafe.Pointer
	room[n%128] = p
	if n == 0 {
		runtime.GC()
		return Echo(p)
	}
	room[(n+1)%128] = deep(n-1, p)
	return room[(n+1)%128]
}

// TestBadPointerIsFound is the counter-example: a free page of the Go heap
// in an unsafe.Pointer ends the process.
func TestBadPointerIsFound(t *testing.T) {
	if !inChild() {
		t.Skip("ends the process; TestStrictPointers runs it in a child")
	}
	for range 100 { // the span must be free, and not yet used again
		bad := freed()
		runtime.GC()
		runtime.GC()
		n := &node{userdata: *(*unsafe.Pointer)(unsafe.Pointer(&bad))}
		runtime.GC()
		runtime.KeepAlive(n)
	}
}

//go:noinline
func freed() uintptr {
	b := make([]byte, 8<<20)
	return uintptr(unsafe.Pointer(&b[4<<20]))
}
