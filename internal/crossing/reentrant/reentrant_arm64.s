//go:build linux && go1.24 && !go1.28

// A Go function runs a C function on a C stack, and that calls Go, arm64. The
// story is in reentrant_amd64.s.
//
//   goroutine's stack                    C stack
//   +------------------------+           +------------------------+
//   | frame of Go's caller   |           | record                 |
//   +------------------------+ <- goSP   +------------------------+ <- R19
//   | (its callee's FP)      |           | frames of C            |
//   | record, or             |           | C's saved registers    |
//   | the callback's frame   |           | Args                   |
//   | frames of Go ...       |           +------------------------+ <- cSP
//                                        | (a nested call takes another stack)
//
// Unlike on amd64 the return address into Go's caller is in LR, so the record
// keeps it, and R19-R28 and F8-F15 are C's: Go saves no registers.

#include "textflag.h"
#include "funcdata.h"
#include "go_asm.h"

// func enter(r *record)
// R19 = record, R22 = &m.vdsoSP, R23 = &g.throwsplit, R28 = g: C saves them.
TEXT ·enter(SB), NOSPLIT|NOFRAME, $0-8
	MOVD r+0(FP), R19
	MOVD const_gM(g), R21
	MOVD $const_mVdsoSP, R22
	ADD  R21, R22
	MOVD $const_gThrowSplit, R23
	ADD  g, R23
	MOVD RSP, R9
	MOVD R9, record_goSP(R19)
	MOVD R29, record_goFP(R19)
	MOVD LR, record_goLR(R19)
	MOVD g, record_g(R19)
	MOVD R19, -16(R9)
	MOVD LR, 8(R22)
	MOVD R9, (R22)
	MOVD $1, R10
	MOVB R10, (R23)
	MOVD record_arg(R19), R0
	MOVD record_entry(R19), R16
	MOVD R19, RSP
	CALL (R16)
	MOVD record_goFP(R19), R29
	MOVD record_goLR(R19), LR
	MOVD record_goSP(R19), R9
	MOVD R9, RSP
	MOVD ZR, (R22)
	MOVB ZR, (R23)
	RET

#define ARGS 208 // Args, and 8 to align
#define SAVED 160

// C's registers on its stack, which RESTORE undoes with n bytes above RSP.
#define SAVE \
	SUB $SAVED, RSP \
	STP (R29, R30), 0(RSP) \
	STP (R19, R20), 16(RSP) \
	STP (R21, R22), 32(RSP) \
	STP (R23, R24), 48(RSP) \
	STP (R25, R26), 64(RSP) \
	STP (R27, g), 80(RSP) \
	FSTPD (F8, F9), 96(RSP) \
	FSTPD (F10, F11), 112(RSP) \
	FSTPD (F12, F13), 128(RSP) \
	FSTPD (F14, F15), 144(RSP)

#define RESTORE(n) \
	LDP (n+0)(RSP), (R29, R30) \
	LDP (n+16)(RSP), (R19, R20) \
	LDP (n+32)(RSP), (R21, R22) \
	LDP (n+48)(RSP), (R23, R24) \
	LDP (n+64)(RSP), (R25, R26) \
	LDP (n+80)(RSP), (R27, g) \
	FLDPD (n+96)(RSP), (F8, F9) \
	FLDPD (n+112)(RSP), (F10, F11) \
	FLDPD (n+128)(RSP), (F12, F13) \
	FLDPD (n+144)(RSP), (F14, F15) \
	ADD $(n+SAVED), RSP

// TO_GO finds the way that C came here. On a C thread there is no g, and in a
// plain cgo call g is g0: then it goes to otherwise. A reentrant call it leaves
// for the goroutine's stack. load_g changes R0 R27. Changes R10 R11 and what
// SAVE saved; leaves R9 and R12 alone.
#define TO_GO(otherwise, wrong) \
	CALL runtime·load_g(SB) \
	CBZ  g, otherwise \
	MOVD const_gM(g), R21 \
	MOVD const_mG0(R21), R10 \
	CMP  R10, g \
	BEQ  otherwise \
	MOVD $const_gThrowSplit, R10 \
	MOVBU (g)(R10), R10 \
	CMP  $1, R10 \
	BNE  otherwise \
	MOVD $const_mVdsoSP, R22 \
	ADD  R21, R22 \
	MOVD (R22), R11 \
	MOVD -16(R11), R19 \
	MOVD record_goSP(R19), R10 \
	CMP  R10, R11 \
	BNE  wrong \
	MOVD record_g(R19), R10 \
	CMP  R10, g \
	BNE  wrong \
	MOVD record_cSP(R19), R10 \
	CBNZ R10, wrong \
	MOVD RSP, R10 \
	MOVD R10, record_cSP(R19) \
	MOVD ZR, (R22) \
	MOVD $const_gThrowSplit, R10 \
	MOVB ZR, (g)(R10) \
	MOVD record_goFP(R19), R29 \
	MOVD record_goLR(R19), LR \
	MOVD R11, RSP

