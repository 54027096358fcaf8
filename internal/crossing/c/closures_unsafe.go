//go:build linux && (amd64 || arm64) && cgo

package c

/*
#include <stddef.h>
#define MAY_BE_THERE __attribute__((weak, visibility("hidden")))
typedef void way(void (*)(void *), void *, int, size_t);
extern way crosscall2, _wherry_callback_thread MAY_BE_THERE;

// In callback_ARCH.S, for calls on C stacks; what is none goes on at slow.
extern const char _wherry_closure1[] MAY_BE_THERE;
extern const void *_wherry_closure_slow MAY_BE_THERE;

// In closure_ARCH.S.
extern const char _wherry_closure_straight[] MAY_BE_THERE, _wherry_closure_general[] MAY_BE_THERE, _wherry_closure_released[] MAY_BE_THERE;
extern way *_wherry_closure_way MAY_BE_THERE;
extern const void *_wherry_closure_go MAY_BE_THERE;

// closures returns the codes; what a straight one is depends on whether calls are turned.
static void closures(const void *codes[3], size_t go, int fits, int turns) {
	if (_wherry_closure_straight == NULL)
		return;
	_wherry_closure_go = (const void *)go;
	_wherry_closure_way = fits && _wherry_callback_thread != NULL ? _wherry_callback_thread : crosscall2;
	codes[0] = _wherry_closure_straight;
	codes[1] = _wherry_closure_general;
	codes[2] = _wherry_closure_released;
	if (turns) {
		_wherry_closure_slow = _wherry_closure_straight;
		codes[0] = _wherry_closure1;
	}
}
*/
import "C"

import "unsafe"

// Args are the arguments of a callback as C's registers had them, and the results that it
// leaves there. They lie on C's stack; closure_ARCH.S knows the fields.
type Args struct {
	Ints      [8]uintptr
	Floats    [8]float64
	RetInts   [2]uintptr
	RetFloats [4]float64
	Stack     uintptr // address of C's stack arguments
	Closure   *Closure
}

// The numbers of closure_ARCH.S, the same for both processors. If one is another, false stands
// there twice, which does not compile.
var _ = map[bool]struct{}{false: {}, unsafe.Offsetof(Args{}.Floats) == 64 && unsafe.Offsetof(Args{}.RetInts) == 128 &&
	unsafe.Offsetof(Args{}.RetFloats) == 144 && unsafe.Offsetof(Args{}.Stack) == 176 && unsafe.Offsetof(Args{}.Closure) == 184 &&
	unsafe.Sizeof(Args{}) == 192: {}}

// A Closure is what a trampoline finds beside itself, and jumps on with its address in R11 or
// R17. It lies outside of Go's memory, so Go has to keep the func alive.
type Closure struct {
	Func uintptr // the word of a func value
	Code uintptr // one of Closures
}

// _wherry_closure1 finds Func without an offset. The number is that of this layout: the
// command and the library may differ in version.
var _ = [1]struct{}{}[unsafe.Offsetof(Closure{}.Func)]

// Closures are what trampolines jump to: the first where the registers of C's arguments pair
// up with those of the Go func's, the second for all other funcs, the third for closures that no
// callback has. All call enter, but the first with C on a C stack: that calls the func. They
// are 0 if this Go is not one that was tested.
func Closures(enter func(*Args)) (straight, general, released uintptr) {
	var codes [3]unsafe.Pointer
	C.closures(&codes[0], **(**C.size_t)(unsafe.Pointer(&enter)), boolean(here), boolean(Turns()))
	return uintptr(codes[0]), uintptr(codes[1]), uintptr(codes[2])
}

func boolean(b bool) C.int {
	if b {
		return 1
	}
	return 0
}
