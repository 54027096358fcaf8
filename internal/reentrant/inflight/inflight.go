//go:build linux && (amd64 || arm64) && cgo

// Package inflight finds, in a program that wherry has built, the way from C into Go
// that turns a call in flight first. It is apart because it needs cgo, and its user
// has assembly.
package inflight

/*
extern void _wherry_crosscall2(void (*)(void *), void *, int, unsigned long) __attribute__((weak, visibility("hidden")));
static void *crosscall2Address(void) { return (void *)_wherry_crosscall2; }
*/
import "C"

// Crosscall2 returns the address of a function like the runtime's crosscall2, or 0 in
// a program that was built plainly.
func Crosscall2() uintptr { return uintptr(C.crosscall2Address()) }
