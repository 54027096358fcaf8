package sockdiag

import (
	"encoding/binary"
	"net/netip"
	"time"
)

// Sizes and offsets of linux/inet_diag.h and linux/tcp.h, which are an ABI.
const (
	messageSize = 72 // struct inet_diag_msg
	idSport     = 4
	idDport     = 6
	idSource    = 8
	idTarget    = 24
	idCookie    = 44
	inodeOffset = 68

	attributeInfo = 2 // INET_DIAG_INFO

	infoSegment     = 16
	infoRTT         = 68
	infoRetrans     = 100
	infoDataIn      = 152
	infoDataOut     = 156
	infoBytesSent   = 200
	infoBytesResent = 208
	infoSize        = 216 // as of Linux 4.19
)

const afInet = 2

// parse reads one answer. It gives false for what has no figures, such as a
// listening socket.
func parse(data []byte) (s Socket, ok bool) {
	if len(data) < messageSize {
		return s, false
	}
	order := binary.NativeEndian
	s.Cookie = uint64(order.Uint32(data[idCookie:])) | uint64(order.Uint32(data[idCookie+4:]))<<32
	s.Inode = order.Uint32(data[inodeOffset:])
	s.Local = netip.AddrPortFrom(address(data[0], data[idSource:]), binary.BigEndian.Uint16(data[idSport:]))
	s.Remote = netip.AddrPortFrom(address(data[0], data[idTarget:]), binary.BigEndian.Uint16(data[idDport:]))
	for rest := data[messageSize:]; len(rest) >= 4; {
		size, kind := int(order.Uint16(rest)), order.Uint16(rest[2:])
		if size < 4 || size > len(rest) {
			return s, false
		}
		if kind == attributeInfo {
			return s, s.fill(rest[4:size])
		}
		rest = rest[min((size+3)&^3, len(rest)):]
	}
	return s, false
}

func (s *Socket) fill(info []byte) bool {
	if len(info) < infoSize {
		return false
	}
	order := binary.NativeEndian
	word := func(at int) int64 { return int64(order.Uint32(info[at:])) }
	s.Segment = int(word(infoSegment))
	s.RTT = time.Duration(word(infoRTT)) * time.Microsecond
	s.Retrans = word(infoRetrans)
	s.DataIn, s.DataOut = word(infoDataIn), word(infoDataOut)
	s.BytesOut = int64(order.Uint64(info[infoBytesSent:]))
	s.BytesResent = int64(order.Uint64(info[infoBytesResent:]))
	return true
}

func address(family byte, data []byte) netip.Addr {
	if family == afInet {
		return netip.AddrFrom4([4]byte(data[:4]))
	}
	return netip.AddrFrom16([16]byte(data[:16])).Unmap()
}
