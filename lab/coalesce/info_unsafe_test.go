//go:build linux

package coalesce

import (
	"net"
	"syscall"
	"unsafe"
)

// tcpInfo is the beginning of the kernel's struct tcp_info (linux/tcp.h).
type tcpInfo struct {
	syscall.TCPInfo
	PacingRate, MaxPacingRate uint64
	BytesAcked, BytesReceived uint64
	SegsOut, SegsIn           uint32
	NotsentBytes, MinRTT      uint32
	DataSegsIn, DataSegsOut   uint32
	DeliveryRate              uint64
	BusyTime, RwndLimited     uint64
	SndbufLimited             uint64
	Delivered, DeliveredCE    uint32
	BytesSent, BytesRetrans   uint64
}

func infoOf(c *net.TCPConn) (info tcpInfo, err error) {
	err = setOption(c, func(fd int) error {
		size := uint32(unsafe.Sizeof(info))
		_, _, errno := syscall.Syscall6(syscall.SYS_GETSOCKOPT, uintptr(fd), syscall.IPPROTO_TCP, syscall.TCP_INFO,
			uintptr(unsafe.Pointer(&info)), uintptr(unsafe.Pointer(&size)), 0)
		if errno != 0 {
			return errno
		}
		return nil
	})
	return info, err
}
