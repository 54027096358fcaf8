//go:build go1.24 && !go1.28

// The least that a way into C can do: find the thread's system stack, go there, put
// the arguments where C wants them, call, and come back. No profiler or signal
// handler learns where the thread is, so these are for measuring alone. Each is the code
// of a func value, whose second word is the C function: DX = the func value, R14 = g,
// arguments in Go's registers.

#include "textflag.h"
#include "go_asm.h"

#define ENTER \
	MOVQ SP, R12 \
	MOVQ const_gM(R14), R13 \
	MOVQ 8(DX), R10 \
	MOVQ const_mG0(R13), R11 \
	MOVQ const_gSchedSP(R11), SP \
	ANDQ $~15, SP

#define LEAVE \
	CALL R10 \
	MOVQ R12, SP \
	XORPS X15, X15

#define INTS2 MOVQ BX, SI; MOVQ AX, DI
#define INTS4 MOVQ CX, DX; MOVQ DI, CX; INTS2
#define INTS6 MOVQ R8, R9; MOVQ SI, R8; INTS4

// Ways for C functions without integer arguments, with two and with six, and with four or
// one and two as a result.
TEXT ·floor0(SB), NOSPLIT|NOFRAME, $0-0
	PCALIGN $64
	ENTER
	LEAVE
	RET

TEXT ·floor2(SB), NOSPLIT|NOFRAME, $0-0
	PCALIGN $64
	ENTER
	INTS2
	LEAVE
	RET

TEXT ·floor6(SB), NOSPLIT|NOFRAME, $0-0
	PCALIGN $64
	ENTER
	INTS6
	LEAVE
	RET

TEXT ·floor4to2(SB), NOSPLIT|NOFRAME, $0-0
	PCALIGN $64
	ENTER
	INTS4
	LEAVE
	MOVQ DX, BX
	RET

TEXT ·floor1to2(SB), NOSPLIT|NOFRAME, $0-0
	PCALIGN $64
	ENTER
	MOVQ AX, DI
	LEAVE
	MOVQ DX, BX
	RET

DATA ·floors+0(SB)/8, $·floor0(SB)
DATA ·floors+8(SB)/8, $·floor2(SB)
DATA ·floors+16(SB)/8, $·floor6(SB)
DATA ·floors+24(SB)/8, $·floor4to2(SB)
DATA ·floors+32(SB)/8, $·floor1to2(SB)
GLOBL ·floors(SB), RODATA|NOPTR, $40
