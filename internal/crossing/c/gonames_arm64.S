//go:build ignore

// Names of Go functions, arm64: in a program that is built plainly the linker shows C
// no symbols of Go's, so package c writes down where they are. x16 changes, as
// it may on the way to any function.
.macro NAME name
	.section wherry_text, TEXT_FLAGS, %progbits
	.p2align 4
	.weak _wherry_\name
	.hidden _wherry_\name
	.type _wherry_\name, %function
_wherry_\name:
	adrp x16, _wherry_go_\name
	ldr x16, [x16, :lo12:_wherry_go_\name]
	br x16
	.size _wherry_\name, .-_wherry_\name
	.bss
	.globl _wherry_go_\name
	.hidden _wherry_go_\name
	.p2align 3
_wherry_go_\name:
	.zero 8
	.text
.endm
	NAME turned
	NAME callback
	NAME callback_first
	NAME getg
	NAME setg
