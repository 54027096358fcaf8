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
	cgoHandle struct{}
	goPointer struct{}
	cl600875  struct{}
)

func (wherry) New(v any) uintptr   { return uintptr(handle.NewHandle(v)) }
func (wherry) Value(h uintptr) any { return handle.Handle(h).Value() }
func (wherry) Delete(h uintptr)    { handle.Handle(h).Delete() }

func (cgoHandle) New(v any) uintptr   { return uintptr(cgo.NewHandle(v)) }
func (cgoHandle) Value(h uintptr) any { return cgo.Handle(h).Value() }
func (cgoHandle) Delete(h uintptr)    { cgo.Handle(h).Delete() }

func (goPointer) New(v any) uintptr   { return uintptr(pointer.Save(v)) }
func (goPointer) Value(h uintptr) any { return pointer.Restore(*(*unsafe.Pointer)(unsafe.Pointer(&h))) }
func (goPointer) Delete(h uintptr)    { pointer.Unref(*(*unsafe.Pointer)(unsafe.Pointer(&h))) }

func (cl600875) New(v any) uintptr   { return reference.New(v) }
func (cl600875) Value(h uintptr) any { return reference.Value(h) }
func (cl600875) Delete(h uintptr)    { reference.Delete(h) }

// The tables that others measure too (folder rivals).
type (
	Cgo       = cgoHandle
	GoPointer = goPointer
	CL600875  = cl600875
)
