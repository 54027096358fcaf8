//go:build linux && go1.24 && !go1.28

// How a func value made by Bind runs a C function on the thread's system
// stack, amd64. What the two kinds of entry have in common:
//
//   goroutine's stack                    thread's system stack (g0)
//   +------------------------+           +------------------------+ hi
//   | Go's stack arguments   |           | frames of the runtime  |
//   +------------------------+ <- R12    +------------------------+ <- g0.sched.sp
//   | return address         | (vdsoPC)  | general: the image     | <- R15
//   +------------------------+ <- SP     | C's stack arguments    |
//                                        +------------------------+ <- SP, 16-aligned
//                                        | frames of C            |
//
// On entry, as Go calls any func value: DX = the binding, whose first word is
// this code; R14 = g; X15 = 0; integer arguments in AX BX CX DI SI R8 R9 R10
// R11, floating-point ones in X0-X14. BX R12 R13 R15 BP and R14 are saved by
// C functions; BP stays the Go caller's.
// On return: results in the same registers, X15 = 0, R14 and BP as on entry.
//
// The first thing is Go's own stack check, which is how a goroutine learns
// that it is to be preempted: then the call goes to binding.slow, a Go
// function of the same type, with every register as it is.
//
// While C runs, m.vdsoPC and m.vdsoSP name the Go caller: profiler and crash
// traceback start there, as they do in a vDSO call. PC is written first, since
// a signal may come between the two. g.throwsplit makes a fault in C fatal, as
// it is in cgo. Both are cleared when SP is back on the goroutine's stack.
//
// No preemption happens in between: the runtime never preempts in assembly or
// in C. So the goroutine's stack does not move, nothing that the arguments
// point at is freed, and g and m stay what they are.

#include "textflag.h"
#include "go_asm.h"

// straight: each argument is in the register that pairs with C's.
TEXT ·straight(SB), NOSPLIT|NOFRAME, $0-0
	CMPQ SP, const_gStackGuard0(R14)
	JLS  slow
	MOVQ const_gM(R14), R13
	MOVQ binding_vdsoSP(DX), R12
	MOVQ binding_throwSplit(DX), R15
	MOVQ binding_fn(DX), R10
	MOVQ const_mG0(R13), R11
	MOVQ (SP), R9
	ADDQ R12, R13
	LEAQ 8(SP), R12
	MOVQ R9, 8(R13)
	MOVQ R12, (R13)
	MOVB $1, (R14)(R15*1)
	MOVQ const_gSchedSP(R11), SP
	ANDQ $~15, SP
	// In an order in which none is overwritten before it is read.
	MOVQ R8, R9
	MOVQ SI, R8
	MOVQ CX, DX
	MOVQ DI, CX
	MOVQ BX, SI
	MOVQ AX, DI
	MOVL $8, AX // a variadic function saves so many vector registers
	CALL R10
	LEAQ -8(R12), SP
	MOVQ $0, (R13)
	MOVB $0, (R14)(R15*1)
	MOVQ DX, BX // a second result
	XORPS X15, X15
	RET
slow:
	MOVQ binding_slow(DX), DX
	MOVQ (DX), R12
	JMP  R12

