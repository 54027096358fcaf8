//go:build linux && (amd64 || arm64) && cgo

// Package inflight finds, in a program that wherry has built, the calls of C that can
// be turned, and the way from C into Go that turns one first. It is apart because it
// needs cgo, and its users have assembly.
package inflight

/*
extern void _wherry_crosscall2(void (*)(void *), void *, int, unsigned long) __attribute__((weak, visibility("hidden")));
static void *crosscall2Address(void) { return (void *)_wherry_crosscall2; }

#define MADE_BY_WHERRY __attribute__((weak, visibility("hidden")))
extern int _wherry_turns(void) MADE_BY_WHERRY;
#define CALLS(of) \
	extern const char of##straight[] MADE_BY_WHERRY, of##straightErrno[] MADE_BY_WHERRY, \
		of##enter[] MADE_BY_WHERRY, of##enterFull[] MADE_BY_WHERRY;
CALLS(_wherry_bound1_)
CALLS(_wherry_stub1_)
static const char *const calls[] = {_wherry_bound1_straight, _wherry_bound1_straightErrno, _wherry_bound1_enter, _wherry_bound1_enterFull,
	_wherry_stub1_straight, _wherry_stub1_straightErrno, _wherry_stub1_enter, _wherry_stub1_enterFull};
static const void *call(int i) { return calls[i]; }
extern const char _wherry_reentrant1[] MADE_BY_WHERRY;
static const void *reentrant(void) { return _wherry_reentrant1; }
extern const char _wherry_closure1[] MADE_BY_WHERRY;
extern const void *_wherry_closure_slow MADE_BY_WHERRY;
static const void *closures(unsigned long slow) { _wherry_closure_slow = (void *)slow; return _wherry_closure1; }
static int turns(void) { return _wherry_turns != 0 && _wherry_turns(); }
*/
import "C"

// A program gets what is asked for here with WHERRY_DEFAULT=cgo too.
//
//wherry:fast turns

// Crosscall2 returns the address of a function like the runtime's crosscall2, or 0 in
// a program that was built plainly.
func Crosscall2() uintptr { return uintptr(C.crosscall2Address()) }

// Calls returns the addresses of the calls for package direct's funcs and stubs, as it
// names them, or false in a program that was built plainly or where no call can be turned.
// The number in the symbols is that of the binding's layout (package abi).
func Calls() (funcs, stubs struct{ Straight, StraightErrno, Enter, EnterFull uintptr }, ok bool) {
	for i, at := range []*uintptr{&funcs.Straight, &funcs.StraightErrno, &funcs.Enter, &funcs.EnterFull,
		&stubs.Straight, &stubs.StraightErrno, &stubs.Enter, &stubs.EnterFull} {
		*at = uintptr(C.call(C.int(i)))
	}
	return funcs, stubs, C.turns() != 0
}

// Reentrant returns, where Calls returns true, the address of a Go function's code, of
// func(fn uintptr, arg unsafe.Pointer), that calls C's fn(arg) on a C stack, and where
// function pointers of package callback jump to; on other ways into Go they go on at slow.
func Reentrant(slow uintptr) (call, closures uintptr, ok bool) {
	if C.turns() == 0 {
		return 0, 0, false
	}
	return uintptr(C.reentrant()), uintptr(C.closures(C.ulong(slow))), true
}
