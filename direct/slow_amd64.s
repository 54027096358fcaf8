//go:build linux && cgo

// What needs nothing of Go's runtime: the moves, and the C function that
// runtime.cgocall calls, so that calls work, slowly, with every Go.

#include "textflag.h"
#include "go_asm.h"

// moves: R11 = moves, R10 = how many, R15 = image. Changes AX CX DX.
TEXT ·moves(SB), NOSPLIT|NOFRAME, $0-0
next:
	SUBQ $1, R10
	JLT  done
	MOVBLZX move_FromBase(R11), CX
	MOVLQSX move_From(R11), AX
	ADDQ const_bases(R15)(CX*8), AX
	MOVBLZX move_ToBase(R11), CX
	MOVLQSX move_To(R11), DX
	ADDQ const_bases(R15)(CX*8), DX
	MOVBLZX move_Load(R11), CX
	CMPL CX, $const_load8
	JEQ  load8
	CMPL CX, $const_load4Signed
	JEQ  load4signed
	JLT  load4
	CMPL CX, $const_load2Signed
	JEQ  load2signed
	JLT  load2
	CMPL CX, $const_load1Signed
	JEQ  load1signed
	MOVBLZX (AX), AX
	JMP  store
load8:
	MOVQ (AX), AX
	JMP  store
load4:
	MOVL (AX), AX
	JMP  store
load4signed:
	MOVLQSX (AX), AX
	JMP  store
load2:
	MOVWLZX (AX), AX
	JMP  store
load2signed:
	MOVWQSX (AX), AX
	JMP  store
load1signed:
	MOVBQSX (AX), AX
store:
	MOVBLZX move_Store(R11), CX
	ADDQ $move__size, R11
	CMPL CX, $4
	JGT  store8
	JEQ  store4
	CMPL CX, $1
	JEQ  store1
	MOVW AX, (DX)
	JMP  next
store8:
	MOVQ AX, (DX)
	JMP  next
store4:
	MOVL AX, (DX)
	JMP  next
store1:
	MOVB AX, (DX)
	JMP  next
done:
	RET

#define CLEAR_ERRNO BYTE $0x64; BYTE $0xc7; BYTE $0x00; LONG $0 // MOVL $0, FS:(AX)
#define LOAD_ERRNO  BYTE $0x64; BYTE $0x8b; BYTE $0x00          // MOVL FS:(AX), AX

// enterC is called by runtime.cgocall, as a C function: DI = *slowFrame, whose moves go
// between Go's arguments in memory and an image on this stack.
//
//   | return address         |
//   | R12 R15 BX             |
//   +------------------------+ <- R12, 16-aligned
//   | image                  |
//   +------------------------+ <- R15
//   | C's stack arguments    |
//   +------------------------+ <- SP
TEXT ·enterC(SB), NOSPLIT|NOFRAME, $0-0
	PUSHQ R12
	PUSHQ R15
	PUSHQ BX
	MOVQ SP, R12
	MOVQ DI, BX
	SUBQ $const_imageSize, SP
	MOVQ SP, R15
	MOVQ R15, (const_bases+0)(R15)
	MOVQ slowFrame_args(BX), AX
	MOVQ AX, (const_bases+8)(R15)
	SUBQ slowFrame_stack(BX), SP
	MOVQ slowFrame_before(BX), R11
	MOVQ (slowFrame_before+8)(BX), R10
	CALL ·moves(SB)
	MOVQ slowFrame_errno(BX), AX
	TESTQ AX, AX
	JZ   arguments
	CLEAR_ERRNO
arguments:
	MOVQ (const_cInts+0)(R15), DI
	MOVQ (const_cInts+8)(R15), SI
	MOVQ (const_cInts+16)(R15), DX
	MOVQ (const_cInts+24)(R15), CX
	MOVQ (const_cInts+32)(R15), R8
	MOVQ (const_cInts+40)(R15), R9
	MOVQ (const_cFloats+0)(R15), X0
	MOVQ (const_cFloats+8)(R15), X1
	MOVQ (const_cFloats+16)(R15), X2
	MOVQ (const_cFloats+24)(R15), X3
	MOVQ (const_cFloats+32)(R15), X4
	MOVQ (const_cFloats+40)(R15), X5
	MOVQ (const_cFloats+48)(R15), X6
	MOVQ (const_cFloats+56)(R15), X7
	MOVL $8, AX
	MOVQ slowFrame_fn(BX), R10
	CALL R10
	MOVQ AX, (const_retInts+0)(R15)
	MOVQ DX, (const_retInts+8)(R15)
	MOVQ X0, (const_retFloats+0)(R15)
	MOVQ X1, (const_retFloats+8)(R15)
	MOVQ slowFrame_errno(BX), AX
	LOAD_ERRNO // of no account where AX is 0
	MOVQ AX, const_retErrno(R15)
	MOVQ slowFrame_after(BX), R11
	MOVQ (slowFrame_after+8)(BX), R10
	CALL ·moves(SB)
	MOVQ R12, SP
	POPQ BX
	POPQ R15
	POPQ R12
	RET
