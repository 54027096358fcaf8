//go:build linux && cgo && go1.24 && !go1.28

// The code that C calls. The story is in trampoline_amd64.s; these are 16
// bytes too:
//
//	adr x17, DISTANCE     its closure
//	ldr x16, [x17, #8]    Closure.Code
//	br  x16

#include "textflag.h"

// DISTANCE is 0x20000, as region_unsafe.go has it.
#define TRAMPOLINE \
	WORD $0x10100011; \
	WORD $0xF9400630; \
	WORD $0xD61F0200; \
	WORD $0xD4200000

#define TRAMPOLINES4 TRAMPOLINE; TRAMPOLINE; TRAMPOLINE; TRAMPOLINE
#define TRAMPOLINES16 TRAMPOLINES4; TRAMPOLINES4; TRAMPOLINES4; TRAMPOLINES4
#define TRAMPOLINES64 TRAMPOLINES16; TRAMPOLINES16; TRAMPOLINES16; TRAMPOLINES16

TEXT ·trampolines(SB), NOSPLIT|NOFRAME, $0-0
	PCALIGN $16
	TRAMPOLINES64
	TRAMPOLINES64
	TRAMPOLINES64
	TRAMPOLINES64

DATA ·trampolinesPC(SB)/8, $·trampolines(SB)
GLOBL ·trampolinesPC(SB), RODATA|NOPTR, $8
