//go:build ignore

// Before C blocks, arm64: the call in flight is turned, and then C goes on to what
// it called, which finds registers and stack as its caller left them.

	.section wherry_text, TEXT_FLAGS, @progbits
// In place of a C function that is known to last: x22 = the call's data.
	.p2align 4
	.weak _wherry_turn_first
	.hidden _wherry_turn_first
	.type _wherry_turn_first, %function
_wherry_turn_first:
	add x16, x22, #CALL_TWIN
	mov x17, #1
	b _wherry_blocks_turned
	.size _wherry_turn_first, .-_wherry_turn_first

// In place of a C function that is watched, x22 = the call's data.
	.p2align 4
	.weak _wherry_watched
	.hidden _wherry_watched
	.type _wherry_watched, %function
_wherry_watched:
	ldr w9, [x22, #CALL_WATCHED]
	cmp w9, #WATCH
	b.hs _wherry_turn_first
	add w9, w9, #1
	str w9, [x22, #CALL_WATCHED]
	ldr x9, [x22, #CALL_TWIN]
	br x9
	.size _wherry_watched, .-_wherry_watched

// In place of a C function that is known to turn its calls, x22 = the call's data; and for good,
// _wherry_by_cgo, of each that cgo calls in a program that is switched off. Back to the stub,
// which finds the call not in flight and goes to _wherry_turned_exit; from there, with Go's
// registers as they were, to the Go function x11. By a ret, since the processor's return
// predictor expects one for each call.
	.p2align 4
	.weak _wherry_through_cgo, _wherry_by_cgo
	.hidden _wherry_through_cgo, _wherry_by_cgo
	.type _wherry_through_cgo, %function
_wherry_through_cgo:
	ldr w9, [x22, #CALL_WAITED]
	ldr w10, [x22, #CALL_PATIENCE]
	add w9, w9, #1
	cmp w9, w10
	b.hs _wherry_turn_first
	str w9, [x22, #CALL_WAITED]
_wherry_by_cgo:
	ldr x11, [x22, #CALL_BYCGO]
	str xzr, [x21, #M_VDSOSP]
	ret
	.size _wherry_through_cgo, .-_wherry_through_cgo

// In place of a function of the C library: x16 = where its address is, or 0 and
// then its name. No registers are saved for a thread that C does not run on in a call
// in flight.
	.text // to a signal it is C: the call may be turned here
	.p2align 4
	.weak _wherry_blocks
	.hidden _wherry_blocks
	.type _wherry_blocks, %function
_wherry_blocks:
	.cfi_startproc
	ldr x17, [x16]
	cbz x17, 1f
	stp x0, x30, [sp, #-16]!
	.cfi_adjust_cfa_offset 16
	bl _wherry_getg
	mov x17, x0
	ldp x0, x30, [sp], #16
	.cfi_adjust_cfa_offset -16
	cbz x17, 3f
	ldr x17, [x17, #G_M]
	ldr x17, [x17, #M_VDSOSP]
	cbnz x17, 1f
	THREAD
	ldr x9, [x9, #THREAD_ACTIVE]
	ldr x9, [x9, #REC_CSP]
	cbz x9, 1f
3:	ldr x17, [x16]
	br x17
1:	mov x17, #0
_wherry_blocks_turned:
	stp x29, x30, [sp, #-32]!
	.cfi_adjust_cfa_offset 32
	.cfi_rel_offset x29, 0
	.cfi_rel_offset x30, 8
	str x16, [sp, #16]
	sub sp, sp, #ARGUMENTS
	.cfi_adjust_cfa_offset ARGUMENTS
	SAVE_ARGUMENTS
	mov x0, x16
	mov x1, x22
	mov x2, x17
	bl _wherry_block
	LOAD_ARGUMENTS
	add sp, sp, #ARGUMENTS
	.cfi_adjust_cfa_offset -ARGUMENTS
	ldr x16, [sp, #16]
	ldp x29, x30, [sp], #32
	.cfi_adjust_cfa_offset -32
	.cfi_restore x29
	.cfi_restore x30
	ldr x17, [x16]
	br x17
	.cfi_endproc
	.size _wherry_blocks, .-_wherry_blocks
	.text
