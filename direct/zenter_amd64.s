// Code generated from internal/crossing/enter/call_amd64.gas by script/generate; DO NOT EDIT.

//go:build linux && go1.24 && !go1.28

// The calls of bound funcs where none is turned. call_amd64.gas has the picture and
// the contract of the registers.

#include "textflag.h"
#include "go_asm.h"

TEXT ·straight(SB), NOSPLIT|NOFRAME, $0-0
	PCALIGN $64
	CMPQ SP, const_gStackGuard0(R14)
	JLS l6
	MOVQ (SP), R11
	LEAQ 8(SP), R12
	MOVQ 8(DX), R10
	MOVQ const_gM(R14), R13
	MOVQ R11, const_mVdsoPC(R13)
	MOVQ R12, const_mVdsoSP(R13)
	MOVB $1, const_gThrowSplit(R14)
	MOVQ const_mG0(R13), R11
	MOVQ const_gSchedSP(R11), SP
	ANDQ $-16, SP
	MOVQ R8, R9
	MOVQ SI, R8
	MOVQ CX, DX
	MOVQ DI, CX
	MOVQ BX, SI
	MOVQ AX, DI
	MOVL $8, AX
	CALL R10
l1:
	LEAQ -8(R12), SP
	MOVQ $0, const_mVdsoSP(R13)
	MOVB $0, const_gThrowSplit(R14)
	XORPS X15, X15
	MOVQ DX, BX
	RET
l6:
	MOVQ 32(DX), DX
	MOVQ (DX), R12
	JMP R12

TEXT ·straightFew(SB), NOSPLIT|NOFRAME, $0-0
	PCALIGN $64
	CMPQ SP, const_gStackGuard0(R14)
	JLS l6
	MOVQ (SP), R11
	LEAQ 8(SP), R12
	MOVQ 8(DX), R10
	MOVQ const_gM(R14), R13
	MOVQ R11, const_mVdsoPC(R13)
	MOVQ R12, const_mVdsoSP(R13)
	MOVB $1, const_gThrowSplit(R14)
	MOVQ const_mG0(R13), R11
	MOVQ const_gSchedSP(R11), SP
	ANDQ $-16, SP
	MOVQ BX, SI
	MOVQ AX, DI
	MOVL $8, AX
	CALL R10
l1:
	LEAQ -8(R12), SP
	MOVQ $0, const_mVdsoSP(R13)
	MOVB $0, const_gThrowSplit(R14)
	XORPS X15, X15
	RET
l6:
	MOVQ 32(DX), DX
	MOVQ (DX), R12
	JMP R12

TEXT ·straightErrno(SB), NOSPLIT|NOFRAME, $0-0
	PCALIGN $64
	CMPQ SP, const_gStackGuard0(R14)
	JLS l6
	MOVQ (SP), R11
	LEAQ 8(SP), R12
	MOVQ 8(DX), R10
	MOVQ const_gM(R14), R13
	MOVQ R11, const_mVdsoPC(R13)
	MOVQ R12, const_mVdsoSP(R13)
	MOVB $1, const_gThrowSplit(R14)
	MOVQ const_mG0(R13), R11
	MOVQ const_gSchedSP(R11), SP
	ANDQ $-16, SP
	MOVQ 16(DX), R15
	LEAQ 128(R12), R9
	SUBQ R15, R9
	SUBQ R15, SP
l2:
	SUBQ $8, R15
	JLT l3
	MOVQ (R9)(R15*1), R11
	MOVQ R11, (SP)(R15*1)
	JMP l2
l3:
	MOVQ 24(DX), R15
	TESTQ R15, R15
	JEQ l4
	BYTE $0x64; BYTE $0x41; BYTE $0xc7; BYTE $0x07; LONG $0 // MOVL $0, FS:(R15)
l4:
	MOVQ R8, R9
	MOVQ SI, R8
	MOVQ CX, DX
	MOVQ DI, CX
	MOVQ BX, SI
	MOVQ AX, DI
	MOVL $8, AX
	CALL R10
l1:
	TESTQ R15, R15
	JEQ l5
	BYTE $0x64; BYTE $0x41; BYTE $0x8b; BYTE $0x17 // MOVL FS:(R15), DX
l5:
	LEAQ -8(R12), SP
	MOVQ $0, const_mVdsoSP(R13)
	MOVB $0, const_gThrowSplit(R14)
	XORPS X15, X15
	MOVQ DX, BX
	RET
l6:
	MOVQ 32(DX), DX
	MOVQ (DX), R12
	JMP R12

TEXT ·enter(SB), NOSPLIT|NOFRAME, $0-0
	PCALIGN $64
	MOVQ (SP), R11
	LEAQ 8(SP), R12
	MOVQ 8(DX), R10
	MOVQ const_gM(R14), R13
	MOVQ R11, const_mVdsoPC(R13)
	MOVQ R12, const_mVdsoSP(R13)
	MOVB $1, const_gThrowSplit(R14)
	MOVQ const_mG0(R13), R11
	MOVQ const_gSchedSP(R11), SP
	ANDQ $-16, SP
	MOVQ R8, R9
	MOVQ SI, R8
	MOVQ CX, DX
	MOVQ DI, CX
	MOVQ BX, SI
	MOVQ AX, DI
	MOVL $8, AX
	CALL R10
l1:
	LEAQ -8(R12), SP
	MOVQ $0, const_mVdsoSP(R13)
	MOVB $0, const_gThrowSplit(R14)
	XORPS X15, X15
	MOVQ DX, BX
	RET

TEXT ·enterFull(SB), NOSPLIT|NOFRAME, $0-0
	PCALIGN $64
	MOVQ (SP), R11
	LEAQ 8(SP), R12
	MOVQ 8(DX), R10
	MOVQ const_gM(R14), R13
	MOVQ R11, const_mVdsoPC(R13)
	MOVQ R12, const_mVdsoSP(R13)
	MOVB $1, const_gThrowSplit(R14)
	MOVQ const_mG0(R13), R11
	MOVQ const_gSchedSP(R11), SP
	ANDQ $-16, SP
	MOVQ 16(DX), R15
	LEAQ 128(R12), R9
	SUBQ R15, R9
	SUBQ R15, SP
l2:
	SUBQ $8, R15
	JLT l3
	MOVQ (R9)(R15*1), R11
	MOVQ R11, (SP)(R15*1)
	JMP l2
l3:
	MOVQ 24(DX), R15
	TESTQ R15, R15
	JEQ l4
	BYTE $0x64; BYTE $0x41; BYTE $0xc7; BYTE $0x07; LONG $0 // MOVL $0, FS:(R15)
l4:
	MOVQ R8, R9
	MOVQ SI, R8
	MOVQ CX, DX
	MOVQ DI, CX
	MOVQ BX, SI
	MOVQ AX, DI
	MOVL $8, AX
	CALL R10
l1:
	TESTQ R15, R15
	JEQ l5
	BYTE $0x64; BYTE $0x41; BYTE $0x8b; BYTE $0x17 // MOVL FS:(R15), DX
l5:
	LEAQ -8(R12), SP
	MOVQ $0, const_mVdsoSP(R13)
	MOVB $0, const_gThrowSplit(R14)
	XORPS X15, X15
	MOVQ DX, BX
	RET
