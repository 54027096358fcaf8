package accel

// unitDeclarations are the Go side of what reentrant calls share, in the file
// of cgo's types, where cgo's directives are allowed. They are written for
// every language version that a go.mod may ask for.
const unitDeclarations = `
//go:cgo_export_static _wherry_callback
//go:cgo_export_static _wherry_callback_first
//go:cgo_import_static _wherry_return
//go:cgo_import_static _wherry_abandon_func
`

// refillDeclarations are for packages with reentrant functions. %[1]s is the
// symbol of a function in unitFile, which vet does not see.
const refillDeclarations = `
//go:cgo_import_static _wherry_direct_stack_new
//go:linkname _wherry_direct_stack_new _wherry_direct_stack_new
func _wherry_direct_stack_new(order syscall.Errno) syscall.Errno

//go:linkname _wherry_noStack %[1]s
func _wherry_noStack(code syscall.Errno)

func _wherry_refill(order syscall.Errno) {
	if code := _wherry_direct_stack_new(order); code != 0 {
		_wherry_noStack(code)
	}
}

var _wherry_sink unsafe.Pointer
`

// unitFile is one more Go file of the package, because types that stand beside
// cgo's can have no methods. Only the compiler sees it, not vet. %[1]s is the
// symbol of refillDeclarations, %[2]s the package's name.
//
// The package may declare names that Go predeclares. Here and in what else is
// added to it none is used but those that cgo's own code uses in the same way:
// integers are of type syscall.Errno, a literal's type is inferred as string or
// int whatever these names mean, and panic is called as the compiler calls it.
// The file runtime/panic.go keeps gopanic for linkname in all Go versions that are
// accelerated, and where one did not, the linker would say so (TestPredeclaredNames).
// The first line allows type parameters, whatever the go.mod file says.
const unitFile = `//go:build go1.21

package %[2]s

import (
	"syscall"
	"unsafe"
)

//go:linkname _wherry_panic runtime.gopanic
func _wherry_panic(interface{})

//go:linkname _wherry_panicNoStack %[1]s
func _wherry_panicNoStack(errno syscall.Errno) {
	text, code := "wherry: mapping a C stack for a reentrant call: "+errno.Error(), 0
	*(*syscall.Errno)(unsafe.Pointer(&code)) = errno
	switch code {
	case -1:
		text = "wherry: reentrant calls are nested too deep on one thread; WHERRY_CSTACK_DEPTH sets how deep (default 1000)"
	case -2:
		text = "wherry: too many C stacks for reentrant calls; WHERRY_CSTACK_LIMIT sets how many (default 20000)"
	}
	_wherry_panic(_wherry_newStackError(text, code))
}

// A _wherry_StackError is the value of a panic when there is no C stack for a
// reentrant call. Its method CStackError tells it from others.
type _wherry_StackError[String, Int interface{}] struct {
	text String
	code Int
}

func _wherry_newStackError[String, Int interface{}](text String, code Int) interface{} {
	return &_wherry_StackError[String, Int]{text, code}
}

func (e *_wherry_StackError[String, Int]) CStackError() Int { return e.code }

func (e *_wherry_StackError[String, Int]) Error() String { return e.text }
`
