//go:build linux && cgo && (amd64 || arm64)

#include "textflag.h"

DATA ·crosscall2Address(SB)/8, $crosscall2(SB)
GLOBL ·crosscall2Address(SB), NOPTR, $8
