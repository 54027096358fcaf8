package job

import (
	"runtime"
	"syscall"
	"testing"
	"unsafe"
)

// Unprofiled calls f, whose C creates threads, on a thread that blocks SIGPROF: they block it
// too. Go's profiler sends it to any thread of the process, and ends what waits there with
// EINTR, which C that was not written for Go may take for a failure.
func Unprofiled(b *testing.B, f func()) {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	const block, set = 0, 2 // SIG_BLOCK, SIG_SETMASK
	profiler := uint64(1) << (syscall.SIGPROF - 1)
	before := mask(b, block, profiler)
	defer mask(b, set, before)
	f()
}

// mask changes the thread's signal mask and returns what it was.
func mask(b *testing.B, how uintptr, signals uint64) (before uint64) {
	_, _, errno := syscall.RawSyscall6(syscall.SYS_RT_SIGPROCMASK, how, uintptr(unsafe.Pointer(&signals)),
		uintptr(unsafe.Pointer(&before)), unsafe.Sizeof(before), 0, 0)
	if errno != 0 {
		b.Fatal(errno)
	}
	return before
}
