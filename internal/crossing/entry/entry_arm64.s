//go:build linux && cgo && go1.24 && !go1.28

// C calls a function pointer of package callback and is not on a C stack, arm64. The
// picture is in entry_amd64.s.
//
// On entry: C's calling convention; R17 = the slot. R19-R28 and F8-F15 are C's: Go saves
// no registers.

#include "textflag.h"
#include "funcdata.h"
#include "go_asm.h"

#define ARGS 208 // Args, and 8 to align
#define SAVED 160

// C's registers on its stack, which RESTORE undoes with n bytes below them.
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
// register that is Go's too.
TEXT ·straightEntry(SB), NOSPLIT|NOFRAME, $0-0
	SAVE
	STORE_ARGS
	CALL runtime·load_g(SB)
	MOVD ·fromCPC(SB), R0
	MOVD RSP, R1
	MOVD $Args__size, R2
	MOVD ZR, R3
	MOVD g, R4
	MOVD ·callbackPC(SB), R16
	CALL (R16)
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
	MOVD R17, R15
	MOVD $·releasedSlot(SB), R17
	JMP  ·straightEntry(SB)

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
