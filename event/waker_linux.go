package event

import (
	"os"
	"syscall"
)

var makeWaker = newEventfd

const efdFlags = 0x80800 // EFD_CLOEXEC | EFD_NONBLOCK

func newEventfd() (waker, error) {
	fd, _, errno := syscall.RawSyscall(syscall.SYS_EVENTFD2, 0, efdFlags, 0)
	if errno != 0 {
		return waker{}, os.NewSyscallError("eventfd2", errno)
	}
	return waker{read: os.NewFile(fd, "wherry event"), write: int(fd)}, nil
}
