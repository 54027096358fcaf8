//go:build linux && (amd64 || arm64)

package reentrant

//lint:file-ignore U1000 assembly uses what only seems unused

import (
	"errors"
	"fmt"
	"runtime"
	"sync"
	"syscall"
	"unsafe"

	"github.com/wherrygo/wherry/internal/crossing/rt/self"
)

// A record stands at the top of its C stack, outside of Go's memory. The
// assembly knows the fields.
type record struct {
	goSP, goFP uintptr // the goroutine's, where it called C
	g          uintptr
	cSP        uintptr // C's stack pointer while Go runs in a callback; else 0
	entry, arg uintptr // the C function that the stack is for, and its argument
	goLR       uintptr // where C returns to in Go; arm64 only
	_          uintptr // so that C's stack begins aligned
}

// Ready returns nil if reentrant calls can run on C stacks of their own.
var Ready = sync.OnceValue(func() error {
	if enterPC == 0 {
		return errors.New(runtime.Version() + " is not tested")
	}
	return self.Load()
})

// Sizes of a C stack and of the inaccessible memory below it, bytes. The guard
// costs addresses only, and catches a large frame too.
const (
	stackSize = 256 << 10
	guardSize = 1 << 20
	keptFree  = 64
)

var pool struct {
	sync.Mutex
	free []*record
}

func acquire() (*record, error) {
	pool.Lock()
	defer pool.Unlock()
	if n := len(pool.free); n > 0 {
		r := pool.free[n-1]
		pool.free = pool.free[:n-1]
		*r = record{}
		return r, nil
	}
	low, _, errno := syscall.Syscall6(syscall.SYS_MMAP, 0, guardSize+stackSize, syscall.PROT_NONE,
		syscall.MAP_PRIVATE|syscall.MAP_ANON|syscall.MAP_NORESERVE|syscall.MAP_STACK, ^uintptr(0), 0)
	if errno == 0 {
		_, _, errno = syscall.Syscall(syscall.SYS_MPROTECT, low+guardSize, stackSize, syscall.PROT_READ|syscall.PROT_WRITE)
	}
	if errno != 0 {
		return nil, fmt.Errorf("mapping a C stack: %w", errno)
	}
	top := low + guardSize + stackSize - unsafe.Sizeof(record{})
	return *(**record)(unsafe.Pointer(&top)), nil
}

func release(r *record) {
	r.goSP = 0 // a stale pointer to it on a goroutine's stack means nothing any more
	pool.Lock()
	if len(pool.free) < keptFree {
		pool.free = append(pool.free, r)
		r = nil
	}
	pool.Unlock()
	if r != nil {
		low := uintptr(unsafe.Pointer(r)) + unsafe.Sizeof(record{}) - stackSize - guardSize
		syscall.Syscall(syscall.SYS_MUNMAP, low, guardSize+stackSize, 0)
	}
}

// Call runs the C function entry(arg) on a C stack, from which it may call
// back. A panic that leaves a callback passes through, and leaves C's frames
// behind. Ready must have returned nil.
func Call(entry uintptr, arg unsafe.Pointer) error {
	r, err := acquire()
	if err != nil {
		return err
	}
	r.entry, r.arg = entry, uintptr(arg)
	runtime.LockOSThread() // C may keep locks and thread-local state over a callback
	defer func() {
		runtime.UnlockOSThread()
		release(r)
	}()
	enter(r)
	runtime.KeepAlive(arg)
	return nil
}
