//go:build !linux

package sockdiag

import "runtime"

// A Kernel answers questions about TCP connections, on Linux.
type Kernel struct{}

// Open says that this is not Linux.
func Open() (*Kernel, error) {
	return nil, &Unavailable{"only Linux tells about the connections of a process, this is " + runtime.GOOS, "run the program on Linux"}
}

// Close does nothing.
func (*Kernel) Close() {}

// Sockets gives nothing.
func (*Kernel) Sockets() ([]Socket, error) { return nil, nil }

// Ended gives nothing.
func (*Kernel) Ended() []Socket { return nil }
