//go:build linux && !386

package coalesce

import (
	"syscall"
	"time"
	"unsafe"
)

// tcpInfo asks for TCP_INFO, which package syscall knows but cannot get.
func tcpInfo(fd uintptr) (rtt time.Duration, segment int, ok bool) {
	var info syscall.TCPInfo
	size := uint32(unsafe.Sizeof(info))
	_, _, errno := syscall.Syscall6(syscall.SYS_GETSOCKOPT, fd, syscall.IPPROTO_TCP, syscall.TCP_INFO,
		uintptr(unsafe.Pointer(&info)), uintptr(unsafe.Pointer(&size)), 0)
	if errno != 0 || size < uint32(unsafe.Offsetof(info.Rtt)+unsafe.Sizeof(info.Rtt)) {
		return 0, 0, false
	}
	return time.Duration(info.Rtt) * time.Microsecond, int(info.Snd_mss), true
}
