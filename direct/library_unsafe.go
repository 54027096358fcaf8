package direct

import (
	"fmt"
	"unsafe"

	"github.com/wherrygo/wherry/direct/internal/loader"
)

// A Library is an open C library.
type Library struct {
	path   string
	handle uintptr
}

// Open loads a library, as dlopen does with RTLD_NOW: a name without a slash
// is looked for in the system's folders, and the library's names stay its own. It
// runs the library's constructors. An error says what is missing.
func Open(path string) (*Library, error) {
	handle, err := loader.Open(path)
	if err != nil {
		return nil, fmt.Errorf("direct: cannot open %s: %w", path, err)
	}
	return &Library{path, handle}, nil
}

// Lookup returns the address of a function or a variable of the library or of
// the libraries that it needs.
func (l *Library) Lookup(name string) (unsafe.Pointer, error) {
	address, err := loader.Symbol(l.handle, name)
	if err != nil {
		return nil, fmt.Errorf("direct: %s has no %s: %w", l.path, name, err)
	}
	return *(*unsafe.Pointer)(unsafe.Pointer(&address)), nil
}

// MustLookup is Lookup that panics instead of returning an error.
func (l *Library) MustLookup(name string) unsafe.Pointer {
	address, err := l.Lookup(name)
	if err != nil {
		panic(err)
	}
	return address
}

// Close gives the library back, as dlclose does. No func that was bound to one
// of its functions may be called any more.
func (l *Library) Close() error {
	if err := loader.Close(l.handle); err != nil {
		return fmt.Errorf("direct: closing %s: %w", l.path, err)
	}
	return nil
}
