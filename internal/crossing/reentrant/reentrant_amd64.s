//go:build linux && go1.24 && !go1.28

// A Go function runs a C function on a C stack, and that calls Go, amd64.
//
//   goroutine's stack                    C stack
//   +------------------------+           +------------------------+
//   | frame of Go's caller   |           | record                 |
//   +------------------------+ <- goSP   +------------------------+ <- R12
//   | return address         |           | frames of C            |
//   +------------------------+ <- SP     | return address into C  |
//   | record, or             |           | C's saved registers    |
//   | the callback's frame   |           | Args                   |
//   | frames of Go ...       |           +------------------------+ <- cSP
//                                        | (a nested call takes another stack)
//
// enter has no frame. While C runs, m.vdsoSP is goSP (see package direct), and
// the word below the return address leads to the record: so a callback finds
// it from g, and C may have switched stacks by itself meanwhile.
//
// A callback stores C's registers on the stack that C is on, takes the
// goroutine's stack up at goSP, as if Go's caller had called a Callback function, and
// calls the Go function. No frame of C is on that stack, so it may grow, move
// and be unwound as any other. When the Go function is done, goSP is noted
// anew. A panic just leaves: C's stack is given back by Call.

#include "textflag.h"
#include "funcdata.h"
#include "go_asm.h"

// func enter(r *record)
// R12 = record, R13 = &m.vdsoSP, R14 = g, R15 = &g.throwsplit: C saves them.
TEXT ·enter(SB), NOSPLIT|NOFRAME, $0-8
	MOVQ r+0(FP), R12
	MOVQ (TLS), R14
	MOVQ const_gM(R14), R13
	ADDQ $const_mVdsoSP, R13
	MOVQ $const_gThrowSplit, R15
	ADDQ R14, R15
	LEAQ 8(SP), AX
	MOVQ AX, record_goSP(R12)
	MOVQ BP, record_goFP(R12)
	MOVQ R14, record_g(R12)
	MOVQ R12, -8(SP)
	MOVQ (SP), CX
	MOVQ CX, 8(R13)
	MOVQ AX, (R13)
	MOVB $1, (R15)
	MOVQ record_arg(R12), DI
	MOVQ R12, SP
	CALL record_entry(R12)
	MOVQ record_goFP(R12), BP
	MOVQ record_goSP(R12), AX
	LEAQ -8(AX), SP
	MOVQ $0, (R13)
	MOVB $0, (R15)
	XORPS X15, X15
	RET

#define ARGS 200 // Args, which leave SP aligned
#define FLOATS (Args_Floats)

// C's registers on its stack, which RESTORE undoes with n bytes above SP.
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

// TO_GO finds the way that C came here. On a C thread there is no g, and in a
// plain cgo call g is g0: then it goes to otherwise. So it does in a call that wherry
// build has made, during which g.throwsplit is not 1. A reentrant call it leaves for the
// goroutine's stack. Changes AX R10 and what SAVE saved.
#define TO_GO(otherwise, wrong) \
	MOVQ (TLS), R14 \
	TESTQ R14, R14 \
	JZ   otherwise \
	MOVQ const_gM(R14), R13 \
	CMPQ R14, const_mG0(R13) \
	JEQ  otherwise \
	MOVQ $const_gThrowSplit, R10 \
	CMPB (R14)(R10*1), $1 \
	JNE  otherwise \
	ADDQ $const_mVdsoSP, R13 \
	MOVQ (R13), AX \
	MOVQ -16(AX), R12 \
	CMPQ record_goSP(R12), AX \
	JNE  wrong \
	CMPQ record_g(R12), R14 \
	JNE  wrong \
	CMPQ record_cSP(R12), $0 \
	JNE  wrong \
	MOVQ SP, record_cSP(R12) \
	MOVQ $0, (R13) \
	MOVQ $const_gThrowSplit, R10 \
	MOVB $0, (R14)(R10*1) \
	MOVQ record_goFP(R12), BP \
	LEAQ -8(AX), SP

// TO_C goes back to where TO_GO came from. SP is at the return address into
// Go's caller, wherever that stack is now. R12 = record, R14 = g. Changes R10
// R11 R13.
#define TO_C \
	MOVQ const_gM(R14), R13 \
	ADDQ $const_mVdsoSP, R13 \
	LEAQ 8(SP), R10 \
	CMPQ R10, record_goSP(R12) \
	JEQ  still \
	MOVQ R10, record_goSP(R12) \
	MOVQ BP, record_goFP(R12) \
still: \
	MOVQ R12, -8(SP) \
	MOVQ (SP), R11 \
	MOVQ R11, 8(R13) \
	MOVQ R10, (R13) \
	MOVQ $const_gThrowSplit, R10 \
	MOVB $1, (R14)(R10*1) \
	MOVQ record_cSP(R12), SP \
	MOVQ $0, record_cSP(R12)

