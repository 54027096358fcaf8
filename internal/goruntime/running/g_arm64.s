//go:build linux && go1.24 && !go1.28 && !msan && !asan

#include "textflag.h"

// func getg() (goroutine, stack uintptr)
TEXT ·getg(SB), NOSPLIT, $0-16
	MOVD g, goroutine+0(FP)
	MOVD RSP, R0
	MOVD R0, stack+8(FP)
	RET
