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

// refillDeclarations are for packages with reentrant functions.
const refillDeclarations = `
//go:cgo_import_static _wherry_direct_stack_new
//go:linkname _wherry_direct_stack_new _wherry_direct_stack_new
func _wherry_direct_stack_new(order int) int32

func _wherry_refill(order int) {
	if code := _wherry_direct_stack_new(order); code != 0 {
		panic(_wherry_stack_error(code, syscall.Errno(code)))
	}
}

var _wherry_stack_error func(code int32, err error) error

var _wherry_sink unsafe.Pointer
`

// unitFile is one more Go file of the package, because types that stand beside
// cgo's can have no methods. Only the compiler sees it, not vet.
const unitFile = `
func init() {
	_wherry_stack_error = func(code int32, err error) error { return &_wherry_StackError{code, err} }
}

// A _wherry_StackError is the value of a panic when there is no C stack for a
// reentrant call. Its method CStackError tells it from others.
type _wherry_StackError struct {
	code int32
	err  error
}

func (e *_wherry_StackError) CStackError() int { return int(e.code) }

func (e *_wherry_StackError) Error() string {
	switch e.code {
	case -1:
		return "wherry: reentrant calls are nested too deep on one thread; WHERRY_CSTACK_DEPTH sets how deep (default 1000)"
	case -2:
		return "wherry: too many C stacks for reentrant calls; WHERRY_CSTACK_LIMIT sets how many (default 20000)"
	}
	return "wherry: mapping a C stack for a reentrant call: " + e.err.Error()
}
`
