//go:build linux && cgo && (amd64 || arm64) && go1.24 && !go1.28

#include "textflag.h"

// Taking the address of an assembly function in Go gives that of a wrapper; these are
// the codes' own.
#define ADDRESS(word, code) DATA word(SB)/8, $code(SB); GLOBL word(SB), RODATA|NOPTR, $8

ADDRESS(·keptPC, ·kept)
ADDRESS(·keptFirstPC, ·keptFirst)
ADDRESS(·startsPC, ·starts)
ADDRESS(·generalPC, ·general)
