// Package handles compares tables that give C a number for a Go value.
package handles

import (
	"runtime/cgo"
	"unsafe"

	pointer "github.com/mattn/go-pointer"

	"github.com/wherrygo/wherry/handle"
)

var reference table600875

// The contestants behind one set of methods, for work in which a call through
// a func does not count.
type (
	wherry    struct{}
	Cgo       struct{}
	GoPointer struct{}
	CL600875  struct{}
)

func (wherry) New(v any) uintptr   { return uintptr(handle.NewHandle(v)) }
func (wherry) Value(h uintptr) any { return handle.Handle(h).Value() }
func (wherry) Delete(h uintptr)    { handle.Handle(h).Delete() }

func (Cgo) New(v any) uintptr   { return uintptr(cgo.NewHandle(v)) }
func (Cgo) Value(h uintptr) any { return cgo.Handle(h).Value() }
func (Cgo) Delete(h uintptr)    { cgo.Handle(h).Delete() }

func (GoPointer) New(v any) uintptr   { return uintptr(pointer.Save(v)) }
func (GoPointer) Value(h uintptr) any { return pointer.Restore(*(*unsafe.Pointer)(unsafe.Pointer(&h))) }
func (GoPointer) Delete(h uintptr)    { pointer.Unref(*(*unsafe.Pointer)(unsafe.Pointer(&h))) }

func (CL600875) New(v any) uintptr   { return reference.New(v) }
func (CL600875) Value(h uintptr) any { return reference.Value(h) }
func (CL600875) Delete(h uintptr)    { reference.Delete(h) }
