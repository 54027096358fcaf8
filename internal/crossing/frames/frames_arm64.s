//go:build linux && cgo && !wherry_built && (amd64 || arm64) && go1.24 && !go1.28 && !msan && !asan

// The functions that Go's unwinder must know, arm64: calls and callbacks stand in their frames.
// A program that the plain go command builds has them in this package; wherry build has Go's
// assembler compile this file into each package with calls, as duplicates.

#include "textflag.h"
#include "funcdata.h"
#include "go_asm.h"

// The callback: see ../c/callback_arm64.h.
//
// It is reached by a jump from C's side and behaves as if the Go caller of the
// reentrant call had called it. R20 = the Go function, R30 = return address
// into the Go caller, Go's argument registers hold its arguments.
//
//   224(RSP)  where the stack pointer of the Go caller is, go_sp
//   144(RSP)  runtime._defer, 56 bytes, DEFER_BELOW bytes below go_sp
//     8(RSP)  room where the Go function may spill 8 integer and 8 floating-
//             point arguments, as Go's register ABI demands
//     0(RSP)  return address, saved by the assembler, and the caller's frame
//             pointer below it
//
// The first callback of a call links a deferred function into the goroutine's
// list, as runtime.deferprocStack does it: it runs if a panic or
// runtime.Goexit leaves the call. The other callbacks of that call have the
// same frame at the same place, and find it linked; _wherry_settle unlinks it.
// Its fields pc and head are not written: the runtime reads them only of a
// deferred function that recovers, or that ranges over a function.

TEXT _wherry_callback(SB), NOSPLIT|DUPOK, $208-0
	NO_LOCAL_POINTERS
	CALL (R20)
	// A Go function without a stack check of its own must not keep the collector
	// waiting for all callbacks of the call.
	MOVD const_G_STACKGUARD0(g), R16
	MOVD RSP, R17
	CMP R16, R17
	BLS yield
return:
	RET _wherry_return(SB) // drops the frame and jumps
yield:
	MOVD R0, 8(RSP)
	FMOVD F0, 16(RSP)
	CALL _wherry_yields_later(SB)
	CBNZ R19, later
	CALL _wherry_callback_yield(SB)
later:
	MOVD 8(RSP), R0
	FMOVD 16(RSP), F0
	JMP return

// Its prologue, which the assembler leaves out of smaller frames, is where the
// goroutine yields.
TEXT _wherry_callback_yield(SB), DUPOK, $128-0
	NO_LOCAL_POINTERS
	RET

// R22 = where C's side expects the runtime._defer, R19 = its function.
TEXT _wherry_callback_first(SB), NOSPLIT|DUPOK, $208-0
	NO_LOCAL_POINTERS
	ADD $144, RSP, R21
	CMP R21, R22
	BNE wrong
	MOVD ZR, (144+const_D_HEAP)(RSP) // and rangefunc
	MOVD RSP, R9
	MOVD R9, (144+const_D_SP)(RSP)
	MOVD R19, (144+const_D_FN)(RSP)
	MOVD const_G_DEFER(g), R9
	MOVD R9, (144+const_D_LINK)(RSP)
	MOVD R21, const_G_DEFER(g)
	CALL (R20)
	RET _wherry_return(SB)
wrong:
	BRK $1 // the assembler lays out frames in another way than ours

// Turning: see ../c/turn_arm64.S.
//
// It is reached by a jump and behaves as if the Go caller of the call in flight
// had called it. While C runs the goroutine stands here, in a system call. Its
// frame is that of _wherry_callback, whose linked runtime._defer stands at
// 144(RSP), when callbacks came before.
//
//   224(RSP)  where the stack pointer of the Go caller is: TURNED_FRAME
//     8(RSP)  C's result, and R20, while the goroutine leaves the system call
//     0(RSP)  return address, saved by the assembler, and the caller's frame
//             pointer below it
//
// Go lets others call runtime.load_g, but not runtime.save_g. load_g leaves the thread
// pointer in R0 and the offset there of the thread's g in R27, so that a store to their
// sum is what save_g does. _wherry_start makes sure that it is.

TEXT _wherry_turned(SB), NOSPLIT|DUPOK, $208-0
	NO_LOCAL_POINTERS
	CALL runtime·entersyscall(SB)
	// The signal handler, or C, goes on: by a jump, since the processor's return
	// predictor expects that each call returns. R9 = where we go on.
	ADR resume, R9
	JMP _wherry_turn_parked(SB)
resume:
	// C is done, or calls back. While C ran the thread's g was its g0, as in cgo.
	MOVD R0, 8(RSP)
	MOVD R1, 16(RSP)
	FMOVD F0, 24(RSP)
	FMOVD F1, 32(RSP)
	FMOVD F2, 40(RSP)
	FMOVD F3, 48(RSP)
	MOVD R20, 56(RSP)
	MOVD g, R19
	CALL runtime·load_g(SB)
	MOVD R19, g
	MOVD g, (R0)(R27)
	CALL runtime·exitsyscall(SB)
	MOVD 56(RSP), R20
	FMOVD 48(RSP), F3
	FMOVD 40(RSP), F2
	FMOVD 32(RSP), F1
	FMOVD 24(RSP), F0
	MOVD 16(RSP), R1
	MOVD 8(RSP), R0
	RET _wherry_turned_left(SB) // drops the frame and jumps

// For C: the thread's g, or nil. C's own registers stay.
TEXT _wherry_getg(SB), NOSPLIT|NOFRAME|DUPOK, $0-0
	MOVD g, R9
	MOVD R27, R10
	MOVD R30, R11
	CALL runtime·load_g(SB)
	MOVD g, R0
	MOVD R9, g
	MOVD R10, R27
	MOVD R11, R30
	RET

TEXT _wherry_setg(SB), NOSPLIT|NOFRAME|DUPOK, $0-0
	MOVD g, R9
	MOVD R27, R10
	MOVD R30, R11
	MOVD R0, R12
	CALL runtime·load_g(SB)
	MOVD R12, (R0)(R27)
	MOVD R9, g
	MOVD R10, R27
	MOVD R11, R30
	RET

#ifdef HOLDS
// A thread that C created holds its P: see ../c/hold_arm64.S. This is the Go function of the
// callback that does not end; what it calls is the thread's own C.
TEXT _wherry_c_thread(SB), DUPOK, $256-0
	NO_LOCAL_POINTERS
	CALL _wherry_hold_enter(SB)
	RET
#endif
