//go:build linux && go1.24 && !go1.28

// The code of func values that Bind makes, arm64: as in entry_amd64.s.
//
//   goroutine's stack
//   +------------------------+
//   | Go's stack arguments   |
//   | a word for LR          |
//   +------------------------+ <- RSP of straight, which has no frame
//   | a word for the frame pointer
//   | what is kept           | kept's and general's, for the collector
//   | the image              | general's
//   | C's stack arguments    |
//   | a word                 |
//   | return address         |
//   +------------------------+ <- RSP at binding.enter
//
// On entry, as Go calls any func value: R26 = the binding, whose first word is
// this code; R28 = g; LR = return address; integer arguments in R0-R15,
// floating-point ones in F0-F15. On return: results in the same registers; RSP, R28
// and R29 as on entry.

#include "textflag.h"
#include "funcdata.h"
#include "go_asm.h"

#define KEEP(register, n) \
	MOVD (binding_pointers+n)(R26), R16 \
	AND  register, R16 \
	MOVD R16, (8+n)(RSP)

// kept is straight for a func with pointers among its arguments. binding.pointers has
// all ones for those, and zeros for numbers.
TEXT ·kept(SB), NOSPLIT, $80-0
	FUNCDATA $FUNCDATA_LocalsPointerMaps, ·keptFrame·args_stackmap(SB)
	MOVD const_gStackGuard0(g), R16
	MOVD RSP, R20
	CMP  R16, R20
	BLS  slow
	KEEP(R0, 0)
	KEEP(R1, 8)
	KEEP(R2, 16)
	KEEP(R3, 24)
	KEEP(R4, 32)
	KEEP(R5, 40)
	KEEP(R6, 48)
	KEEP(R7, 56)
	MOVD R26, 72(RSP)
	MOVD binding_enter(R26), R16
	CALL (R16)
	RET
slow:
	MOVD binding_slow(R26), R26
	RET  ·slow(SB) // drops the frame and jumps

TEXT ·slow(SB), NOSPLIT|NOFRAME, $0-0
	MOVD (R26), R16
	JMP  (R16)

#define IMAGE (16 + const_maxStack)
#define KEPT (IMAGE + const_imageSize)

// general: moves, which Bind has planned, carry each argument and result
// through the image (internal/crossing/abi) in memory.
TEXT ·general(SB), NOSPLIT, $688-0
	FUNCDATA $FUNCDATA_LocalsPointerMaps, ·generalFrame·args_stackmap(SB)
	MOVD const_gStackGuard0(g), R16
	MOVD RSP, R20
	CMP  R16, R20
	BLS  slow
	ADD  $IMAGE, RSP, R25
	MOVD R0, (const_goInts+0)(R25)
	MOVD R1, (const_goInts+8)(R25)
	MOVD R2, (const_goInts+16)(R25)
	MOVD R3, (const_goInts+24)(R25)
	MOVD R4, (const_goInts+32)(R25)
	MOVD R5, (const_goInts+40)(R25)
	MOVD R6, (const_goInts+48)(R25)
	MOVD R7, (const_goInts+56)(R25)
	MOVD R8, (const_goInts+64)(R25)
	MOVD R9, (const_goInts+72)(R25)
	MOVD R10, (const_goInts+80)(R25)
	MOVD R11, (const_goInts+88)(R25)
	MOVD R12, (const_goInts+96)(R25)
	MOVD R13, (const_goInts+104)(R25)
	MOVD R14, (const_goInts+112)(R25)
	MOVD R15, (const_goInts+120)(R25)
	FMOVD F0, (const_goFloats+0)(R25)
	FMOVD F1, (const_goFloats+8)(R25)
	FMOVD F2, (const_goFloats+16)(R25)
	FMOVD F3, (const_goFloats+24)(R25)
	FMOVD F4, (const_goFloats+32)(R25)
	FMOVD F5, (const_goFloats+40)(R25)
	FMOVD F6, (const_goFloats+48)(R25)
	FMOVD F7, (const_goFloats+56)(R25)
	FMOVD F8, (const_goFloats+64)(R25)
	FMOVD F9, (const_goFloats+72)(R25)
	FMOVD F10, (const_goFloats+80)(R25)
	FMOVD F11, (const_goFloats+88)(R25)
	FMOVD F12, (const_goFloats+96)(R25)
	FMOVD F13, (const_goFloats+104)(R25)
	FMOVD F14, (const_goFloats+112)(R25)
	FMOVD F15, (const_goFloats+120)(R25)
	STP  (ZR, ZR), (KEPT+0)(RSP)
	STP  (ZR, ZR), (KEPT+16)(RSP)
	STP  (ZR, ZR), (KEPT+32)(RSP)
	STP  (ZR, ZR), (KEPT+48)(RSP)
	MOVD ZR, (KEPT+64)(RSP)
	MOVD R26, (KEPT+72)(RSP)
	MOVD R25, (const_bases+0)(R25)
	ADD  $(KEPT+96), RSP, R16 // above what is kept, and two words
	MOVD R16, (const_bases+8)(R25)
	MOVD binding_before(R26), R16
	MOVD (binding_before+8)(R26), R17
	CALL ·moves(SB)
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
	MOVD (KEPT+72)(RSP), R26
	MOVD binding_enter(R26), R16
	CALL (R16)
	// The stack may have moved.
	ADD  $IMAGE, RSP, R25
	MOVD R0, (const_retInts+0)(R25)
	MOVD R1, (const_retInts+8)(R25)
	FMOVD F0, (const_retFloats+0)(R25)
	FMOVD F1, (const_retFloats+8)(R25)
	FMOVD F2, (const_retFloats+16)(R25)
	FMOVD F3, (const_retFloats+24)(R25)
	MOVD R1, const_retErrno(R25)
	MOVD R25, (const_bases+0)(R25)
	ADD  $(KEPT+96), RSP, R16
	MOVD R16, (const_bases+8)(R25)
	MOVD (KEPT+72)(RSP), R26
	MOVD binding_after(R26), R16
	MOVD (binding_after+8)(R26), R17
	CALL ·moves(SB)
	MOVD (const_goInts+0)(R25), R0
	MOVD (const_goInts+8)(R25), R1
	MOVD (const_goInts+16)(R25), R2
	MOVD (const_goInts+24)(R25), R3
	MOVD (const_goInts+32)(R25), R4
	MOVD (const_goInts+40)(R25), R5
	MOVD (const_goInts+48)(R25), R6
	MOVD (const_goInts+56)(R25), R7
	MOVD (const_goInts+64)(R25), R8
	MOVD (const_goInts+72)(R25), R9
	MOVD (const_goInts+80)(R25), R10
	MOVD (const_goInts+88)(R25), R11
	MOVD (const_goInts+96)(R25), R12
	MOVD (const_goInts+104)(R25), R13
	MOVD (const_goInts+112)(R25), R14
	MOVD (const_goInts+120)(R25), R15
	FMOVD (const_goFloats+0)(R25), F0
	FMOVD (const_goFloats+8)(R25), F1
	FMOVD (const_goFloats+16)(R25), F2
	FMOVD (const_goFloats+24)(R25), F3
	RET
