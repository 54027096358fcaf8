//go:build linux && cgo && !wherry_built && (amd64 || arm64) && go1.24 && !go1.28 && !msan && !asan

#include "textflag.h"

#define ADDRESS(word, code) DATA word(SB)/8, $code(SB); GLOBL word(SB), RODATA|NOPTR, $8

ADDRESS(·TurnedPC, _wherry_turned)
ADDRESS(·CallbackPC, _wherry_callback)
ADDRESS(·CallbackFirstPC, _wherry_callback_first)
ADDRESS(·GetgPC, _wherry_getg)
ADDRESS(·SetgPC, _wherry_setg)
