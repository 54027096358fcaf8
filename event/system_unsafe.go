//go:build linux

package event

import (
	"math"
	"os"
	"sync/atomic"
	"syscall"
	"time"
	"unsafe"
)

// mapMemory gives zeroed memory outside Go's heap, with all its pages, so that
// no post has to wait for one.
func mapMemory(size int) ([]byte, error) {
	return syscall.Mmap(-1, 0, size, syscall.PROT_READ|syscall.PROT_WRITE, syscall.MAP_ANON|syscall.MAP_PRIVATE|syscall.MAP_POPULATE)
}

func unmapMemory(memory []byte) error { return syscall.Munmap(memory) }

// wipeOnFork makes a child process after fork read zeros, so that a post there finds no
// queue, where it would write to a copy that nobody reads. Linux 4.14.
func wipeOnFork(memory []byte) {
	const madvWipeOnFork = 18
	syscall.Madvise(memory, madvWipeOnFork)
}

// dropMemory gives pages back. They stay mapped and read as zeros: slots that
// are shut.
func dropMemory(memory []byte) { syscall.Madvise(memory, syscall.MADV_DONTNEED) }

// wakeThreads wakes C threads that wait for a full queue.
func wakeThreads(word *atomic.Uint32) {
	const wakePrivate = 129 // FUTEX_WAKE | FUTEX_PRIVATE_FLAG
	syscall.RawSyscall(syscall.SYS_FUTEX, uintptr(unsafe.Pointer(word)), wakePrivate, math.MaxInt32)
}

// threadGone reports whether no thread of this process has that id. The id of
// one that ended may be given to another: then the answer comes later.
func threadGone(tid int) bool {
	if tid == 0 {
		return false
	}
	_, _, errno := syscall.RawSyscall(syscall.SYS_TGKILL, uintptr(os.Getpid()), uintptr(tid), 0)
	return errno == syscall.ESRCH
}

// A clock turns C's CLOCK_MONOTONIC into time.Time.
type clock struct {
	base  time.Time
	nanos int64
}

func newClock() clock {
	var t syscall.Timespec
	const monotonic = 1
	syscall.RawSyscall(syscall.SYS_CLOCK_GETTIME, monotonic, uintptr(unsafe.Pointer(&t)), 0)
	return clock{time.Now(), t.Nano()}
}

func (c clock) time(nanos uint64) time.Time { return c.base.Add(time.Duration(int64(nanos) - c.nanos)) }