slow:
	MOVD binding_slow(R26), R26
	RET  ·slow(SB)

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

// findErrno is called by runtime.cgocall, as a C function: R0 = *errnoFrame. Where the C
// library keeps errno is the same distance from each thread's pointer.
TEXT ·findErrno(SB), NOSPLIT|NOFRAME, $0-0
	STP.W (R19, R30), -16(RSP)
	MOVD R0, R19
	MOVD errnoFrame_location(R19), R16
	CALL (R16)
	MRS  TPIDR_EL0, R1
	SUB  R1, R0
	MOVD R0, errnoFrame_offset(R19)
	LDP.P 16(RSP), (R19, R30)
	RET

// enterC is called by runtime.cgocall, as a C function: R0 = *slowFrame, whose
// image is filled already. Below the saved registers lie C's stack arguments.
TEXT ·enterC(SB), NOSPLIT|NOFRAME, $0-0
	SUB  $48, RSP
	STP  (R29, R30), (RSP)
	STP  (R19, R20), 16(RSP)
	STP  (R21, R22), 32(RSP)
	MOVD RSP, R19
	MOVD R0, R20
	MOVD slowFrame_image(R20), R21
	MOVD slowFrame_errno(R20), R16
	CBZ  R16, arguments
	MRS  TPIDR_EL0, R17
	MOVW ZR, (R17)(R16)
arguments:
	MOVD slowFrame_stack(R20), R2
	SUB  R2, R19, R0
	MOVD R0, RSP
	SUB  R2, R21, R1
copy:
	CMP  R1, R21
	BEQ  load
	MOVD.P 8(R1), R3
	MOVD.P R3, 8(R0)
	JMP  copy
