//go:build linux && cgo && go1.24 && !go1.28

// C calls a function pointer of package callback, arm64, and is not C of a call on a C stack.
// The picture is in closure_amd64.S; above Args lies C's frame record.
//
// On entry: C's calling convention; x17 = the closure.

#define ARGS 192
#define ARGS_FLOATS 64
#define ARGS_RETINTS 128
#define ARGS_RETFLOATS 144
#define ARGS_STACK 176 // and the closure

// Three ways that are the same here: by the address Go knows what kind of pointer it is.
	.section .note.GNU-stack, "", %progbits
	.text
	.p2align 4
	.globl _wherry_closure_released, _wherry_closure_general, _wherry_closure_straight
	.hidden _wherry_closure_released, _wherry_closure_general, _wherry_closure_straight
	.type _wherry_closure_released, %function
	.type _wherry_closure_general, %function
	.type _wherry_closure_straight, %function
_wherry_closure_released:
	nop
_wherry_closure_general:
	nop
_wherry_closure_straight:
	.cfi_startproc
	stp x29, x30, [sp, #-16]!
	.cfi_adjust_cfa_offset 16
	.cfi_rel_offset x29, 0
	.cfi_rel_offset x30, 8
	mov x29, sp
	add x10, sp, #16
	sub sp, sp, #ARGS
	.cfi_adjust_cfa_offset ARGS
	stp x0, x1, [sp]
	stp x2, x3, [sp, #16]
	stp x4, x5, [sp, #32]
	stp x6, x7, [sp, #48]
	stp d0, d1, [sp, #ARGS_FLOATS]
	stp d2, d3, [sp, #ARGS_FLOATS+16]
	stp d4, d5, [sp, #ARGS_FLOATS+32]
	stp d6, d7, [sp, #ARGS_FLOATS+48]
	stp x10, x17, [sp, #ARGS_STACK]
	adrp x0, _wherry_closure_go
	ldr x0, [x0, :lo12:_wherry_closure_go]
	mov x1, sp
	mov x2, #ARGS
	mov x3, #0
	adrp x16, _wherry_closure_way
	ldr x16, [x16, :lo12:_wherry_closure_way]
	blr x16
	ldp x0, x1, [sp, #ARGS_RETINTS]
	ldp d0, d1, [sp, #ARGS_RETFLOATS]
	ldp d2, d3, [sp, #ARGS_RETFLOATS+16]
	add sp, sp, #ARGS
	.cfi_adjust_cfa_offset -ARGS
	ldp x29, x30, [sp], #16
	.cfi_adjust_cfa_offset -16
	.cfi_restore x29
	.cfi_restore x30
	ret
	.cfi_endproc
	.size _wherry_closure_released, .-_wherry_closure_released
	.size _wherry_closure_general, .-_wherry_closure_general
	.size _wherry_closure_straight, .-_wherry_closure_straight

// The Go function, and crosscall2 or _wherry_callback_thread: closures_unsafe.go sets them.
	.bss
	.globl _wherry_closure_go, _wherry_closure_way
	.hidden _wherry_closure_go, _wherry_closure_way
	.p2align 3
_wherry_closure_go:
	.zero 8
_wherry_closure_way:
	.zero 8
