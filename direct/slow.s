//go:build linux && cgo && (amd64 || arm64)

#include "textflag.h"

// Taking the address of an assembly function in Go gives that of a wrapper; this is the
// code's own.
#define ADDRESS(word, code) DATA word(SB)/8, $code(SB); GLOBL word(SB), RODATA|NOPTR, $8

ADDRESS(·enterCPC, ·enterC)
