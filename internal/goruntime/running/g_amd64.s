//go:build linux && go1.24 && !go1.28 && !msan && !asan

#include "textflag.h"

// func getg() (goroutine, stack uintptr)
TEXT ·getg(SB), NOSPLIT, $0-16
	MOVQ (TLS), AX
	MOVQ AX, goroutine+0(FP)
	MOVQ SP, stack+8(FP)
	RET
