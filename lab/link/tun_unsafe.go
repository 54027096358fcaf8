//go:build linux

package link

import (
	"fmt"
	"os"
	"syscall"
	"unsafe"
)

// openTUN makes a TUN device and gives its file, which package os polls.
func openTUN(name string) (*os.File, error) {
	fd, err := syscall.Open("/dev/net/tun", syscall.O_RDWR|syscall.O_CLOEXEC|syscall.O_NONBLOCK, 0)
	if err != nil {
		return nil, fmt.Errorf("link: /dev/net/tun: %w; is the tun driver there?", err)
	}
	var request struct { // struct ifreq
		name  [16]byte
		flags uint16
		_     [22]byte
	}
	copy(request.name[:15], name)
	request.flags = syscall.IFF_TUN | syscall.IFF_NO_PI
	if _, _, errno := syscall.Syscall(syscall.SYS_IOCTL, uintptr(fd), syscall.TUNSETIFF, uintptr(unsafe.Pointer(&request))); errno != 0 {
		syscall.Close(fd)
		return nil, fmt.Errorf("link: making the TUN device %s: %w", name, errno)
	}
	return os.NewFile(uintptr(fd), name), nil
}
