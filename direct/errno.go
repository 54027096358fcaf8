//go:build !plan9

package direct

import "syscall"

// Errno is C's errno. As the last result of a bound func, it is what the C
// function left there, 0 if nothing: read on the C function's own thread before
// anything else can run on it. Compare it with 0, or with syscall's constants;
// it is an error too, non-nil even if 0.
type Errno = syscall.Errno
