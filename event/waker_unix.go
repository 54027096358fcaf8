//go:build unix

package event

import (
	"os"
	"syscall"
)

// newPipe is a waker for systems without eventfd.
func newPipe() (waker, error) {
	var fds [2]int
	syscall.ForkLock.RLock()
	defer syscall.ForkLock.RUnlock()
	if err := syscall.Pipe(fds[:]); err != nil {
		return waker{}, os.NewSyscallError("pipe", err)
	}
	for _, fd := range fds {
		syscall.CloseOnExec(fd)
		if err := syscall.SetNonblock(fd, true); err != nil {
			syscall.Close(fds[0])
			syscall.Close(fds[1])
			return waker{}, os.NewSyscallError("fcntl", err)
		}
	}
	return waker{os.NewFile(uintptr(fds[0]), "wherry event"), fds[1], os.NewFile(uintptr(fds[1]), "wherry event")}, nil
}

// writeWaker makes the receiver's read return. A pipe or counter that is full
// does so already.
func writeWaker(fd int) {
	syscall.Write(fd, wakeUp[:])
}

var wakeUp = [8]byte{1, 1, 1, 1, 1, 1, 1} // a count above 0 in either byte order
