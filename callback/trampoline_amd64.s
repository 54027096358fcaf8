//go:build linux && cgo && go1.24 && !go1.28

// The code that C calls: 256 copies of one position-independent trampoline. A
// region maps the pages of this program's file that hold them, again, and data
// pages beside them at a fixed distance: so each copy has a closure of its own,
// and no memory is ever both writable and executable.
//
//   region   | code: trampoline i ... |      | data: closure i ...    |
//              <------------- DISTANCE ------->
//
// A trampoline takes 16 bytes, and so does a closure:
//
//	lea  r11, [rip + DISTANCE - 7]   its closure
//	jmp  [r11 + 8]                   Closure.Code

#include "textflag.h"

// DISTANCE is 0x20000, as region_unsafe.go has it.
#define TRAMPOLINE \
	BYTE $0x4C; BYTE $0x8D; BYTE $0x1D; LONG $0x0001FFF9; \
	BYTE $0x41; BYTE $0xFF; BYTE $0x63; BYTE $0x08; \
	BYTE $0xCC; LONG $0xCCCCCCCC

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
