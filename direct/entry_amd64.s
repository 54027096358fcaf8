//go:build linux && cgo && go1.24 && !go1.28

// The code of func values that Bind makes, amd64. It checks the stack, brings
// arguments to where Go's registers pair with C's, and goes on to binding.enter, which
// runs C on the thread's system stack: internal/crossing/c/call_amd64.h.
//
//   goroutine's stack
//   +------------------------+
//   | Go's stack arguments   |
//   +------------------------+
//   | return address         |
//   +------------------------+ <- SP of straight, which has no frame
//   | Go's frame pointer     |
//   | what is kept           | kept's and general's, for the collector
//   | the image              | general's
//   | C's stack arguments    |
//   +------------------------+ <- SP at binding.enter, but for its return address
//
// On entry, as Go calls any func value: DX = the binding, whose first word is
// this code; R14 = g; X15 = 0; integer arguments in AX BX CX DI SI R8 R9 R10
// R11, floating-point ones in X0-X14.
// On return: results in the same registers, X15 = 0, R14 and BP as on entry.
//
// The first thing is Go's own stack check, which is how a goroutine learns
// that it is to be preempted: then the call goes to binding.slow, a Go
// function of the same type, with every register as it is.
//
// What C is given must stay where it is. The call may become a system call; then the
// collector finds pointers in the frames of kept and general, each of which has a map for
// it.

#include "textflag.h"
#include "funcdata.h"
#include "go_asm.h"

// kept is straight for a func with pointers among its arguments. binding.pointers has
// all ones for those, and zeros for numbers.
TEXT ·kept(SB), NOSPLIT, $56-0
	FUNCDATA $FUNCDATA_LocalsPointerMaps, ·keptFrame·args_stackmap(SB)
	CMPQ SP, const_stackguard0(R14)
	JLS  slow
	MOVQ AX, R12
	ANDQ (binding_pointers+0)(DX), R12
	MOVQ R12, 0(SP)
	MOVQ BX, R13
	ANDQ (binding_pointers+8)(DX), R13
	MOVQ R13, 8(SP)
	MOVQ CX, R12
	ANDQ (binding_pointers+16)(DX), R12
	MOVQ R12, 16(SP)
	MOVQ DI, R13
	ANDQ (binding_pointers+24)(DX), R13
	MOVQ R13, 24(SP)
	MOVQ SI, R12
	ANDQ (binding_pointers+32)(DX), R12
	MOVQ R12, 32(SP)
	MOVQ R8, R13
	ANDQ (binding_pointers+40)(DX), R13
	MOVQ R13, 40(SP)
	MOVQ DX, 48(SP)
	MOVQ binding_enter(DX), R12
	CALL R12
	RET
slow:
	MOVQ binding_slow(DX), DX
	RET  ·slow(SB) // drops the frame and jumps

// keptFirst is kept for a func of which the first integer alone is a pointer, as a string's is.
TEXT ·keptFirst(SB), NOSPLIT, $16-0
	FUNCDATA $FUNCDATA_LocalsPointerMaps, ·keptFirstFrame·args_stackmap(SB)
	CMPQ SP, const_stackguard0(R14)
	JLS  slow
	MOVQ AX, 0(SP)
	MOVQ DX, 8(SP)
	MOVQ binding_enter(DX), R12
	CALL R12
	RET
slow:
	MOVQ binding_slow(DX), DX
	RET  ·slow(SB)

// starts is where a goroutine may begin, as go statements and timers have it at a func without arguments
// and results: until then the collector finds the goroutine here, and it knows no code of C's linker.
TEXT ·starts(SB), NOSPLIT|NOFRAME, $0-0
	MOVQ binding_enter(DX), R12
	JMP  R12

TEXT ·slow(SB), NOSPLIT|NOFRAME, $0-0
	MOVQ (DX), R12
	JMP  R12

#define IMAGE const_maxStack
#define KEPT (IMAGE + const_imageSize)

