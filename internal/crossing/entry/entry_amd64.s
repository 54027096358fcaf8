//go:build linux && cgo && go1.24 && !go1.28

// C calls a function pointer of package callback and is not on a C stack (internal/crossing/c has
// the way from there), amd64: it goes through the runtime's entry from C, or through the one
// that turns a call in flight first.
//
//   stack of C, any thread's             goroutine's stack
//   +------------------------+           +------------------------+
//   | frames of C            |           | frames of the runtime  |
//   | return address into C  |           | fromC                  |
//   | C's saved registers    |           | callGo                 |
//   | Args                   |           | frames of Go ...       |
//   +------------------------+ <- SP
//   | crosscall2 ...         |
//
// On entry: C's calling convention; R11 = the slot.

#include "textflag.h"
#include "funcdata.h"
#include "go_asm.h"

#define ARGS 200 // Args, which leave SP aligned

// C's registers on its stack, which RESTORE undoes with n bytes below them.
#define SAVE \
	PUSHQ BP \
	PUSHQ BX \
	PUSHQ R12 \
	PUSHQ R13 \
	PUSHQ R14 \
	PUSHQ R15

#define RESTORE(n) \
	MOVQ (n+0)(SP), R15 \
	MOVQ (n+8)(SP), R14 \
	MOVQ (n+16)(SP), R13 \
	MOVQ (n+24)(SP), R12 \
	MOVQ (n+32)(SP), BX \
	MOVQ (n+40)(SP), BP \
	LEAQ (n+48)(SP), SP

#define LOAD_RESULTS \
	MOVQ (Args_RetInts+0)(SP), AX \
	MOVQ (Args_RetInts+8)(SP), DX \
	MOVQ (Args_RetFloats+0)(SP), X0 \
	MOVQ (Args_RetFloats+8)(SP), X1

#define STORE_ARGS \
	SUBQ $ARGS, SP \
	MOVQ DI, (Args_Ints+0)(SP) \
	MOVQ SI, (Args_Ints+8)(SP) \
	MOVQ DX, (Args_Ints+16)(SP) \
	MOVQ CX, (Args_Ints+24)(SP) \
	MOVQ R8, (Args_Ints+32)(SP) \
	MOVQ R9, (Args_Ints+40)(SP) \
	MOVQ X0, (Args_Floats+0)(SP) \
	MOVQ X1, (Args_Floats+8)(SP) \
	MOVQ X2, (Args_Floats+16)(SP) \
	MOVQ X3, (Args_Floats+24)(SP) \
	MOVQ X4, (Args_Floats+32)(SP) \
	MOVQ X5, (Args_Floats+40)(SP) \
	MOVQ X6, (Args_Floats+48)(SP) \
	MOVQ X7, (Args_Floats+56)(SP) \
	LEAQ (ARGS+56)(SP), AX \
	MOVQ AX, Args_Stack(SP) \
	MOVQ R11, Args_Slot(SP) \
	MOVQ R10, Args_Released(SP)

// straightEntry is where trampolines jump to if each argument is in the
// register that pairs with Go's.
TEXT ·straightEntry(SB), NOSPLIT|NOFRAME, $0-0
	SAVE
	STORE_ARGS
	JMP ·throughRuntime(SB)

// throughRuntime is the rest, apart for the assembler, which counts PUSHQs. callbackPC may be
// called beside a call in flight too: either turns it first, or there are none.
TEXT ·throughRuntime(SB), NOSPLIT|NOFRAME, $0-0
	MOVQ ·fromCPC(SB), DI
	MOVQ SP, SI
	MOVQ $Args__size, DX
	XORL CX, CX
	MOVQ (TLS), R8
	MOVQ ·callbackPC(SB), AX
	CALL AX
	LOAD_RESULTS
	RESTORE(ARGS)
	RET

// generalEntry is for all other callbacks, whose func takes *Args. callGo tells them apart
// by the slot's code.
TEXT ·generalEntry(SB), NOSPLIT|NOFRAME, $0-0
	JMP ·straightEntry(SB)

// releasedEntry is for slots that no callback has: whatever else is in them,
// the func of releasedSlot is called, and Args tell which slot it was.
TEXT ·releasedEntry(SB), NOSPLIT|NOFRAME, $0-0
	MOVQ R11, R10
	LEAQ ·releasedSlot(SB), R11
	JMP  ·straightEntry(SB)

// func callGo(args *Args)
TEXT ·callGo(SB), 0, $128-8
	NO_LOCAL_POINTERS
	MOVQ (TLS), R14
	XORPS X15, X15
	MOVQ args+0(FP), R13
	MOVQ Args_Slot(R13), DX
	MOVQ Slot_Code(DX), R12
	MOVQ Slot_Func(DX), DX
	CMPQ R12, ·straightCode(SB)
	JNE  general
	MOVQ (Args_Ints+0)(R13), AX
	MOVQ (Args_Ints+8)(R13), BX
	MOVQ (Args_Ints+16)(R13), CX
	MOVQ (Args_Ints+24)(R13), DI
	MOVQ (Args_Ints+32)(R13), SI
	MOVQ (Args_Ints+40)(R13), R8
	MOVQ (Args_Floats+0)(R13), X0
	MOVQ (Args_Floats+8)(R13), X1
	MOVQ (Args_Floats+16)(R13), X2
	MOVQ (Args_Floats+24)(R13), X3
	MOVQ (Args_Floats+32)(R13), X4
	MOVQ (Args_Floats+40)(R13), X5
	MOVQ (Args_Floats+48)(R13), X6
	MOVQ (Args_Floats+56)(R13), X7
	CALL (DX)
	MOVQ args+0(FP), R13
	MOVQ AX, (Args_RetInts+0)(R13)
	MOVQ X0, (Args_RetFloats+0)(R13)
	RET
general:
	MOVQ R13, AX
	CALL (DX)
	RET
