// Code generated from internal/crossing/enter/call_arm64.gas by script/generate; DO NOT EDIT.

//go:build linux && go1.24 && !go1.28

// The calls of bound funcs where none is turned. call_arm64.gas has the picture and
// the contract of the registers.

#include "textflag.h"
#include "go_asm.h"

TEXT ·straight(SB), NOSPLIT|NOFRAME, $0-0
	PCALIGN $16
	MOVD const_gStackGuard0(g), R9
	MOVD RSP, R10
	CMP R9, R10
	BLS l8
	MOVD 8(R26), R22
	MOVD R30, R19
	MOVD RSP, R20
	MOVD const_gM(g), R21
	MOVD R19, const_mVdsoPC(R21)
	MOVD R20, const_mVdsoSP(R21)
	MOVD $1, R9
	MOVB R9, const_gThrowSplit(g)
	MOVD const_mG0(R21), R9
	MOVD const_gSchedSP(R9), R9
	AND $-16, R9, R9
	MOVD R9, RSP
	CALL (R22)
l1:
	MOVD R20, RSP
	MOVD ZR, const_mVdsoSP(R21)
	MOVB ZR, const_gThrowSplit(g)
	RET (R19)
l8:
	MOVD 32(R26), R26
	MOVD (R26), R9
	JMP (R9)

TEXT ·straightFew(SB), NOSPLIT|NOFRAME, $0-0
	PCALIGN $16
	MOVD const_gStackGuard0(g), R9
	MOVD RSP, R10
	CMP R9, R10
	BLS l8
	MOVD 8(R26), R22
	MOVD R30, R19
	MOVD RSP, R20
	MOVD const_gM(g), R21
	MOVD R19, const_mVdsoPC(R21)
	MOVD R20, const_mVdsoSP(R21)
	MOVD $1, R9
	MOVB R9, const_gThrowSplit(g)
	MOVD const_mG0(R21), R9
	MOVD const_gSchedSP(R9), R9
	AND $-16, R9, R9
	MOVD R9, RSP
	CALL (R22)
l1:
	MOVD R20, RSP
	MOVD ZR, const_mVdsoSP(R21)
	MOVB ZR, const_gThrowSplit(g)
	RET (R19)
l8:
	MOVD 32(R26), R26
	MOVD (R26), R9
	JMP (R9)

TEXT ·straightErrno(SB), NOSPLIT|NOFRAME, $0-0
	PCALIGN $16
	MOVD const_gStackGuard0(g), R9
	MOVD RSP, R10
	CMP R9, R10
	BLS l8
	MOVD 8(R26), R22
	MOVD R30, R19
	MOVD RSP, R20
	MOVD const_gM(g), R21
	MOVD R19, const_mVdsoPC(R21)
	MOVD R20, const_mVdsoSP(R21)
	MOVD $1, R9
	MOVB R9, const_gThrowSplit(g)
	MOVD const_mG0(R21), R9
	MOVD const_gSchedSP(R9), R9
	AND $-16, R9, R9
	MOVD R9, RSP
	MOVD 16(R26), R9
	ADD $144, R20, R10
	SUB R9, R10, R10
	MOVD RSP, R11
	SUB R9, R11, R11
	MOVD R11, RSP
l4:
	CBZ R9, l5
	SUB $8, R9, R9
	MOVD (R10)(R9), R12
	MOVD R12, (R11)(R9)
	JMP l4
l5:
	MOVD 24(R26), R23
	CBZ R23, l6
	MRS TPIDR_EL0, R9
	MOVW ZR, (R9)(R23)
l6:
	CALL (R22)
l1:
	CBZ R23, l7
	MRS TPIDR_EL0, R9
	MOVWU (R9)(R23), R1
l7:
	MOVD R20, RSP
	MOVD ZR, const_mVdsoSP(R21)
	MOVB ZR, const_gThrowSplit(g)
	RET (R19)
l8:
	MOVD 32(R26), R26
	MOVD (R26), R9
	JMP (R9)

TEXT ·enter(SB), NOSPLIT|NOFRAME, $0-0
	PCALIGN $16
	MOVD 8(R26), R22
	MOVD R30, R19
	MOVD RSP, R20
	MOVD const_gM(g), R21
	MOVD R19, const_mVdsoPC(R21)
	MOVD R20, const_mVdsoSP(R21)
	MOVD $1, R9
	MOVB R9, const_gThrowSplit(g)
	MOVD const_mG0(R21), R9
	MOVD const_gSchedSP(R9), R9
	AND $-16, R9, R9
	MOVD R9, RSP
	CALL (R22)
l1:
	MOVD R20, RSP
	MOVD ZR, const_mVdsoSP(R21)
	MOVB ZR, const_gThrowSplit(g)
	RET (R19)

TEXT ·enterFull(SB), NOSPLIT|NOFRAME, $0-0
	PCALIGN $16
	MOVD 8(R26), R22
	MOVD R30, R19
	MOVD RSP, R20
	MOVD const_gM(g), R21
	MOVD R19, const_mVdsoPC(R21)
	MOVD R20, const_mVdsoSP(R21)
	MOVD $1, R9
	MOVB R9, const_gThrowSplit(g)
	MOVD const_mG0(R21), R9
	MOVD const_gSchedSP(R9), R9
	AND $-16, R9, R9
	MOVD R9, RSP
	MOVD 16(R26), R9
	ADD $144, R20, R10
	SUB R9, R10, R10
	MOVD RSP, R11
	SUB R9, R11, R11
	MOVD R11, RSP
l4:
	CBZ R9, l5
	SUB $8, R9, R9
	MOVD (R10)(R9), R12
	MOVD R12, (R11)(R9)
	JMP l4
l5:
	MOVD 24(R26), R23
	CBZ R23, l6
	MRS TPIDR_EL0, R9
	MOVW ZR, (R9)(R23)
l6:
	CALL (R22)
l1:
	CBZ R23, l7
	MRS TPIDR_EL0, R9
	MOVWU (R9)(R23), R1
l7:
	MOVD R20, RSP
	MOVD ZR, const_mVdsoSP(R21)
	MOVB ZR, const_gThrowSplit(g)
	RET (R19)
