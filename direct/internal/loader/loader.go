// Package loader opens C libraries: through cgo when it is on. When it is off,
// the module direct/purego registers itself here, so that package direct needs
// nothing but the standard library.
package loader

import "errors"

// A Loader opens libraries and finds symbols in them.
type Loader struct {
	Open   func(path string) (handle uintptr, err error)
	Symbol func(handle uintptr, name string) (address uintptr, err error)
	Close  func(handle uintptr) error
	Errno  func() (address uintptr, err error) // of __errno_location
}

var current = Loader{
	Open:   func(string) (uintptr, error) { return 0, errNone },
	Symbol: func(uintptr, string) (uintptr, error) { return 0, errNone },
	Close:  func(uintptr) error { return errNone },
	Errno:  func() (uintptr, error) { return 0, errNone },
}

var errNone = errors.New("without cgo, C libraries need an import of github.com/wherrygo/wherry/direct/purego")

// Register is called by init functions only.
func Register(l Loader) { current = l }

func Open(path string) (uintptr, error)                   { return current.Open(path) }
func Symbol(handle uintptr, name string) (uintptr, error) { return current.Symbol(handle, name) }
func Close(handle uintptr) error                          { return current.Close(handle) }
func Errno() (uintptr, error)                             { return current.Errno() }
