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
