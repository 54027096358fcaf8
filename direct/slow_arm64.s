//go:build linux && cgo

// What needs nothing of Go's runtime: the moves, and the C function that
// runtime.cgocall calls, so that calls work, slowly, with every Go.

#include "textflag.h"
#include "go_asm.h"

// moves: R16 = moves, R17 = how many, R25 = image. Changes R0 R1 R2.
TEXT ·moves(SB), NOSPLIT|NOFRAME, $0-0
next:
	CBZ  R17, done
	SUB  $1, R17
	MOVBU move_FromBase(R16), R2
	ADD  R2<<3, R25, R2
	MOVD const_bases(R2), R2
	MOVW move_From(R16), R0
	ADD  R2, R0
	MOVBU move_ToBase(R16), R2
	ADD  R2<<3, R25, R2
	MOVD const_bases(R2), R2
	MOVW move_To(R16), R1
	ADD  R2, R1
	MOVBU move_Load(R16), R2
	CMP  $const_load8, R2
	BEQ  load8
	CMP  $const_load4Signed, R2
	BEQ  load4signed
	BLT  load4
	CMP  $const_load2Signed, R2
	BEQ  load2signed
	BLT  load2
	CMP  $const_load1Signed, R2
	BEQ  load1signed
	MOVBU (R0), R0
	JMP  store
load8:
	MOVD (R0), R0
	JMP  store
load4:
	MOVWU (R0), R0
	JMP  store
load4signed:
	MOVW (R0), R0
	JMP  store
load2:
	MOVHU (R0), R0
	JMP  store
load2signed:
	MOVH (R0), R0
	JMP  store
load1signed:
	MOVB (R0), R0
store:
	MOVBU move_Store(R16), R2
	ADD  $move__size, R16
	CMP  $4, R2
	BGT  store8
	BEQ  store4
	CMP  $1, R2
	BEQ  store1
	MOVH R0, (R1)
	JMP  next
store8:
	MOVD R0, (R1)
	JMP  next
store4:
	MOVW R0, (R1)
	JMP  next
store1:
	MOVB R0, (R1)
	JMP  next
done:
	RET

// enterC is called by runtime.cgocall, as a C function: R0 = *slowFrame, whose moves go
// between Go's arguments in memory and an image on this stack. Below the saved registers
// lies the image, then C's stack arguments.
TEXT ·enterC(SB), NOSPLIT|NOFRAME, $0-0
	SUB  $48, RSP
	STP  (R29, R30), (RSP)
	STP  (R19, R20), 16(RSP)
	MOVD R25, 32(RSP)
	MOVD RSP, R19
	MOVD R0, R20
	SUB  $const_imageSize, R19, R25
	MOVD R25, (const_bases+0)(R25)
	MOVD slowFrame_args(R20), R0
	MOVD R0, (const_bases+8)(R25)
	MOVD slowFrame_stack(R20), R0
	SUB  R0, R25, R0
	MOVD R0, RSP
	MOVD slowFrame_before(R20), R16
	MOVD (slowFrame_before+8)(R20), R17
	CALL ·moves(SB)
	MOVD slowFrame_errno(R20), R16
	CBZ  R16, arguments
	MRS  TPIDR_EL0, R17
	MOVW ZR, (R17)(R16)
arguments:
	MOVD (const_cInts+0)(R25), R0
	MOVD (const_cInts+8)(R25), R1
	MOVD (const_cInts+16)(R25), R2
	MOVD (const_cInts+24)(R25), R3
	MOVD (const_cInts+32)(R25), R4
	MOVD (const_cInts+40)(R25), R5
	MOVD (const_cInts+48)(R25), R6
	MOVD (const_cInts+56)(R25), R7
	FMOVD (const_cFloats+0)(R25), F0
	FMOVD (const_cFloats+8)(R25), F1
	FMOVD (const_cFloats+16)(R25), F2
	FMOVD (const_cFloats+24)(R25), F3
	FMOVD (const_cFloats+32)(R25), F4
	FMOVD (const_cFloats+40)(R25), F5
	FMOVD (const_cFloats+48)(R25), F6
	FMOVD (const_cFloats+56)(R25), F7
	MOVD slowFrame_fn(R20), R16
	CALL (R16)
	MOVD R0, (const_retInts+0)(R25)
	MOVD R1, (const_retInts+8)(R25)
	FMOVD F0, (const_retFloats+0)(R25)
	FMOVD F1, (const_retFloats+8)(R25)
	FMOVD F2, (const_retFloats+16)(R25)
	FMOVD F3, (const_retFloats+24)(R25)
	MOVD slowFrame_errno(R20), R16
	MRS  TPIDR_EL0, R17
	MOVWU (R17)(R16), R0 // of no account where R16 is 0
	MOVD R0, const_retErrno(R25)
	MOVD slowFrame_after(R20), R16
	MOVD (slowFrame_after+8)(R20), R17
	CALL ·moves(SB)
	MOVD R19, RSP
	LDP  (RSP), (R29, R30)
	LDP  16(RSP), (R19, R20)
	MOVD 32(RSP), R25
	ADD  $48, RSP
	RET