// general: moves, which Bind has planned, carry each argument and result
// through the image (internal/abi) in memory.
TEXT ·general(SB), NOSPLIT|NOFRAME, $0-0
	CMPQ SP, const_gStackGuard0(R14)
	JLS  slow
	MOVQ const_gM(R14), R13
	MOVQ const_mG0(R13), R15
	MOVQ const_gSchedSP(R15), R15
	ANDQ $~15, R15
	SUBQ $const_imageSize, R15
	ADDQ binding_vdsoSP(DX), R13
	LEAQ 8(SP), R12
	MOVQ AX, (const_goInts+0)(R15)
	MOVQ BX, (const_goInts+8)(R15)
	MOVQ CX, (const_goInts+16)(R15)
	MOVQ DI, (const_goInts+24)(R15)
	MOVQ SI, (const_goInts+32)(R15)
	MOVQ R8, (const_goInts+40)(R15)
	MOVQ R9, (const_goInts+48)(R15)
	MOVQ R10, (const_goInts+56)(R15)
	MOVQ R11, (const_goInts+64)(R15)
	MOVQ X0, (const_goFloats+0)(R15)
	MOVQ X1, (const_goFloats+8)(R15)
	MOVQ X2, (const_goFloats+16)(R15)
	MOVQ X3, (const_goFloats+24)(R15)
	MOVQ X4, (const_goFloats+32)(R15)
	MOVQ X5, (const_goFloats+40)(R15)
	MOVQ X6, (const_goFloats+48)(R15)
	MOVQ X7, (const_goFloats+56)(R15)
	MOVQ X8, (const_goFloats+64)(R15)
	MOVQ X9, (const_goFloats+72)(R15)
	MOVQ X10, (const_goFloats+80)(R15)
	MOVQ X11, (const_goFloats+88)(R15)
	MOVQ X12, (const_goFloats+96)(R15)
	MOVQ X13, (const_goFloats+104)(R15)
	MOVQ X14, (const_goFloats+112)(R15)
	MOVQ R15, (const_bases+0)(R15)
	MOVQ R12, (const_bases+8)(R15)
	MOVQ DX, BX
	MOVQ (SP), AX
	MOVQ AX, 8(R13)
	MOVQ R12, (R13)
	MOVQ binding_throwSplit(BX), AX
	MOVB $1, (R14)(AX*1)
	MOVQ R15, SP
	SUBQ binding_stack(BX), SP
	MOVQ binding_errno(BX), AX
	TESTQ AX, AX
	JZ   arguments
	CALL AX
	MOVL $0, (AX)
arguments:
	MOVQ binding_before(BX), R11
	MOVQ (binding_before+8)(BX), R10
	CALL ·moves(SB)
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
	MOVQ binding_fn(BX), R10
	MOVL $8, AX
	CALL R10
	MOVQ AX, (const_retInts+0)(R15)
	MOVQ DX, (const_retInts+8)(R15)
	MOVQ X0, (const_retFloats+0)(R15)
	MOVQ X1, (const_retFloats+8)(R15)
	MOVQ binding_errno(BX), AX
	TESTQ AX, AX
	JZ   results
	CALL AX
	MOVL (AX), AX
	MOVQ AX, const_retErrno(R15)
results:
	MOVQ binding_after(BX), R11
	MOVQ (binding_after+8)(BX), R10
	CALL ·moves(SB)
	LEAQ -8(R12), SP
	MOVQ $0, (R13)
	MOVQ binding_throwSplit(BX), AX
	MOVB $0, (R14)(AX*1)
	MOVQ (const_goInts+0)(R15), AX
	MOVQ (const_goInts+8)(R15), BX
	MOVQ (const_goInts+16)(R15), CX
	MOVQ (const_goInts+24)(R15), DI
	MOVQ (const_goInts+32)(R15), SI
	MOVQ (const_goInts+40)(R15), R8
	MOVQ (const_goInts+48)(R15), R9
	MOVQ (const_goInts+56)(R15), R10
	MOVQ (const_goInts+64)(R15), R11
	MOVQ (const_goFloats+0)(R15), X0
	MOVQ (const_goFloats+8)(R15), X1
	MOVQ (const_goFloats+16)(R15), X2
	MOVQ (const_goFloats+24)(R15), X3
	XORPS X15, X15
	RET
slow:
	MOVQ binding_slow(DX), DX
	MOVQ (DX), R12
	JMP  R12

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

// enterC is called by runtime.cgocall, as a C function: DI = *slowFrame, whose
// image is filled already.
//
//   | return address         |
//   | R12 R13 BX             |
//   +------------------------+ <- R12, 16-aligned
//   | C's stack arguments    |
//   +------------------------+ <- SP
TEXT ·enterC(SB), NOSPLIT|NOFRAME, $0-0
	PUSHQ R12
	PUSHQ R13
	PUSHQ BX
	MOVQ SP, R12
	MOVQ DI, BX
	MOVQ slowFrame_image(BX), R13
	MOVQ slowFrame_errno(BX), AX
	TESTQ AX, AX
	JZ   arguments
	CALL AX
	MOVL $0, (AX)
