//go:build linux && cgo && go1.24 && !go1.28

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
	MOVD const_stackguard0(g), R16
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

// keptFirst is kept for a func of which the first integer alone is a pointer, as a string's is.
TEXT ·keptFirst(SB), NOSPLIT, $16-0
	FUNCDATA $FUNCDATA_LocalsPointerMaps, ·keptFirstFrame·args_stackmap(SB)
	MOVD const_stackguard0(g), R16
	MOVD RSP, R20
	CMP  R16, R20
	BLS  slow
	MOVD R0, 8(RSP)
	MOVD R26, 16(RSP)
	MOVD binding_enter(R26), R16
	CALL (R16)
	RET
slow:
	MOVD binding_slow(R26), R26
	RET  ·slow(SB)

// starts is where a goroutine may begin, as go statements and timers have it at a func without arguments
// and results: until then the collector finds the goroutine here, and it knows no code of C's linker.
TEXT ·starts(SB), NOSPLIT|NOFRAME, $0-0
	MOVD binding_enter(R26), R16
	JMP  (R16)

TEXT ·slow(SB), NOSPLIT|NOFRAME, $0-0
	MOVD (R26), R16
	JMP  (R16)

#define IMAGE (16 + const_maxStack)
#define KEPT (IMAGE + const_imageSize)

// general: moves, which Bind has planned, carry each argument and result
// through the image (internal/crossing/abi) in memory.
TEXT ·general(SB), NOSPLIT, $688-0
	FUNCDATA $FUNCDATA_LocalsPointerMaps, ·generalFrame·args_stackmap(SB)
	MOVD const_stackguard0(g), R16
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

// One bit for each word from 8(RSP) up: what is kept. By such a name the linker knows
// what belongs to frames.
DATA ·keptFrame·args_stackmap+0(SB)/4, $1
DATA ·keptFrame·args_stackmap+4(SB)/4, $10
DATA ·keptFrame·args_stackmap+8(SB)/2, $0x1ff
GLOBL ·keptFrame·args_stackmap(SB), RODATA|NOPTR, $10
DATA ·keptFirstFrame·args_stackmap+0(SB)/4, $1
DATA ·keptFirstFrame·args_stackmap+4(SB)/4, $2
DATA ·keptFirstFrame·args_stackmap+8(SB)/1, $3
GLOBL ·keptFirstFrame·args_stackmap(SB), RODATA|NOPTR, $9
DATA ·generalFrame·args_stackmap+0(SB)/4, $1
DATA ·generalFrame·args_stackmap+4(SB)/4, $86
DATA ·generalFrame·args_stackmap+8(SB)/8, $0
DATA ·generalFrame·args_stackmap+16(SB)/1, $0
DATA ·generalFrame·args_stackmap+17(SB)/1, $0xf8
DATA ·generalFrame·args_stackmap+18(SB)/1, $0x1f
GLOBL ·generalFrame·args_stackmap(SB), RODATA|NOPTR, $19
