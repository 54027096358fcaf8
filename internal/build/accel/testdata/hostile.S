// What no compiler writes: NAME is the name of a weak function, and a size is what nothing has.
	.text
	.weak NAME
	.type NAME, @function
NAME:
	ret
	.section .rodata
	.globl _wherry_align_1_Cfunc_f, _wherry_align_1_Cfunc_g
_wherry_align_1_Cfunc_f:
	.byte 8, 4
	.size _wherry_align_1_Cfunc_f, 2
_wherry_align_1_Cfunc_g:
	.byte 1
	.size _wherry_align_1_Cfunc_g, 0x3fffffffffffffff
	.section .note.gnu.build-id, "a", %note
	.long 4, 4, 3
	.asciz "GNU"
	.long 0x1234
	.section .note.GNU-stack, "", %progbits
