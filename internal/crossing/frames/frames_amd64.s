//go:build linux && cgo && !wherry_built && (amd64 || arm64) && go1.24 && !go1.28 && !msan && !asan

// The functions that Go's unwinder must know, amd64: calls and callbacks stand in their frames.
// A program that the plain go command builds has them in this package; wherry build has Go's
// assembler compile this file into each package with calls, as duplicates.

#include "textflag.h"
#include "funcdata.h"
#include "go_asm.h"

// The callback: see ../c/callback_amd64.h.
//
// It is reached by a jump from C's side and behaves as if the Go caller of the
// reentrant call had called it. R15 = the Go function, Go's argument registers
// hold its arguments.
//
//   184(SP)  return address into the Go caller, where go_sp points
//   176(SP)  frame pointer of the Go caller, saved by the assembler where the stub has left it
//   120(SP)  runtime._defer, 56 bytes, DEFER_BELOW bytes below go_sp
//     0(SP)  room where the Go function may spill 6 integer and 8 floating-
//            point arguments, as Go's register ABI demands
//
// The first callback of a call links a deferred function into the goroutine's
// list, as runtime.deferprocStack does it: it runs if a panic or
// runtime.Goexit leaves the call. The other callbacks of that call have the
// same frame at the same place, and find it linked; _wherry_settle unlinks it.
// Its fields pc and head are not written: the runtime reads them only of a
// deferred function that recovers, or that ranges over a function.

TEXT _wherry_callback(SB), NOSPLIT|DUPOK, $176-0
	NO_LOCAL_POINTERS
	CALL R15
	// A Go function without a stack check of its own must not keep the collector
	// waiting for all callbacks of the call.
	CMPQ SP, const_G_STACKGUARD0(R14)
	JLS yield
return:
	RET _wherry_return(SB) // drops the frame and jumps
yield:
	MOVQ AX, 0(SP)
	MOVQ X0, 8(SP)
	CALL _wherry_yields_later(SB)
	TESTQ R12, R12
	JNE later
	CALL _wherry_callback_yield(SB)
later:
	MOVQ 0(SP), AX
	MOVQ 8(SP), X0
	JMP return

// Its prologue, which the assembler leaves out of smaller frames, is where the
// goroutine yields.
TEXT _wherry_callback_yield(SB), DUPOK, $128-0
	NO_LOCAL_POINTERS
	RET

// R13 = where C's side expects the runtime._defer, R12 = its function. That comes in a
// register because an address would take R15 where libraries are linked dynamically.
TEXT _wherry_callback_first(SB), NOSPLIT|DUPOK, $176-0
	NO_LOCAL_POINTERS
	LEAQ 120(SP), R11
	CMPQ R11, R13
	JNE wrong
	MOVQ $0, (120+const_D_HEAP)(SP) // and rangefunc
	MOVQ SP, (120+const_D_SP)(SP)
	MOVQ R12, (120+const_D_FN)(SP)
	CMPQ const_G_DEFER(R14), $0
	JNE others
	MOVQ $0, (120+const_D_LINK)(SP)
linked:
	MOVQ R13, const_G_DEFER(R14)
	CALL R15
	RET _wherry_return(SB)
others:
	MOVQ const_G_DEFER(R14), R12
	MOVQ R12, (120+const_D_LINK)(SP)
	JMP linked
wrong:
	INT $3 // the assembler lays out frames in another way than ours

// Turning: see ../c/turn_amd64.S.
//
// It is reached by a jump and behaves as if the Go caller of the call in flight
// had called it. While C runs the goroutine stands here, in a system call. Its
// frame is that of _wherry_callback, whose linked runtime._defer stands at
// 120(SP), when callbacks came before.
//
//   184(SP)  return address into the Go caller: TURNED_FRAME
//   176(SP)  frame pointer of the Go caller, saved by the assembler where the stub has left it
//     0(SP)  C's result, and R15, while the goroutine leaves the system call

TEXT _wherry_turned(SB), NOSPLIT|DUPOK, $176-0
	NO_LOCAL_POINTERS
	CALL runtime·entersyscall(SB)
	// The signal handler, or C, goes on: by a jump, since the processor's return
	// predictor expects that each call returns. AX = where we go on.
	BYTE $0x48; BYTE $0x8d; BYTE $0x05; LONG $5 // LEAQ 5(PC), AX, after a jump of 5 bytes
	JMP _wherry_turn_parked(SB)
	// C is done, or calls back. While C ran the thread's g was its g0, as in cgo.
	MOVQ TLS, CX
	MOVQ R14, 0(CX)(TLS*1)
	MOVQ AX, 0(SP)
	MOVQ DX, 8(SP)
	MOVQ X0, 16(SP)
	MOVQ X1, 24(SP)
	MOVQ R15, 32(SP)
	CALL runtime·exitsyscall(SB)
	MOVQ 32(SP), R15
	MOVQ 24(SP), X1
	MOVQ 16(SP), X0
	MOVQ 8(SP), BX // Go's second register for integers, as DX is C's
	MOVQ 0(SP), AX
	RET _wherry_turned_left(SB) // drops the frame and jumps

// For C: the thread's g, or nil. Only AX changes.
TEXT _wherry_getg(SB), NOSPLIT|DUPOK, $0-0
	MOVQ TLS, AX
	MOVQ 0(AX)(TLS*1), AX
	RET

TEXT _wherry_setg(SB), NOSPLIT|DUPOK, $0-0
	MOVQ TLS, CX
	MOVQ DI, 0(CX)(TLS*1)
	RET

#ifdef HOLDS
// A thread that C created holds its P: see ../c/hold_amd64.S. This is the Go function of the
// callback that does not end; what it calls is the thread's own C.
TEXT _wherry_c_thread(SB), DUPOK, $256-0
	NO_LOCAL_POINTERS
	CALL _wherry_hold_enter(SB)
	RET
#endif
