//go:build linux

package event

import (
	"math"
	"os"
	"runtime"
	"sync"
	"sync/atomic"
	"syscall"
	"time"
	"unsafe"
)

// mapMemory returns zeroed memory outside Go's heap, whose pages come with their
// first use.
func mapMemory(size int) ([]byte, error) {
	return syscall.Mmap(-1, 0, size, syscall.PROT_READ|syscall.PROT_WRITE, syscall.MAP_ANON|syscall.MAP_PRIVATE|syscall.MAP_NORESERVE)
}

func unmapMemory(memory []byte) error { return syscall.Munmap(memory) }

// wipeOnFork makes a child process after fork read zeros, so that a post there finds no
// queue, where it would write to a copy that nobody reads. Linux 4.14.
func wipeOnFork(memory []byte) {
	const madvWipeOnFork = 18
	syscall.Madvise(memory, madvWipeOnFork)
}

// dropMemory gives the pages back that lie in memory. They stay mapped and read as zeros: cells that
// are shut.
func dropMemory(memory []byte) {
	page := uintptr(os.Getpagesize()) // 64 KB on some kernels of arm64
	begin := -uintptr(unsafe.Pointer(unsafe.SliceData(memory))) % page
	if size := uintptr(len(memory)); begin < size {
		syscall.Madvise(memory[begin:begin+(size-begin)/page*page], syscall.MADV_DONTNEED)
	}
}

// canOrder reports whether orderThreads works: Linux 4.14, if no filter forbids it.
var canOrder = sync.OnceValue(func() bool { return membarrier(registerPrivateExpedited) == 0 })

// orderThreads makes every thread of the process that runs pass a memory barrier, if that is not forbidden.
var orderThreads = func() bool { return membarrier(privateExpedited) == 0 }

const (
	privateExpedited         = 1 << 3
	registerPrivateExpedited = 1 << 4
)

func membarrier(command uintptr) syscall.Errno {
	number := uintptr(283) // of the systems that have the common table
	switch runtime.GOARCH {
	case "amd64":
		number = 324
	case "ppc64", "ppc64le":
		number = 365
	case "s390x":
		number = 356
	case "mips64", "mips64le":
		number = 5318
	}
	_, _, errno := syscall.RawSyscall(number, command, 0, 0)
	return errno
}

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

// giveWay lets another thread run that waits for this processor.
func giveWay() { syscall.Syscall(syscall.SYS_SCHED_YIELD, 0, 0, 0) }
