//go:build linux && !cgo && (amd64 || arm64)

#include "textflag.h"

DATA ·crosscall2(SB)/8, $crosscall2(SB)
GLOBL ·crosscall2(SB), NOPTR|RODATA, $8
