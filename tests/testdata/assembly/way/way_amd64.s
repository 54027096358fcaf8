#include "textflag.h"

TEXT entry0<>(SB), NOSPLIT|NOFRAME, $0
	MOVL $0, AX
	JMP enter<>(SB)

TEXT entry1<>(SB), NOSPLIT|NOFRAME, $0
	MOVL $1, AX
	JMP enter<>(SB)

TEXT entry2<>(SB), NOSPLIT|NOFRAME, $0
	MOVL $2, AX
	JMP enter<>(SB)

// The stack is not as C wants it at the call: a multiple of 16. crosscall2 does not mind. And another
// word is where the return address was, which may be that of the caller of C that has jumped here.
TEXT enter<>(SB), NOSPLIT|NOFRAME, $0
	MOVQ 0(SP), R10
	MOVQ $1, 0(SP)
	SUBQ $32, SP
	MOVQ R10, 24(SP)
	MOVQ AX, 0(SP)
	MOVQ DI, 8(SP)
	MOVQ ·code(SB), DI
	MOVQ SP, SI
	MOVL $24, DX
	XORL CX, CX
	CALL crosscall2(SB)
	MOVQ 16(SP), AX
	MOVQ 24(SP), R10
	ADDQ $32, SP
	MOVQ R10, 0(SP)
	RET

DATA ·entries+0(SB)/8, $entry0<>(SB)
DATA ·entries+8(SB)/8, $entry1<>(SB)
DATA ·entries+16(SB)/8, $entry2<>(SB)
GLOBL ·entries(SB), NOPTR, $24
