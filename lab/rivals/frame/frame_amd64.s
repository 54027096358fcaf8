//go:build unix

#include "textflag.h"

// func Call(function uintptr, argument unsafe.Pointer)
//
// The frame is the C stack. C keeps BX, BP and R12 to R15, so R14 (g) survives,
// and R12 can keep SP; assembly by the stack ABI owes its caller no register.
TEXT ·Call(SB), 0, $65536-16
	MOVQ function+0(FP), AX
	MOVQ argument+8(FP), DI
	MOVQ SP, R12
	ANDQ $~15, SP
	CALL AX
	MOVQ R12, SP
	RET
