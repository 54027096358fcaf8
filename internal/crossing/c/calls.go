//go:build linux && (amd64 || arm64) && cgo

// Package c is the crossing: the C and the assembly of calls and callbacks. crossing.c says
// what is where. To Go it finds the calls of C that can be turned, and the way from C into Go
// that turns one first: those that wherry build has linked into the program, or, where the
// plain go command builds, this package's own. Both are the same files; the difference is
// that here nothing stands before the C library's functions. It needs cgo, so it can have no
// assembly of Go's: that is in package frames.
package c

/*
#include <stddef.h>
#define MAY_BE_THERE __attribute__((weak, visibility("hidden")))
extern int _wherry_turns(void) MAY_BE_THERE;
extern const char _wherry_bound2_straight[] MAY_BE_THERE, _wherry_bound2_straightFew[] MAY_BE_THERE,
	_wherry_bound2_straightErrno[] MAY_BE_THERE, _wherry_bound2_enter[] MAY_BE_THERE,
	_wherry_bound2_enterFull[] MAY_BE_THERE;
extern void *_wherry_bind(const void *, const char *, unsigned) MAY_BE_THERE;
static int turns(void) { return _wherry_bound2_straight != NULL && _wherry_turns(); }
static const void *call(int i) {
	const char *const calls[] = {_wherry_bound2_straight, _wherry_bound2_straightFew, _wherry_bound2_straightErrno,
		_wherry_bound2_enter, _wherry_bound2_enterFull};
	return calls[i];
}
static void *dataOf(unsigned long fn, const char *name, unsigned flags) { return _wherry_bind((const void *)fn, name, flags); }
*/
import "C"

import (
	"embed"
	"sync"

	"github.com/wherrygo/wherry/internal/crossing/abi"
)

// The go command builds the package anew when a file changes that crossing.c or
// crossing.S includes.
//
//go:embed *.c *.S
//lint:ignore U1000 for that alone
var included embed.FS

// A program that wherry builds gets what is asked for here with WHERRY_DEFAULT=cgo too.
//
//wherry:fast turns

// here reports whether what is linked in fits the runtime. wherry build has made sure.
var here = true

// Turns reports whether calls can be turned. If not, the rest of this package is not to be
// used: the runtime is another than those that were tested.
func Turns() bool { return here && C.turns() != 0 }

// Calls are the addresses of the calls for package direct's funcs, as it names them. The
// number in the symbols is that of the binding's layout (package abi).
type Calls struct{ Straight, StraightFew, StraightErrno, Enter, EnterFull uintptr }

// Bound returns them.
func Bound() (c Calls) {
	for i, at := range []*uintptr{&c.Straight, &c.StraightFew, &c.StraightErrno, &c.Enter, &c.EnterFull} {
		*at = uintptr(C.call(C.int(i)))
	}
	return c
}

// A Use is who calls a C function.
type Use struct {
	Fn, By uintptr // the C function, and the code that calls it
	Flags  abi.Flags
}

// The calls of direct's ways, by their flags. What has OwnStack runs on a C stack.
var names = map[abi.Flags]*C.char{
	0: C.CString("a func of direct.Bind"), abi.OwnStack: C.CString("a func of direct.Reentrant"),
}

var data struct {
	sync.Mutex
	of map[Use]uintptr
}

// Data returns the address of what is known about such calls. It stays for good.
func Data(u Use) uintptr {
	data.Lock()
	defer data.Unlock()
	if data.of[u] == 0 {
		if data.of == nil {
			data.of = map[Use]uintptr{}
		}
		p := C.dataOf(C.ulong(u.Fn), names[u.Flags], C.uint(u.Flags))
		if p == nil {
			panic("direct: no memory for the data of a C function's calls")
		}
		data.of[u] = uintptr(p)
	}
	return data.of[u]
}