arguments:
	MOVQ slowFrame_stack(BX), CX
	SUBQ CX, SP
	MOVQ R13, AX
	SUBQ CX, AX
copy:
	SUBQ $8, CX
	JLT  load
	MOVQ (AX)(CX*1), DX
	MOVQ DX, (SP)(CX*1)
	JMP  copy
load:
	MOVQ (const_cInts+0)(R13), DI
	MOVQ (const_cInts+8)(R13), SI
	MOVQ (const_cInts+16)(R13), DX
	MOVQ (const_cInts+24)(R13), CX
	MOVQ (const_cInts+32)(R13), R8
	MOVQ (const_cInts+40)(R13), R9
	MOVQ (const_cFloats+0)(R13), X0
	MOVQ (const_cFloats+8)(R13), X1
	MOVQ (const_cFloats+16)(R13), X2
	MOVQ (const_cFloats+24)(R13), X3
	MOVQ (const_cFloats+32)(R13), X4
	MOVQ (const_cFloats+40)(R13), X5
	MOVQ (const_cFloats+48)(R13), X6
	MOVQ (const_cFloats+56)(R13), X7
	MOVL $8, AX
	MOVQ slowFrame_fn(BX), R10
	CALL R10
	MOVQ AX, (const_retInts+0)(R13)
	MOVQ DX, (const_retInts+8)(R13)
	MOVQ X0, (const_retFloats+0)(R13)
	MOVQ X1, (const_retFloats+8)(R13)
	MOVQ slowFrame_errno(BX), AX
	TESTQ AX, AX
	JZ   done
	CALL AX
	MOVL (AX), AX
	MOVQ AX, const_retErrno(R13)
done:
	MOVQ R12, SP
	POPQ BX
	POPQ R13
	POPQ R12
	RET

// enterTyped is called by runtime.cgocall, as a C function: DI = *typedFrame,
// whose moves go between the Go stub's arguments and an image on this stack.
TEXT ·enterTyped(SB), NOSPLIT|NOFRAME, $0-0
	PUSHQ R12
	PUSHQ R15
	PUSHQ BX
	MOVQ SP, R12
	MOVQ DI, BX
	SUBQ $const_imageSize, SP
	MOVQ SP, R15
	MOVQ R15, (const_bases+0)(R15)
	MOVQ typedFrame_args(BX), AX
	MOVQ AX, (const_bases+8)(R15)
	SUBQ typedFrame_stack(BX), SP
	MOVQ typedFrame_before(BX), R11
	MOVQ (typedFrame_before+8)(BX), R10
	CALL ·moves(SB)
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
	MOVQ typedFrame_fn(BX), R10
	CALL R10
	MOVQ AX, (const_retInts+0)(R15)
	MOVQ X0, (const_retFloats+0)(R15)
	MOVQ typedFrame_after(BX), R11
	MOVQ (typedFrame_after+8)(BX), R10
	CALL ·moves(SB)
	MOVQ R12, SP
	POPQ BX
	POPQ R15
	POPQ R12
	RET

// Taking the address of an assembly function in Go gives that of a wrapper;
// this gives the code's own.
DATA ·straightPC(SB)/8, $·straight(SB)
GLOBL ·straightPC(SB), RODATA|NOPTR, $8
DATA ·generalPC(SB)/8, $·general(SB)
GLOBL ·generalPC(SB), RODATA|NOPTR, $8
DATA ·enterCPC(SB)/8, $·enterC(SB)
GLOBL ·enterCPC(SB), RODATA|NOPTR, $8
DATA ·enterTypedPC(SB)/8, $·enterTyped(SB)
GLOBL ·enterTypedPC(SB), RODATA|NOPTR, $8
