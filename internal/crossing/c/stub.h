// The stub of a C function that cgo calls, and what is known about its calls, struct call:
// what CALL_C has (call_ARCH.h), and
//
// target: the C function, in the same link unit
// start:  what is called in its place, if something is
// order:  a C stack has at least 1 << order bytes; 0: any will do
// turns:  where turned calls are counted (package stat), or 0
//
// Two strings follow, 8: the function's name and 9: the import path of its package, a zero
// and who promised that it does not call back; and END_STUB.
.macro STUB symbol, target, ints, global=globl, yield=, via=, flags=0, order=0, start=, turns=0, two=0
	.ifb \start
	CALL_C \symbol, \ints, \global, yield=\yield, via=\via, flags=\flags, two=\two
	.else
	CALL_C \symbol, \ints, \global, yield=\yield, via=\via, flags=\flags, two=\two, stack=1
	.endif
	.section wherry_calls, CALLS_FLAGS, %progbits
	.p2align 6
	.hidden \symbol\()_call
	.\global \symbol\()_call
\symbol\()_call:
	.quad 1b
	.ifnb \start
	.quad \start
	.else
	.quad \target
	.endif
	.quad \target, 8f, 9f
	.long \flags, \order
	.quad \turns
	.ifnb \via
	.quad \via
	.else
	.quad 0
	.endif
	.zero CALL_OFF - CALL_BYCGO - 8
// In a program that is switched off. The short stub of amd64 does not say which call it is.
#if defined(__x86_64__)
	.if (\flags) & ALWAYS
	.quad 7b
	.else
	TARGET_OFF \via
	.endif
#else
	TARGET_OFF \via
#endif
	.zero CALL_SIZE - CALL_OFF - 8
	.section wherry_text, TEXT_FLAGS, %progbits
.endm
.macro TARGET_OFF via
	.ifnb \via
	.quad _wherry_by_cgo
	.else
	.quad _wherry_turn_first
	.endif
.endm
.macro END_STUB
	.p2align 2
	.text
.endm