load:
	MOVD (const_cInts+0)(R21), R0
	MOVD (const_cInts+8)(R21), R1
	MOVD (const_cInts+16)(R21), R2
	MOVD (const_cInts+24)(R21), R3
	MOVD (const_cInts+32)(R21), R4
	MOVD (const_cInts+40)(R21), R5
	MOVD (const_cInts+48)(R21), R6
	MOVD (const_cInts+56)(R21), R7
	FMOVD (const_cFloats+0)(R21), F0
	FMOVD (const_cFloats+8)(R21), F1
	FMOVD (const_cFloats+16)(R21), F2
	FMOVD (const_cFloats+24)(R21), F3
	FMOVD (const_cFloats+32)(R21), F4
	FMOVD (const_cFloats+40)(R21), F5
	FMOVD (const_cFloats+48)(R21), F6
	FMOVD (const_cFloats+56)(R21), F7
	MOVD slowFrame_fn(R20), R16
	CALL (R16)
	MOVD R0, (const_retInts+0)(R21)
	MOVD R1, (const_retInts+8)(R21)
	FMOVD F0, (const_retFloats+0)(R21)
	FMOVD F1, (const_retFloats+8)(R21)
	FMOVD F2, (const_retFloats+16)(R21)
	FMOVD F3, (const_retFloats+24)(R21)
	MOVD slowFrame_errno(R20), R16
	MRS  TPIDR_EL0, R17
	MOVWU (R17)(R16), R0 // of no account where R16 is 0
	MOVD R0, const_retErrno(R21)
	MOVD R19, RSP
	LDP  (RSP), (R29, R30)
	LDP  16(RSP), (R19, R20)
	LDP  32(RSP), (R21, R22)
	ADD  $48, RSP
	RET

// enterTyped is called by runtime.cgocall, as a C function: R0 = *typedFrame,
// whose moves go between the Go stub's arguments and an image on this stack.
TEXT ·enterTyped(SB), NOSPLIT|NOFRAME, $0-0
	SUB  $48, RSP
	STP  (R29, R30), (RSP)
	STP  (R19, R20), 16(RSP)
	MOVD R25, 32(RSP)
	MOVD RSP, R19
	MOVD R0, R20
	SUB  $const_imageSize, R19, R25
	MOVD R25, (const_bases+0)(R25)
	MOVD typedFrame_args(R20), R0
	MOVD R0, (const_bases+8)(R25)
	MOVD typedFrame_stack(R20), R0
	SUB  R0, R25, R0
	MOVD R0, RSP
	MOVD typedFrame_before(R20), R16
	MOVD (typedFrame_before+8)(R20), R17
	CALL ·moves(SB)
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
	MOVD typedFrame_fn(R20), R16
	CALL (R16)
	MOVD R0, (const_retInts+0)(R25)
	FMOVD F0, (const_retFloats+0)(R25)
	MOVD typedFrame_after(R20), R16
	MOVD (typedFrame_after+8)(R20), R17
	CALL ·moves(SB)
	MOVD R19, RSP
	LDP  (RSP), (R29, R30)
	LDP  16(RSP), (R19, R20)
	MOVD 32(RSP), R25
	ADD  $48, RSP
	RET

DATA ·generalPC(SB)/8, $·general(SB)
GLOBL ·generalPC(SB), RODATA|NOPTR, $8
DATA ·enterCPC(SB)/8, $·enterC(SB)
GLOBL ·enterCPC(SB), RODATA|NOPTR, $8
DATA ·enterTypedPC(SB)/8, $·enterTyped(SB)
GLOBL ·enterTypedPC(SB), RODATA|NOPTR, $8
DATA ·keptPC(SB)/8, $·kept(SB)
GLOBL ·keptPC(SB), RODATA|NOPTR, $8
DATA ·findErrnoPC(SB)/8, $·findErrno(SB)
GLOBL ·findErrnoPC(SB), RODATA|NOPTR, $8
DATA ·enterPC(SB)/8, $·enter(SB)
GLOBL ·enterPC(SB), RODATA|NOPTR, $8
DATA ·enterFullPC(SB)/8, $·enterFull(SB)
GLOBL ·enterFullPC(SB), RODATA|NOPTR, $8

// One bit for each word from 8(RSP) up: what is kept. By such a name the linker knows
// what belongs to frames.
DATA ·keptFrame·args_stackmap+0(SB)/4, $1
DATA ·keptFrame·args_stackmap+4(SB)/4, $10
DATA ·keptFrame·args_stackmap+8(SB)/2, $0x1ff
GLOBL ·keptFrame·args_stackmap(SB), RODATA|NOPTR, $10
DATA ·generalFrame·args_stackmap+0(SB)/4, $1
DATA ·generalFrame·args_stackmap+4(SB)/4, $86
DATA ·generalFrame·args_stackmap+8(SB)/8, $0
DATA ·generalFrame·args_stackmap+16(SB)/1, $0
DATA ·generalFrame·args_stackmap+17(SB)/1, $0xf8
DATA ·generalFrame·args_stackmap+18(SB)/1, $0x1f
GLOBL ·generalFrame·args_stackmap(SB), RODATA|NOPTR, $19
DATA ·straightPC(SB)/8, $·straight(SB)
GLOBL ·straightPC(SB), RODATA|NOPTR, $8
DATA ·straightErrnoPC(SB)/8, $·straightErrno(SB)
GLOBL ·straightErrnoPC(SB), RODATA|NOPTR, $8
