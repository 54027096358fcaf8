#include "textflag.h"

// func frameAdd(a, b int32) int32
//
// The rival: C runs on the goroutine's stack, which the frame's size has made
// large enough, as directcgo's article describes it.
TEXT ·frameAdd(SB), 0, $65536-12
	MOVL a+0(FP), DI
	MOVL b+4(FP), SI
	MOVQ ·frameAddress(SB), AX
	MOVQ SP, BX
	ANDQ $~15, SP
	CALL AX
	MOVQ BX, SP
	MOVL AX, ret+8(FP)
	RET
