package sockdiag

import (
	"encoding/binary"
	"errors"
	"fmt"
	"syscall"
	"time"
)

const (
	netlinkSockDiag  = 4
	sockDiagByFamily = 20
	nlmsgDone        = 3
	nlmsgError       = 2
	// The multicast groups of destroyed TCP sockets: 1 for IPv4, 3 for IPv6.
	destroyGroups = 1<<0 | 1<<2
	// All states but SYN_RECV, TIME_WAIT and LISTEN, which have no figures.
	states = 0xfff &^ (1<<3 | 1<<6 | 1<<10)
)

// A Kernel answers questions about the TCP connections of this network
// namespace. It is for one goroutine.
type Kernel struct {
	ask, ends int // netlink sockets; ends is -1 if the kernel does not tell
	buffer    []byte
	sequence  uint32
}

// Open begins a conversation with the kernel.
func Open() (*Kernel, error) {
	open := func(groups uint32) (int, error) {
		fd, err := syscall.Socket(syscall.AF_NETLINK, syscall.SOCK_RAW|syscall.SOCK_CLOEXEC, netlinkSockDiag)
		if err != nil {
			return -1, err
		}
		if err := syscall.Bind(fd, &syscall.SockaddrNetlink{Family: syscall.AF_NETLINK, Groups: groups}); err != nil {
			syscall.Close(fd)
			return -1, err
		}
		return fd, nil
	}
	ask, err := open(0)
	if err != nil {
		return nil, unavailable(err)
	}
	timeout := syscall.NsecToTimeval(int64(5 * time.Second))
	if err := syscall.SetsockoptTimeval(ask, syscall.SOL_SOCKET, syscall.SO_RCVTIMEO, &timeout); err != nil {
		syscall.Close(ask)
		return nil, unavailable(err)
	}
	ends, err := open(destroyGroups)
	if err == nil {
		err = syscall.SetNonblock(ends, true)
	}
	if err != nil {
		ends = -1
	}
	k := &Kernel{ask: ask, ends: ends, buffer: make([]byte, 64<<10)}
	if _, err := k.Sockets(); err != nil { // better to know now
		k.Close()
		return nil, err
	}
	return k, nil
}

// Close ends the conversation.
func (k *Kernel) Close() {
	syscall.Close(k.ask)
	if k.ends >= 0 {
		syscall.Close(k.ends)
	}
}

// Sockets returns all TCP connections.
func (k *Kernel) Sockets() ([]Socket, error) {
	var all []Socket
	for _, family := range []byte{syscall.AF_INET, syscall.AF_INET6} {
		sockets, err := k.dump(family)
		if err != nil && !(family == syscall.AF_INET6 && errors.Is(err, syscall.ENOENT)) {
			return nil, unavailable(err)
		}
		all = append(all, sockets...)
	}
	return all, nil
}

func (k *Kernel) dump(family byte) (sockets []Socket, err error) {
	k.sequence++
	request := make([]byte, 16+56) // struct nlmsghdr, struct inet_diag_req_v2
	order := binary.NativeEndian
	order.PutUint32(request, uint32(len(request)))
	order.PutUint16(request[4:], sockDiagByFamily)
	order.PutUint16(request[6:], syscall.NLM_F_REQUEST|syscall.NLM_F_DUMP)
	order.PutUint32(request[8:], k.sequence)
	request[16], request[17], request[18] = family, syscall.IPPROTO_TCP, 1<<(attributeInfo-1)
	order.PutUint32(request[20:], states)
	if err := syscall.Sendto(k.ask, request, 0, &syscall.SockaddrNetlink{Family: syscall.AF_NETLINK}); err != nil {
		return nil, err
	}
	for {
		n, _, err := syscall.Recvfrom(k.ask, k.buffer, 0)
		if errors.Is(err, syscall.EINTR) {
			continue
		}
		if err != nil {
			return nil, err
		}
		messages, err := syscall.ParseNetlinkMessage(k.buffer[:n])
		if err != nil {
			return nil, err
		}
		for _, m := range messages {
			switch {
			case m.Header.Seq != k.sequence: // of an earlier question
			case m.Header.Type == nlmsgDone:
				return sockets, nil
			case m.Header.Type == nlmsgError:
				if len(m.Data) < 4 {
					return nil, errors.New("short error from netlink")
				}
				return nil, syscall.Errno(-int32(order.Uint32(m.Data)))
			case m.Header.Type == sockDiagByFamily:
				if s, ok := parse(m.Data); ok {
					sockets = append(sockets, s)
				}
			}
		}
	}
}

// Ended returns the last figures of connections that the kernel has destroyed
// since the last question. It does not wait.
func (k *Kernel) Ended() (sockets []Socket) {
	if k.ends < 0 {
		return nil
	}
	for {
		n, _, err := syscall.Recvfrom(k.ends, k.buffer, 0)
		switch {
		case errors.Is(err, syscall.EINTR), errors.Is(err, syscall.ENOBUFS): // some were lost; the polls have most of them
			continue
		case err != nil:
			return sockets
		}
		messages, err := syscall.ParseNetlinkMessage(k.buffer[:n])
		if err != nil {
			return sockets
		}
		for _, m := range messages {
			if s, ok := parse(m.Data); ok && m.Header.Type == sockDiagByFamily {
				sockets = append(sockets, s)
			}
		}
	}
}

func unavailable(err error) error {
	switch {
	case errors.Is(err, syscall.ENOENT):
		return &Unavailable{"the kernel has no inet_diag for TCP",
			"load the modules inet_diag and tcp_diag, or use a kernel with CONFIG_INET_DIAG"}
	case errors.Is(err, syscall.EPROTONOSUPPORT), errors.Is(err, syscall.EAFNOSUPPORT):
		return &Unavailable{"the kernel has no netlink sock_diag", "sandboxes such as gVisor lack it; run on the host"}
	case errors.Is(err, syscall.EPERM), errors.Is(err, syscall.EACCES):
		return &Unavailable{"the system forbids netlink sockets", "a seccomp filter of a container does that; allow AF_NETLINK"}
	}
	return fmt.Errorf("sockdiag: %w", err)
}