#define STORE_ARGS \
	SUBQ $ARGS, SP \
	MOVQ DI, (Args_Ints+0)(SP) \
	MOVQ SI, (Args_Ints+8)(SP) \
	MOVQ DX, (Args_Ints+16)(SP) \
	MOVQ CX, (Args_Ints+24)(SP) \
	MOVQ R8, (Args_Ints+32)(SP) \
	MOVQ R9, (Args_Ints+40)(SP) \
	MOVQ X0, (FLOATS+0)(SP) \
	MOVQ X1, (FLOATS+8)(SP) \
	MOVQ X2, (FLOATS+16)(SP) \
	MOVQ X3, (FLOATS+24)(SP) \
	MOVQ X4, (FLOATS+32)(SP) \
	MOVQ X5, (FLOATS+40)(SP) \
	MOVQ X6, (FLOATS+48)(SP) \
	MOVQ X7, (FLOATS+56)(SP) \
	LEAQ (ARGS+56)(SP), AX \
	MOVQ AX, Args_Stack(SP) \
	MOVQ R11, Args_Slot(SP) \
	MOVQ R10, Args_Released(SP)

// straightEntry is where trampolines jump to if each argument is in the
// register that pairs with Go's. C's calling convention; R11 = the slot.
TEXT ·straightEntry(SB), NOSPLIT|NOFRAME, $0-0
	SAVE
	TO_GO(otherwise, wrong)
	MOVQ DI, AX
	MOVQ SI, BX
	MOVQ CX, DI
	MOVQ DX, CX
	MOVQ R8, SI
	MOVQ R9, R8
	MOVQ Slot_Func(R11), DX
	XORPS X15, X15
	JMP  ·straightCallback(SB)
otherwise:
	STORE_ARGS
	JMP  ·throughRuntime(SB)
wrong:
	INT $3 // C called Go from a direct call, which is not reentrant

// straightCallback seems to be called by Go's caller of enter. DX = the Go
// func, R12 = record. At 0(SP) is room for its spilled arguments, 6 integers
// and 8 floats, as Go's register ABI demands.
TEXT ·straightCallback(SB), NOSPLIT, $120-8
	NO_LOCAL_POINTERS
	MOVQ R12, 112(SP)
	CALL (DX)
	// A func without a stack check of its own must not keep the collector
	// waiting for all callbacks of the call.
	CMPQ SP, const_gStackGuard0(R14)
	JLS  yield
return:
	MOVQ 112(SP), R12
	RET  ·straightReturn(SB) // drops the frame and jumps
yield:
	MOVQ AX, 96(SP)
	MOVQ X0, 104(SP)
	CALL ·yield(SB)
	MOVQ 96(SP), AX
	MOVQ 104(SP), X0
	JMP  return

// The result is in AX or X0, for C too.
TEXT ·straightReturn(SB), NOSPLIT|NOFRAME, $0-0
	TO_C
	RESTORE(0)
	RET

#define LOAD_RESULTS \
	MOVQ (Args_RetInts+0)(SP), AX \
	MOVQ (Args_RetInts+8)(SP), DX \
	MOVQ (Args_RetFloats+0)(SP), X0 \
	MOVQ (Args_RetFloats+8)(SP), X1

// generalEntry is for all other callbacks, whose func takes *Args.
TEXT ·generalEntry(SB), NOSPLIT|NOFRAME, $0-0
	SAVE
	STORE_ARGS
	MOVQ SP, BX
	TO_GO(otherwise, wrong)
	MOVQ BX, AX
	MOVQ Args_Slot(BX), DX
	MOVQ Slot_Func(DX), DX
	XORPS X15, X15
	JMP  ·generalCallback(SB)
otherwise:
	JMP  ·throughRuntime(SB)
wrong:
	INT $3 // C called Go from a direct call, which is not reentrant

// releasedEntry is for slots that no callback has: whatever else is in them,
// the func of releasedSlot is called, and Args tell which slot it was.
TEXT ·releasedEntry(SB), NOSPLIT|NOFRAME, $0-0
	MOVQ R11, R10
	LEAQ ·releasedSlot(SB), R11
	JMP  ·generalEntry(SB)

TEXT ·generalCallback(SB), NOSPLIT, $16-8
	NO_LOCAL_POINTERS
	MOVQ R12, 8(SP)
	CALL (DX)
	MOVQ 8(SP), R12
	RET  ·generalReturn(SB)

TEXT ·generalReturn(SB), NOSPLIT|NOFRAME, $0-0
	TO_C
	LOAD_RESULTS
	RESTORE(ARGS)
	RET

// throughRuntime lets the runtime find or make a goroutine. SAVE and
// STORE_ARGS were done.
TEXT ·throughRuntime(SB), NOSPLIT|NOFRAME, $0-0
	MOVQ ·fromCPC(SB), DI
	MOVQ SP, SI
	MOVQ $Args__size, DX
	XORL CX, CX
	MOVQ ·crosscall2PC(SB), AX
	CALL AX
	LOAD_RESULTS
	RESTORE(ARGS)
	RET

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
	MOVQ (FLOATS+0)(R13), X0
	MOVQ (FLOATS+8)(R13), X1
	MOVQ (FLOATS+16)(R13), X2
	MOVQ (FLOATS+24)(R13), X3
	MOVQ (FLOATS+32)(R13), X4
	MOVQ (FLOATS+40)(R13), X5
	MOVQ (FLOATS+48)(R13), X6
	MOVQ (FLOATS+56)(R13), X7
	CALL (DX)
	MOVQ args+0(FP), R13
	MOVQ AX, (Args_RetInts+0)(R13)
	MOVQ X0, (Args_RetFloats+0)(R13)
	RET
general:
	MOVQ R13, AX
	CALL (DX)
	RET