// general: moves, which Bind has planned, carry each argument and result
// through the image (internal/crossing/abi) in memory.
TEXT ·general(SB), NOSPLIT, $672-0
	FUNCDATA $FUNCDATA_LocalsPointerMaps, ·generalFrame·args_stackmap(SB)
	CMPQ SP, const_stackguard0(R14)
	JLS  slow
	LEAQ IMAGE(SP), R15
	MOVQ AX, (const_goInts+0)(R15)
	MOVQ BX, (const_goInts+8)(R15)
	MOVQ CX, (const_goInts+16)(R15)
	MOVQ DI, (const_goInts+24)(R15)
	MOVQ SI, (const_goInts+32)(R15)
	MOVQ R8, (const_goInts+40)(R15)
	MOVQ R9, (const_goInts+48)(R15)
	MOVQ R10, (const_goInts+56)(R15)
	MOVQ R11, (const_goInts+64)(R15)
	MOVQ X0, (const_goFloats+0)(R15)
	MOVQ X1, (const_goFloats+8)(R15)
	MOVQ X2, (const_goFloats+16)(R15)
	MOVQ X3, (const_goFloats+24)(R15)
	MOVQ X4, (const_goFloats+32)(R15)
	MOVQ X5, (const_goFloats+40)(R15)
	MOVQ X6, (const_goFloats+48)(R15)
	MOVQ X7, (const_goFloats+56)(R15)
	MOVQ X8, (const_goFloats+64)(R15)
	MOVQ X9, (const_goFloats+72)(R15)
	MOVQ X10, (const_goFloats+80)(R15)
	MOVQ X11, (const_goFloats+88)(R15)
	MOVQ X12, (const_goFloats+96)(R15)
	MOVQ X13, (const_goFloats+104)(R15)
	MOVQ X14, (const_goFloats+112)(R15)
	MOVUPS X15, (KEPT+0)(SP)
	MOVUPS X15, (KEPT+16)(SP)
	MOVUPS X15, (KEPT+32)(SP)
	MOVUPS X15, (KEPT+48)(SP)
	MOVUPS X15, (KEPT+64)(SP)
	MOVQ DX, (KEPT+72)(SP)
	MOVQ R15, (const_bases+0)(R15)
	LEAQ (KEPT+96)(SP), AX // above what is kept, the frame pointer and the return address
	MOVQ AX, (const_bases+8)(R15)
	MOVQ binding_before(DX), R11
	MOVQ (binding_before+8)(DX), R10
	CALL ·moves(SB)
	// C's registers by the names of those that pair with them.
	MOVQ (const_cInts+0)(R15), AX
	MOVQ (const_cInts+8)(R15), BX
	MOVQ (const_cInts+16)(R15), CX
	MOVQ (const_cInts+24)(R15), DI
	MOVQ (const_cInts+32)(R15), SI
	MOVQ (const_cInts+40)(R15), R8
	MOVQ (const_cFloats+0)(R15), X0
	MOVQ (const_cFloats+8)(R15), X1
	MOVQ (const_cFloats+16)(R15), X2
	MOVQ (const_cFloats+24)(R15), X3
	MOVQ (const_cFloats+32)(R15), X4
	MOVQ (const_cFloats+40)(R15), X5
	MOVQ (const_cFloats+48)(R15), X6
	MOVQ (const_cFloats+56)(R15), X7
	MOVQ (KEPT+72)(SP), DX
	MOVQ binding_enter(DX), R12
	CALL R12
	// The stack may have moved.
	LEAQ IMAGE(SP), R15
	MOVQ AX, (const_retInts+0)(R15)
	MOVQ BX, (const_retInts+8)(R15)
	MOVQ X0, (const_retFloats+0)(R15)
	MOVQ X1, (const_retFloats+8)(R15)
	MOVQ BX, const_retErrno(R15)
	MOVQ R15, (const_bases+0)(R15)
	LEAQ (KEPT+96)(SP), AX
	MOVQ AX, (const_bases+8)(R15)
	MOVQ (KEPT+72)(SP), DX
	MOVQ binding_after(DX), R11
	MOVQ (binding_after+8)(DX), R10
	CALL ·moves(SB)
	MOVQ (const_goInts+0)(R15), AX
	MOVQ (const_goInts+8)(R15), BX
	MOVQ (const_goInts+16)(R15), CX
	MOVQ (const_goInts+24)(R15), DI
	MOVQ (const_goInts+32)(R15), SI
	MOVQ (const_goInts+40)(R15), R8
	MOVQ (const_goInts+48)(R15), R9
	MOVQ (const_goInts+56)(R15), R10
	MOVQ (const_goInts+64)(R15), R11
	MOVQ (const_goFloats+0)(R15), X0
	MOVQ (const_goFloats+8)(R15), X1
	MOVQ (const_goFloats+16)(R15), X2
	MOVQ (const_goFloats+24)(R15), X3
	XORPS X15, X15
	RET
slow:
	MOVQ binding_slow(DX), DX
	RET  ·slow(SB)

// One bit for each word from SP up: what is kept. By such a name the linker knows what
// belongs to frames.
DATA ·keptFrame·args_stackmap+0(SB)/4, $1
DATA ·keptFrame·args_stackmap+4(SB)/4, $7
DATA ·keptFrame·args_stackmap+8(SB)/1, $0x7f
GLOBL ·keptFrame·args_stackmap(SB), RODATA|NOPTR, $9
DATA ·keptFirstFrame·args_stackmap+0(SB)/4, $1
DATA ·keptFirstFrame·args_stackmap+4(SB)/4, $2
DATA ·keptFirstFrame·args_stackmap+8(SB)/1, $3
GLOBL ·keptFirstFrame·args_stackmap(SB), RODATA|NOPTR, $9
DATA ·generalFrame·args_stackmap+0(SB)/4, $1
DATA ·generalFrame·args_stackmap+4(SB)/4, $84
DATA ·generalFrame·args_stackmap+8(SB)/8, $0
DATA ·generalFrame·args_stackmap+16(SB)/1, $0
DATA ·generalFrame·args_stackmap+17(SB)/1, $0xfc
DATA ·generalFrame·args_stackmap+18(SB)/1, $0x0f
GLOBL ·generalFrame·args_stackmap(SB), RODATA|NOPTR, $19
