#include "textflag.h"

TEXT entry0<>(SB), NOSPLIT|NOFRAME, $0
	MOVD $0, R9
	JMP enter<>(SB)

TEXT entry1<>(SB), NOSPLIT|NOFRAME, $0
	MOVD $1, R9
	JMP enter<>(SB)

TEXT entry2<>(SB), NOSPLIT|NOFRAME, $0
	MOVD $2, R9
	JMP enter<>(SB)

// crosscall2 need not keep R30, and Go's assembler uses R27, which is C's.
TEXT enter<>(SB), NOSPLIT|NOFRAME, $0
	SUB $48, RSP
	STP (R27, R30), 0(RSP)
	MOVD R9, 16(RSP)
	MOVD R0, 24(RSP)
	MOVD ·code(SB), R0
	ADD $16, RSP, R1
	MOVD $24, R2
	MOVD ZR, R3
	BL crosscall2(SB)
	MOVD 32(RSP), R0
	LDP 0(RSP), (R27, R30)
	ADD $48, RSP
	RET

DATA ·entries+0(SB)/8, $entry0<>(SB)
DATA ·entries+8(SB)/8, $entry1<>(SB)
DATA ·entries+16(SB)/8, $entry2<>(SB)
GLOBL ·entries(SB), NOPTR, $24
