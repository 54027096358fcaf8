package handle

import (
	"fmt"
	"unsafe"
)

// A Typed is a handle for a *T. It converts from and to [Handle] and
// uintptr; the table is the same.
type Typed[T any] uintptr

// New returns a handle for p. It allocates nothing. See [NewHandle].
func New[T any](p *T) Typed[T] {
	return Typed[T](NewHandle(p))
}

// Value returns the pointer that h was made for. It panics as
// [Handle.Value] does, and if h was made for another type.
func (h Typed[T]) Value() *T {
	v := Handle(h).Value()
	p, ok := v.(*T)
	if !ok {
		panic(wrongType[T]("Value", h, v))
	}
	return p
}

// Lookup is Value that returns false where Value panics.
func (h Typed[T]) Lookup() (p *T, ok bool) {
	v, _ := Handle(h).Lookup()
	p, ok = v.(*T)
	return p, ok
}

// Delete ends the life of h. It panics as [Handle.Delete] does, and if h was
// made for another type.
func (h Typed[T]) Delete() {
	if v, ok := Handle(h).Lookup(); ok {
		if _, ok := v.(*T); !ok {
			panic(wrongType[T]("Delete", h, v))
		}
	}
	Handle(h).Delete()
}

// Pointer returns h in the form of a void*. See [Handle.Pointer].
func (h Typed[T]) Pointer() unsafe.Pointer {
	return Handle(h).Pointer()
}

func wrongType[T any](op string, h Typed[T], got any) *Error {
	return &Error{Handle: Handle(h), Op: op, Kind: ErrType,
		Detail: fmt.Sprintf("got %T, want %T", got, (*T)(nil))}
}
