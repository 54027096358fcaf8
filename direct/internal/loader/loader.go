// Package loader opens C libraries, and says where errno is. It is apart from package direct because it needs cgo,
// and that one has assembly.
package loader

import "errors"

// ErrNoCgo is the error of all that needs C in a program without cgo.
var ErrNoCgo = errors.New("the program has no C runtime; build with CGO_ENABLED=1")