// TO_C goes back to where TO_GO came from. RSP is where it was in Go's caller,
// wherever that stack is now, and LR the return address into it. R19 = record,
// R28 = g. Changes R10-R12 R21 R22.
#define TO_C \
	MOVD const_gM(g), R21 \
	MOVD $const_mVdsoSP, R22 \
	ADD  R21, R22 \
	MOVD RSP, R11 \
	MOVD R11, record_goSP(R19) \
	MOVD R29, record_goFP(R19) \
	MOVD R19, -16(R11) \
	MOVD LR, 8(R22) \
	MOVD R11, (R22) \
	MOVD $const_gThrowSplit, R10 \
	MOVD $1, R12 \
	MOVB R12, (g)(R10) \
	MOVD record_cSP(R19), R10 \
	MOVD ZR, record_cSP(R19) \
	MOVD R10, RSP

#define STORE_ARGS \
	SUB  $ARGS, RSP \
	MOVD R0, (Args_Ints+0)(RSP) \
	MOVD R1, (Args_Ints+8)(RSP) \
	MOVD R2, (Args_Ints+16)(RSP) \
	MOVD R3, (Args_Ints+24)(RSP) \
	MOVD R4, (Args_Ints+32)(RSP) \
	MOVD R5, (Args_Ints+40)(RSP) \
	MOVD R6, (Args_Ints+48)(RSP) \
	MOVD R7, (Args_Ints+56)(RSP) \
	FMOVD F0, (Args_Floats+0)(RSP) \
	FMOVD F1, (Args_Floats+8)(RSP) \
	FMOVD F2, (Args_Floats+16)(RSP) \
	FMOVD F3, (Args_Floats+24)(RSP) \
	FMOVD F4, (Args_Floats+32)(RSP) \
	FMOVD F5, (Args_Floats+40)(RSP) \
	FMOVD F6, (Args_Floats+48)(RSP) \
	FMOVD F7, (Args_Floats+56)(RSP) \
	ADD  $(ARGS+SAVED), RSP, R10 \
	MOVD R10, Args_Stack(RSP) \
	MOVD R17, Args_Slot(RSP) \
	MOVD R15, Args_Released(RSP)

#define LOAD_RESULTS \
	MOVD (Args_RetInts+0)(RSP), R0 \
	MOVD (Args_RetInts+8)(RSP), R1 \
	FMOVD (Args_RetFloats+0)(RSP), F0 \
	FMOVD (Args_RetFloats+8)(RSP), F1 \
	FMOVD (Args_RetFloats+16)(RSP), F2 \
	FMOVD (Args_RetFloats+24)(RSP), F3

// straightEntry is where trampolines jump to if each argument is in the
// register that is Go's too. C's calling convention; R17 = the slot.
TEXT ·straightEntry(SB), NOSPLIT|NOFRAME, $0-0
	SAVE
	MOVD R0, R9
	MOVD R17, R12 // the linker may put code that changes it into far calls
	TO_GO(otherwise, wrong)
	MOVD R9, R0
	MOVD Slot_Func(R12), R26
	JMP  ·straightCallback(SB)
otherwise:
	MOVD R9, R0
	MOVD R12, R17
	STORE_ARGS
	JMP  ·throughRuntime(SB)
wrong:
	BRK // C called Go from a direct call, which is not reentrant

