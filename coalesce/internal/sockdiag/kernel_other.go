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

// Sockets returns nothing.
func (*Kernel) Sockets() ([]Socket, error) { return nil, nil }

// Ended returns nothing.
func (*Kernel) Ended() []Socket { return nil }