// straightCallback seems to be called by Go's caller of enter. R26 = the Go
// func, R19 = record. At 8(RSP) is room for its spilled arguments, 8 integers
// and 8 floats, as Go's register ABI demands.
TEXT ·straightCallback(SB), NOSPLIT, $168-8
	NO_LOCAL_POINTERS
	MOVD R19, 136(RSP)
	MOVD (R26), R16
	CALL (R16)
	// A func without a stack check of its own must not keep the collector
	// waiting for all callbacks of the call.
	MOVD const_gStackGuard0(g), R16
	MOVD RSP, R17
	CMP  R16, R17
	BLS  yield
return:
	MOVD 136(RSP), R19
	RET  ·straightReturn(SB) // drops the frame and jumps
yield:
	MOVD R0, 144(RSP)
	FMOVD F0, 152(RSP)
	CALL ·yield(SB)
	MOVD 144(RSP), R0
	FMOVD 152(RSP), F0
	JMP  return

// The result is in R0 or F0, for C too.
TEXT ·straightReturn(SB), NOSPLIT|NOFRAME, $0-0
	TO_C
	RESTORE(0)
	RET

// generalEntry is for all other callbacks, whose func takes *Args.
TEXT ·generalEntry(SB), NOSPLIT|NOFRAME, $0-0
	SAVE
	STORE_ARGS
	MOVD RSP, R9
	TO_GO(otherwise, wrong)
	MOVD R9, R0
	MOVD Args_Slot(R9), R26
	MOVD Slot_Func(R26), R26
	JMP  ·generalCallback(SB)
otherwise:
	JMP  ·throughRuntime(SB)
wrong:
	BRK // C called Go from a direct call, which is not reentrant

// releasedEntry is for slots that no callback has: whatever else is in them,
// the func of releasedSlot is called, and Args tell which slot it was.
TEXT ·releasedEntry(SB), NOSPLIT|NOFRAME, $0-0
	MOVD R17, R15
	MOVD $·releasedSlot(SB), R17
	JMP  ·generalEntry(SB)

TEXT ·generalCallback(SB), NOSPLIT, $40-8
	NO_LOCAL_POINTERS
	MOVD R19, 24(RSP)
	MOVD (R26), R16
	CALL (R16)
	MOVD 24(RSP), R19
	RET  ·generalReturn(SB)

TEXT ·generalReturn(SB), NOSPLIT|NOFRAME, $0-0
	TO_C
	LOAD_RESULTS
	RESTORE(ARGS)
	RET

// throughRuntime lets the runtime find or make a goroutine. SAVE and
// STORE_ARGS were done.
TEXT ·throughRuntime(SB), NOSPLIT|NOFRAME, $0-0
	MOVD ·fromCPC(SB), R0
	MOVD RSP, R1
	MOVD $Args__size, R2
	MOVD ZR, R3
	MOVD ·crosscall2PC(SB), R16
	CALL (R16)
	LOAD_RESULTS
	RESTORE(ARGS)
	RET

// func callGo(args *Args)
TEXT ·callGo(SB), 0, $152-8
	NO_LOCAL_POINTERS
	MOVD args+0(FP), R19
	MOVD Args_Slot(R19), R26
	MOVD Slot_Code(R26), R20
	MOVD Slot_Func(R26), R26
	MOVD (R26), R16
	MOVD ·straightCode(SB), R21
	CMP  R20, R21
	BNE  general
	MOVD (Args_Ints+0)(R19), R0
	MOVD (Args_Ints+8)(R19), R1
	MOVD (Args_Ints+16)(R19), R2
	MOVD (Args_Ints+24)(R19), R3
	MOVD (Args_Ints+32)(R19), R4
	MOVD (Args_Ints+40)(R19), R5
	MOVD (Args_Ints+48)(R19), R6
	MOVD (Args_Ints+56)(R19), R7
	FMOVD (Args_Floats+0)(R19), F0
	FMOVD (Args_Floats+8)(R19), F1
	FMOVD (Args_Floats+16)(R19), F2
	FMOVD (Args_Floats+24)(R19), F3
	FMOVD (Args_Floats+32)(R19), F4
	FMOVD (Args_Floats+40)(R19), F5
	FMOVD (Args_Floats+48)(R19), F6
	FMOVD (Args_Floats+56)(R19), F7
	CALL (R16)
	MOVD args+0(FP), R19
	MOVD R0, (Args_RetInts+0)(R19)
	FMOVD F0, (Args_RetFloats+0)(R19)
	RET
general:
	MOVD R19, R0
	CALL (R16)
	RET
