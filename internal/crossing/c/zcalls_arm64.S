// Code generated from internal/crossing/enter/*_arm64.gas by script/generate; DO NOT EDIT.

//go:build linux && cgo && !wherry_built && (amd64 || arm64) && go1.24 && !go1.28 && !msan && !asan

#include "zoffsets.h"
#if defined(__clang__) && __clang_major__ >= 13
#define TEXT_FLAGS "axR"
#else
#define TEXT_FLAGS "ax"
#endif
	.section wherry_text, TEXT_FLAGS, @progbits
	.p2align 4
	.weak _wherry_crosscall
	.hidden _wherry_crosscall
	.weak _wherry_callback
	.hidden _wherry_callback
	.weak _wherry_callback_first
	.hidden _wherry_callback_first
	.weak _wherry_abandon_func
	.hidden _wherry_abandon_func
	.hidden _wherry_turned_callback
	.type _wherry_crosscall, %function
_wherry_crosscall:
	mrs x9, tpidr_el0
	adrp x10, :gottprel:_wherry_thread
	ldr x10, [x10, :gottprel_lo12:_wherry_thread]
	add x9, x9, x10
	ldr x10, [x9, #0]
	ldr x11, [x10, #32]
	cbnz x11, 3f
	ldr x12, [x10, #56]
	cbz x12, 1f
	mov x11, sp
	ldr x14, [x10, #24]
	ldr x14, [x14, #G_STACKGUARD0]
	ldr x13, [x10, #0]
	cmp x13, x14
	b.ls 3f
	ldp x14, x13, [x10, #104]
	sub x14, x11, x14
	cmp x14, x13
	b.hs 3f
	sub x11, x11, #160
	str x11, [x12]
	b 1f
3:
	b _wherry_crosscall_slow
1:
	stp x29, x30, [sp, #-160]!
	stp x19, x20, [sp, #16]
	stp x21, x22, [sp, #32]
	stp x23, x24, [sp, #48]
	stp x25, x26, [sp, #64]
	stp x27, x28, [sp, #80]
	stp d8, d9, [sp, #96]
	stp d10, d11, [sp, #112]
	stp d12, d13, [sp, #128]
	stp d14, d15, [sp, #144]
	mov x19, x10
	mov x11, sp
	str x11, [x19, #32]
	ldr x28, [x19, #24]
	strb wzr, [x28, #G_THROWSPLIT]
	ldr x21, [x28, #G_M]
	str xzr, [x21, #M_VDSOSP]
	ldr x9, [x19, #0]
	mov sp, x9
	ldr x29, [x19, #8]
	ldr x30, [x19, #16]
	mov x20, x0
	mov x0, x1
	mov x22, sp
	sub x22, x22, #80
	ldr x9, [x28, #G_DEFER]
	cmp x9, x22
	b.ne 2f
	b _wherry_callback
2:
	ldr w9, [x21, #M_LOCKEDINT]
	add w9, w9, #1
	str w9, [x21, #M_LOCKEDINT]
	str x28, [x21, #M_LOCKEDG]
	str x21, [x28, #G_LOCKEDM]
	adrp x19, _wherry_abandon_func
	add x19, x19, :lo12:_wherry_abandon_func
	b _wherry_callback_first
	.size _wherry_crosscall, .-_wherry_crosscall
	.text
	.section wherry_text, TEXT_FLAGS, @progbits
	.p2align 4
	.weak _wherry_closure1
	.hidden _wherry_closure1
	.weak _wherry_callback
	.hidden _wherry_callback
	.weak _wherry_callback_first
	.hidden _wherry_callback_first
	.weak _wherry_abandon_func
	.hidden _wherry_abandon_func
	.hidden _wherry_turned_callback
	.type _wherry_closure1, %function
_wherry_closure1:
	mrs x9, tpidr_el0
	adrp x10, :gottprel:_wherry_thread
	ldr x10, [x10, :gottprel_lo12:_wherry_thread]
	add x9, x9, x10
	ldr x10, [x9, #0]
	ldr x11, [x10, #32]
	cbnz x11, 3f
	ldr x12, [x10, #56]
	cbz x12, 1f
	b 3f
	mov x11, sp
	sub x11, x11, #160
	str x11, [x12]
	b 1f
3:
	adrp x16, _wherry_closure_slow
	ldr x16, [x16, :lo12:_wherry_closure_slow]
	br x16
1:
	stp x29, x30, [sp, #-160]!
	stp x19, x20, [sp, #16]
	stp x21, x22, [sp, #32]
	stp x23, x24, [sp, #48]
	stp x25, x26, [sp, #64]
	stp x27, x28, [sp, #80]
	stp d8, d9, [sp, #96]
	stp d10, d11, [sp, #112]
	stp d12, d13, [sp, #128]
	stp d14, d15, [sp, #144]
	mov x19, x10
	mov x11, sp
	str x11, [x19, #32]
	ldr x28, [x19, #24]
	strb wzr, [x28, #G_THROWSPLIT]
	ldr x21, [x28, #G_M]
	str xzr, [x21, #M_VDSOSP]
	ldr x9, [x19, #0]
	mov sp, x9
	ldr x29, [x19, #8]
	ldr x30, [x19, #16]
	ldr x26, [x17]
	ldr x20, [x26]
	mov x22, sp
	sub x22, x22, #80
	ldr x9, [x28, #G_DEFER]
	cmp x9, x22
	b.ne 2f
	b _wherry_callback
2:
	ldr w9, [x21, #M_LOCKEDINT]
	add w9, w9, #1
	str w9, [x21, #M_LOCKEDINT]
	str x28, [x21, #M_LOCKEDG]
	str x21, [x28, #G_LOCKEDM]
	adrp x19, _wherry_abandon_func
	add x19, x19, :lo12:_wherry_abandon_func
	b _wherry_callback_first
	.size _wherry_closure1, .-_wherry_closure1
	.section .bss._wherry_closure_slow, "aw", @nobits
	.weak _wherry_closure_slow
	.hidden _wherry_closure_slow
	.p2align 3
_wherry_closure_slow:
	.zero 8
	.text
	.section wherry_text, TEXT_FLAGS, @progbits
	.p2align 4
	.weak _wherry_return
	.hidden _wherry_return
	.type _wherry_return, %function
_wherry_return:
	mrs x9, tpidr_el0
	adrp x10, :gottprel:_wherry_thread
	ldr x10, [x10, :gottprel_lo12:_wherry_thread]
	add x9, x9, x10
	ldr x19, [x9, #0]
	ldr x21, [x28, #G_M]
	mov x10, sp
	str x10, [x19, #0]
	str x29, [x19, #8]
	str x30, [x21, #M_VDSOPC]
	str x10, [x21, #M_VDSOSP]
	ldr x9, [x19, #32]
	str xzr, [x19, #32]
	mov sp, x9
	ldp d14, d15, [sp, #144]
	ldp d12, d13, [sp, #128]
	ldp d10, d11, [sp, #112]
	ldp d8, d9, [sp, #96]
	ldp x27, x28, [sp, #80]
	ldp x25, x26, [sp, #64]
	ldp x23, x24, [sp, #48]
	ldp x21, x22, [sp, #32]
	ldp x19, x20, [sp, #16]
	ldp x29, x30, [sp], #160
	ret
	.size _wherry_return, .-_wherry_return
	.p2align 4
	.weak _wherry_yields_later
	.hidden _wherry_yields_later
	.type _wherry_yields_later, %function
_wherry_yields_later:
	mrs x9, tpidr_el0
	adrp x10, :gottprel:_wherry_thread
	ldr x10, [x10, :gottprel_lo12:_wherry_thread]
	add x9, x9, x10
	ldr x9, [x9, #0]
	ldr x19, [x9, #56]
	ret
	.size _wherry_yields_later, .-_wherry_yields_later
	.p2align 4
	.weak _wherry_settle
	.hidden _wherry_settle
	.type _wherry_settle, %function
_wherry_settle:
	ldr x10, [x10, #D_LINK]
	str x10, [x28, #G_DEFER]
_wherry_unlock:
	ldr w10, [x21, #M_LOCKEDINT]
	sub w10, w10, #1
	str w10, [x21, #M_LOCKEDINT]
	cbnz w10, 9f
	ldr w10, [x21, #M_LOCKEDEXT]
	cbnz w10, 9f
	str xzr, [x21, #M_LOCKEDG]
	str xzr, [x28, #G_LOCKEDM]
9:
	ret
	.size _wherry_settle, .-_wherry_settle
	.p2align 4
	.weak _wherry_abandon
	.hidden _wherry_abandon
	.type _wherry_abandon, %function
_wherry_abandon:
	mov x23, x30
	ldr x21, [x28, #G_M]
	mrs x9, tpidr_el0
	adrp x10, :gottprel:_wherry_thread
	ldr x10, [x10, :gottprel_lo12:_wherry_thread]
	add x9, x9, x10
	ldr x19, [x9, #0]
	str xzr, [x19, #32]
	ldr x10, [x19, #48]
	str x10, [x9, #0]
	bl _wherry_unlock
	ldr x9, [x19, #96]
	cbz x9, 1f
	mov x20, sp
	ldr x9, [x21, #M_G0]
	ldr x9, [x9, #G_SCHED_SP]
	and sp, x9, #-16
	mov x0, x19
	bl _wherry_stack_surplus
	mov sp, x20
1:	ret x23
	.size _wherry_abandon, .-_wherry_abandon
	.text
	.section wherry_text, TEXT_FLAGS, @progbits
	.hidden _wherry_settle
	.p2align 4
	.weak _wherry_on_stack
	.hidden _wherry_on_stack
	.type _wherry_on_stack, %function
_wherry_on_stack:
	.cfi_startproc
	.cfi_undefined x30
	mrs x9, tpidr_el0
	adrp x10, :gottprel:_wherry_thread
	ldr x10, [x10, :gottprel_lo12:_wherry_thread]
	add x9, x9, x10
	ldr x10, [x9, #0]
	ldr x10, [x10, #40]
	cbz x10, 3f
	ldr w11, [x22, #44]
	ldr x12, [x10, #80]
	cmp x12, x11
	b.lo 3f
	str x10, [x9, #0]
	str x30, [x10, #72]
	str x20, [x10, #0]
	str x29, [x10, #8]
	str x19, [x10, #16]
	str x28, [x10, #24]
	str x22, [x10, #88]
	mov x20, x10
	mov sp, x20
	ldr x9, [x22, #16]
	blr x9
	mrs x9, tpidr_el0
	adrp x10, :gottprel:_wherry_thread
	ldr x10, [x10, :gottprel_lo12:_wherry_thread]
	add x9, x9, x10
	ldr x10, [x20, #48]
	str x10, [x9, #0]
	ldr x11, [x20, #32]
	cbnz x11, 5f
	mov x22, x20
	ldr x20, [x22, #0]
	ldr x29, [x22, #8]
	ldr x19, [x22, #16]
	mov w9, #3
	strb w9, [x28, #G_THROWSPLIT]
	ldr x9, [x21, #M_G0]
	ldr x9, [x9, #G_SCHED_SP]
	and sp, x9, #-16
	sub sp, sp, #16
	ldr x10, [x22, #88]
	stp xzr, x10, [sp]
	ldr x30, [x22, #72]
	sub x10, x20, #80
	ldr x11, [x28, #G_DEFER]
	cmp x10, x11
	b.eq 4f
	ldr x11, [x22, #96]
	cbnz x11, 7f
	ret
3:	b _wherry_stack_wanted
4:	mov x23, x30
	bl _wherry_settle
	mov x30, x23
	ldr x11, [x22, #96]
	cbnz x11, 7f
	ret
7:	sub sp, sp, #48+16
	stp x0, x1, [sp]
	stp d0, d1, [sp, #16]
	stp d2, d3, [sp, #32]
	str x30, [sp, #48]
	mov x0, x22
	bl _wherry_stack_surplus
	ldr x30, [sp, #48]
	ldp d2, d3, [sp, #32]
	ldp d0, d1, [sp, #16]
	ldp x0, x1, [sp]
	add sp, sp, #48+16
	ret
5:	str xzr, [x20, #32]
	ldr x9, [x21, #M_G0]
	ldr x9, [x9, #G_SCHED_SP]
	and sp, x9, #-16
	sub sp, sp, #48
	stp x0, x1, [sp]
	stp d0, d1, [sp, #16]
	stp d2, d3, [sp, #32]
	mov x0, x28
	bl _wherry_turn_over
	ldr x11, [x20, #96]
	cbz x11, 6f
	mov x0, x20
	bl _wherry_stack_surplus
6:
	ldp d2, d3, [sp, #32]
	ldp d0, d1, [sp, #16]
	ldp x0, x1, [sp]
	mov x20, #0
	ldr x9, [x28, #G_SYSCALLSP]
	mov sp, x9
	sub x29, x9, #8
	adrp x9, _wherry_turn_resume
	ldr x9, [x9, #:lo12:_wherry_turn_resume]
	br x9
	.cfi_endproc
	.size _wherry_on_stack, .-_wherry_on_stack
	.p2align 4
	.weak _wherry_stack_wanted
	.hidden _wherry_stack_wanted
	.type _wherry_stack_wanted, %function
_wherry_stack_wanted:
	.cfi_startproc
	stp x29, x30, [sp, #-16]!
	.cfi_adjust_cfa_offset 16
	.cfi_rel_offset x29, 0
	.cfi_rel_offset x30, 8
	sub sp, sp, #208
	.cfi_adjust_cfa_offset 208
	stp x0, x1, [sp]
	stp x2, x3, [sp, #16]
	stp x4, x5, [sp, #32]
	stp x6, x7, [sp, #48]
	str x8, [sp, #64]
	stp q0, q1, [sp, #80]
	stp q2, q3, [sp, #112]
	stp q4, q5, [sp, #144]
	stp q6, q7, [sp, #176]
	ldr w0, [x22, #44]
	bl _wherry_stack_new
	mov x9, x0
	ldp q6, q7, [sp, #176]
	ldp q4, q5, [sp, #144]
	ldp q2, q3, [sp, #112]
	ldp q0, q1, [sp, #80]
	ldr x8, [sp, #64]
	ldp x6, x7, [sp, #48]
	ldp x4, x5, [sp, #32]
	ldp x2, x3, [sp, #16]
	ldp x0, x1, [sp]
	add sp, sp, #208
	.cfi_adjust_cfa_offset -208
	ldp x29, x30, [sp], #16
	.cfi_adjust_cfa_offset -16
	.cfi_restore x29
	.cfi_restore x30
	cbnz x9, 1f
	ldrb w9, [x28, #G_THROWSPLIT]
	cmp w9, #3
	b.eq _wherry_on_stack
1:	ldr x9, [x22, #16]
	br x9
	.cfi_endproc
	.size _wherry_stack_wanted, .-_wherry_stack_wanted
	.text
	.section wherry_text, TEXT_FLAGS, @progbits
	.weak _wherry_turned
	.hidden _wherry_turned
	.p2align 4
	.weak _wherry_turn_enter
	.hidden _wherry_turn_enter
	.type _wherry_turn_enter, %function
_wherry_turn_enter:
	stp x29, x30, [sp, #-160]!
	stp x19, x20, [sp, #16]
	stp x21, x22, [sp, #32]
	stp x23, x24, [sp, #48]
	stp x25, x26, [sp, #64]
	stp x27, x28, [sp, #80]
	stp d8, d9, [sp, #96]
	stp d10, d11, [sp, #112]
	stp d12, d13, [sp, #128]
	stp d14, d15, [sp, #144]
	mrs x9, tpidr_el0
	adrp x10, :gottprel:_wherry_thread
	ldr x10, [x10, :gottprel_lo12:_wherry_thread]
	add x9, x9, x10
	mov x11, sp
	str x11, [x9, #32]
	cbz x3, 1f
	str x11, [x3, #G_SCHED_SP]
1:	mov x28, x0
	mov sp, x1
	mov x29, x2
	mov x30, x4
	b _wherry_turned
	.size _wherry_turn_enter, .-_wherry_turn_enter
	.p2align 4
	.weak _wherry_turn_parked
	.hidden _wherry_turn_parked
	.type _wherry_turn_parked, %function
_wherry_turn_parked:
	adrp x10, _wherry_turn_resume
	str x9, [x10, #:lo12:_wherry_turn_resume]
	mrs x9, tpidr_el0
	adrp x10, :gottprel:_wherry_thread
	ldr x10, [x10, :gottprel_lo12:_wherry_thread]
	add x9, x9, x10
	ldr x9, [x9, #32]
	mov sp, x9
	ldp d14, d15, [sp, #144]
	ldp d12, d13, [sp, #128]
	ldp d10, d11, [sp, #112]
	ldp d8, d9, [sp, #96]
	ldp x27, x28, [sp, #80]
	ldp x25, x26, [sp, #64]
	ldp x23, x24, [sp, #48]
	ldp x21, x22, [sp, #32]
	ldp x19, x20, [sp, #16]
	ldp x29, x30, [sp], #160
	ret
	.size _wherry_turn_parked, .-_wherry_turn_parked
	.section .bss._wherry_turn_resume, "aw", @nobits
	.weak _wherry_turn_resume
	.hidden _wherry_turn_resume
	.p2align 3
_wherry_turn_resume:
	.zero 8
	.section wherry_text, TEXT_FLAGS, @progbits
	.p2align 4
	.weak _wherry_turned_exit
	.hidden _wherry_turned_exit
	.type _wherry_turned_exit, %function
_wherry_turned_exit:
	ldrb w9, [x28, #G_THROWSPLIT]
	cbz w9, 1f
	sub sp, sp, #48
	stp x0, x1, [sp]
	stp d0, d1, [sp, #16]
	stp d2, d3, [sp, #32]
	mov x0, x28
	bl _wherry_turn_over
	ldp d2, d3, [sp, #32]
	ldp d0, d1, [sp, #16]
	ldp x0, x1, [sp]
	ldr x9, [x28, #G_SYSCALLSP]
	add x10, x9, #224
	sub x10, x10, x20
	add x29, x29, x10
	str x29, [x9, #-8]
	mov x20, #0
	ldr x9, [x28, #G_SYSCALLSP]
	mov sp, x9
	sub x29, x9, #8
	adrp x9, _wherry_turn_resume
	ldr x9, [x9, #:lo12:_wherry_turn_resume]
	br x9
1:	mov sp, x20
	str xzr, [x21, #M_VDSOSP]
	mov x30, x19
	br x11
	.size _wherry_turned_exit, .-_wherry_turned_exit
	.p2align 4
	.weak _wherry_turned_left
	.hidden _wherry_turned_left
	.type _wherry_turned_left, %function
_wherry_turned_left:
	ldr x21, [x28, #G_M]
	mov x11, sp
	cbnz x20, 5f
	sub x10, x11, #80
	ldr x9, [x28, #G_DEFER]
	cmp x9, x10
	b.eq _wherry_settle
	ret
5:
	ldr w10, [x21, #M_LOCKEDINT]
	sub w10, w10, #1
	str w10, [x21, #M_LOCKEDINT]
	cbnz w10, 9f
	ldr w10, [x21, #M_LOCKEDEXT]
	cbnz w10, 9f
	str xzr, [x21, #M_LOCKEDG]
	str xzr, [x28, #G_LOCKEDM]
9:
	mrs x9, tpidr_el0
	adrp x10, :gottprel:_wherry_thread
	ldr x10, [x10, :gottprel_lo12:_wherry_thread]
	add x9, x9, x10
	ldr x19, [x9, #0]
	str x11, [x19, #0]
	str x29, [x19, #8]
	str x30, [x19, #16]
	str x30, [x21, #M_VDSOPC]
	str x11, [x21, #M_VDSOSP]
	ldr x9, [x9, #32]
	mov sp, x9
	str xzr, [x19, #32]
	ldp d14, d15, [sp, #144]
	ldp d12, d13, [sp, #128]
	ldp d10, d11, [sp, #112]
	ldp d8, d9, [sp, #96]
	ldp x27, x28, [sp, #80]
	ldp x25, x26, [sp, #64]
	ldp x23, x24, [sp, #48]
	ldp x21, x22, [sp, #32]
	ldp x19, x20, [sp, #16]
	ldp x29, x30, [sp], #160
	ret
	.size _wherry_turned_left, .-_wherry_turned_left
	.p2align 4
	.weak _wherry_unturn
	.hidden _wherry_unturn
	.type _wherry_unturn, %function
_wherry_unturn:
	stp x29, x30, [sp, #-160]!
	stp x19, x20, [sp, #16]
	stp x21, x22, [sp, #32]
	stp x23, x24, [sp, #48]
	stp x25, x26, [sp, #64]
	stp x27, x28, [sp, #80]
	stp d8, d9, [sp, #96]
	stp d10, d11, [sp, #112]
	stp d12, d13, [sp, #128]
	stp d14, d15, [sp, #144]
	mrs x9, tpidr_el0
	adrp x10, :gottprel:_wherry_thread
	ldr x10, [x10, :gottprel_lo12:_wherry_thread]
	add x9, x9, x10
	mov x11, sp
	str x11, [x9, #32]
	ldr x19, [x9, #0]
	ldr x10, [x19, #56]
	cbz x10, 1f
	str x11, [x10]
1:	ldr x28, [x19, #24]
	ldr x21, [x28, #G_M]
	ldr w10, [x21, #M_LOCKEDINT]
	add w10, w10, #1
	str w10, [x21, #M_LOCKEDINT]
	str x28, [x21, #M_LOCKEDG]
	str x21, [x28, #G_LOCKEDM]
	mov x20, #1
	ldr x9, [x28, #G_SYSCALLSP]
	mov sp, x9
	sub x29, x9, #8
	adrp x9, _wherry_turn_resume
	ldr x9, [x9, #:lo12:_wherry_turn_resume]
	br x9
	.size _wherry_unturn, .-_wherry_unturn
	.p2align 4
	.weak _wherry_turned_callback
	.hidden _wherry_turned_callback
	.type _wherry_turned_callback, %function
_wherry_turned_callback:
	stp x29, x30, [sp, #-32]!
	str x16, [sp, #16]
	sub sp, sp, #208
	stp x0, x1, [sp]
	stp x2, x3, [sp, #16]
	stp x4, x5, [sp, #32]
	stp x6, x7, [sp, #48]
	str x8, [sp, #64]
	stp q0, q1, [sp, #80]
	stp q2, q3, [sp, #112]
	stp q4, q5, [sp, #144]
	stp q6, q7, [sp, #176]
	bl _wherry_ready
	ldp q6, q7, [sp, #176]
	ldp q4, q5, [sp, #144]
	ldp q2, q3, [sp, #112]
	ldp q0, q1, [sp, #80]
	ldr x8, [sp, #64]
	ldp x6, x7, [sp, #48]
	ldp x4, x5, [sp, #32]
	ldp x2, x3, [sp, #16]
	ldp x0, x1, [sp]
	add sp, sp, #208
	ldr x16, [sp, #16]
	ldp x29, x30, [sp], #32
	br x16
	.size _wherry_turned_callback, .-_wherry_turned_callback
	.text
	.section wherry_text, TEXT_FLAGS, @progbits
	.p2align 4
	.weak _wherry_turn_first
	.hidden _wherry_turn_first
	.type _wherry_turn_first, %function
_wherry_turn_first:
	add x16, x22, #16
	mov x17, #1
	b _wherry_blocks_turned
	.size _wherry_turn_first, .-_wherry_turn_first
	.p2align 4
	.weak _wherry_through_cgo, _wherry_by_cgo
	.hidden _wherry_through_cgo, _wherry_by_cgo
	.type _wherry_through_cgo, %function
_wherry_through_cgo:
	ldr w9, [x22, #80]
	ldr w10, [x22, #76]
	add w9, w9, #1
	cmp w9, w10
	b.hs _wherry_turn_first
	str w9, [x22, #80]
_wherry_by_cgo:
	ldr x11, [x22, #56]
	strb wzr, [x28, #G_THROWSPLIT]
	ret
	.size _wherry_through_cgo, .-_wherry_through_cgo
	.text
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
	ldrb w17, [x17, #G_THROWSPLIT]
	cmp w17, #3
	b.eq 1f
	mrs x9, tpidr_el0
	adrp x10, :gottprel:_wherry_thread
	ldr x10, [x10, :gottprel_lo12:_wherry_thread]
	add x9, x9, x10
	ldr x9, [x9, #0]
	ldr x9, [x9, #32]
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
	sub sp, sp, #208
	.cfi_adjust_cfa_offset 208
	stp x0, x1, [sp]
	stp x2, x3, [sp, #16]
	stp x4, x5, [sp, #32]
	stp x6, x7, [sp, #48]
	str x8, [sp, #64]
	stp q0, q1, [sp, #80]
	stp q2, q3, [sp, #112]
	stp q4, q5, [sp, #144]
	stp q6, q7, [sp, #176]
	mov x0, x16
	mov x1, x22
	mov x2, x17
	bl _wherry_block
	ldp q6, q7, [sp, #176]
	ldp q4, q5, [sp, #144]
	ldp q2, q3, [sp, #112]
	ldp q0, q1, [sp, #80]
	ldr x8, [sp, #64]
	ldp x6, x7, [sp, #48]
	ldp x4, x5, [sp, #32]
	ldp x2, x3, [sp, #16]
	ldp x0, x1, [sp]
	add sp, sp, #208
	.cfi_adjust_cfa_offset -208
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
	.section wherry_text, TEXT_FLAGS, @progbits
	.p2align 4
	.weak _wherry_bound2_straight
	.hidden _wherry_bound2_straight
	.hidden _wherry_turned_exit
	.type _wherry_bound2_straight, %function
_wherry_bound2_straight:
	.cfi_startproc
	ldr x9, [x28, #G_STACKGUARD0]
	mov x10, sp
	cmp x10, x9
	b.ls 8f
	ldr x22, [x26, #8]
	mov x19, x30
	mov x20, sp
	.cfi_def_cfa x20, 0
	.cfi_register x30, x19
	ldr x21, [x28, #G_M]
	str x19, [x21, #M_VDSOPC]
	str x20, [x21, #M_VDSOSP]
	mov w9, #3
	strb w9, [x28, #G_THROWSPLIT]
	ldr x9, [x21, #M_G0]
	ldr x9, [x9, #G_SCHED_SP]
	and sp, x9, #-16
	stp xzr, x22, [sp, #-16]!
	ldr x9, [x22, #8]
	blr x9
1:
	ldrb w9, [x28, #G_THROWSPLIT]
	cmp w9, #3
	b.ne 2f
	mov sp, x20
	str xzr, [x21, #M_VDSOSP]
	strb wzr, [x28, #G_THROWSPLIT]
	ret x19
2:	b _wherry_turned_exit
8:	ldr x26, [x26, #32]
	ldr x9, [x26]
	br x9
	.cfi_endproc
	.size _wherry_bound2_straight, .-_wherry_bound2_straight
	.text
	.section wherry_text, TEXT_FLAGS, @progbits
	.p2align 4
	.weak _wherry_bound2_straightFew
	.hidden _wherry_bound2_straightFew
	.hidden _wherry_turned_exit
	.type _wherry_bound2_straightFew, %function
_wherry_bound2_straightFew:
	.cfi_startproc
	ldr x9, [x28, #G_STACKGUARD0]
	mov x10, sp
	cmp x10, x9
	b.ls 8f
	ldr x22, [x26, #8]
	mov x19, x30
	mov x20, sp
	.cfi_def_cfa x20, 0
	.cfi_register x30, x19
	ldr x21, [x28, #G_M]
	str x19, [x21, #M_VDSOPC]
	str x20, [x21, #M_VDSOSP]
	mov w9, #3
	strb w9, [x28, #G_THROWSPLIT]
	ldr x9, [x21, #M_G0]
	ldr x9, [x9, #G_SCHED_SP]
	and sp, x9, #-16
	stp xzr, x22, [sp, #-16]!
	ldr x9, [x22, #8]
	blr x9
1:
	ldrb w9, [x28, #G_THROWSPLIT]
	cmp w9, #3
	b.ne 2f
	mov sp, x20
	str xzr, [x21, #M_VDSOSP]
	strb wzr, [x28, #G_THROWSPLIT]
	ret x19
2:	b _wherry_turned_exit
8:	ldr x26, [x26, #32]
	ldr x9, [x26]
	br x9
	.cfi_endproc
	.size _wherry_bound2_straightFew, .-_wherry_bound2_straightFew
	.text
	.section wherry_text, TEXT_FLAGS, @progbits
	.p2align 4
	.weak _wherry_bound2_straightErrno
	.hidden _wherry_bound2_straightErrno
	.hidden _wherry_turned_exit
	.type _wherry_bound2_straightErrno, %function
_wherry_bound2_straightErrno:
	.cfi_startproc
	ldr x9, [x28, #G_STACKGUARD0]
	mov x10, sp
	cmp x10, x9
	b.ls 8f
	ldr x22, [x26, #8]
	mov x19, x30
	mov x20, sp
	.cfi_def_cfa x20, 0
	.cfi_register x30, x19
	ldr x21, [x28, #G_M]
	str x19, [x21, #M_VDSOPC]
	str x20, [x21, #M_VDSOSP]
	mov w9, #3
	strb w9, [x28, #G_THROWSPLIT]
	ldr x9, [x21, #M_G0]
	ldr x9, [x9, #G_SCHED_SP]
	and sp, x9, #-16
	stp xzr, x22, [sp, #-16]!
	ldr x9, [x26, #16]
	add x10, x20, #144
	sub x10, x10, x9
	mov x11, sp
	sub x11, x11, x9
	mov sp, x11
4:	cbz x9, 5f
	sub x9, x9, #8
	ldr x12, [x10, x9]
	str x12, [x11, x9]
	b 4b
5:	ldr x23, [x26, #24]
	cbz x23, 6f
	mrs x9, tpidr_el0
	str wzr, [x9, x23]
6:
	ldr x9, [x22, #8]
	blr x9
1:
	cbz x23, 7f
	mrs x9, tpidr_el0
	ldr w1, [x9, x23]
7:
	ldrb w9, [x28, #G_THROWSPLIT]
	cmp w9, #3
	b.ne 2f
	mov sp, x20
	str xzr, [x21, #M_VDSOSP]
	strb wzr, [x28, #G_THROWSPLIT]
	ret x19
2:	b _wherry_turned_exit
8:	ldr x26, [x26, #32]
	ldr x9, [x26]
	br x9
	.cfi_endproc
	.size _wherry_bound2_straightErrno, .-_wherry_bound2_straightErrno
	.text
	.section wherry_text, TEXT_FLAGS, @progbits
	.p2align 4
	.weak _wherry_bound2_enter
	.hidden _wherry_bound2_enter
	.hidden _wherry_turned_exit
	.type _wherry_bound2_enter, %function
_wherry_bound2_enter:
	.cfi_startproc
	ldr x22, [x26, #8]
	mov x19, x30
	mov x20, sp
	.cfi_def_cfa x20, 0
	.cfi_register x30, x19
	ldr x21, [x28, #G_M]
	str x19, [x21, #M_VDSOPC]
	str x20, [x21, #M_VDSOSP]
	mov w9, #3
	strb w9, [x28, #G_THROWSPLIT]
	ldr x9, [x21, #M_G0]
	ldr x9, [x9, #G_SCHED_SP]
	and sp, x9, #-16
	stp xzr, x22, [sp, #-16]!
	ldr x9, [x22, #8]
	blr x9
1:
	ldrb w9, [x28, #G_THROWSPLIT]
	cmp w9, #3
	b.ne 2f
	mov sp, x20
	str xzr, [x21, #M_VDSOSP]
	strb wzr, [x28, #G_THROWSPLIT]
	ret x19
2:	b _wherry_turned_exit
	.cfi_endproc
	.size _wherry_bound2_enter, .-_wherry_bound2_enter
	.text
	.section wherry_text, TEXT_FLAGS, @progbits
	.p2align 4
	.weak _wherry_bound2_enterFull
	.hidden _wherry_bound2_enterFull
	.hidden _wherry_turned_exit
	.type _wherry_bound2_enterFull, %function
_wherry_bound2_enterFull:
	.cfi_startproc
	ldr x22, [x26, #8]
	mov x19, x30
	mov x20, sp
	.cfi_def_cfa x20, 0
	.cfi_register x30, x19
	ldr x21, [x28, #G_M]
	str x19, [x21, #M_VDSOPC]
	str x20, [x21, #M_VDSOSP]
	mov w9, #3
	strb w9, [x28, #G_THROWSPLIT]
	ldr x9, [x21, #M_G0]
	ldr x9, [x9, #G_SCHED_SP]
	and sp, x9, #-16
	stp xzr, x22, [sp, #-16]!
	ldr x9, [x26, #16]
	add x10, x20, #144
	sub x10, x10, x9
	mov x11, sp
	sub x11, x11, x9
	mov sp, x11
4:	cbz x9, 5f
	sub x9, x9, #8
	ldr x12, [x10, x9]
	str x12, [x11, x9]
	b 4b
5:	ldr x23, [x26, #24]
	cbz x23, 6f
	mrs x9, tpidr_el0
	str wzr, [x9, x23]
6:
	ldr x9, [x22, #8]
	blr x9
1:
	cbz x23, 7f
	mrs x9, tpidr_el0
	ldr w1, [x9, x23]
7:
	ldrb w9, [x28, #G_THROWSPLIT]
	cmp w9, #3
	b.ne 2f
	mov sp, x20
	str xzr, [x21, #M_VDSOSP]
	strb wzr, [x28, #G_THROWSPLIT]
	ret x19
2:	b _wherry_turned_exit
	.cfi_endproc
	.size _wherry_bound2_enterFull, .-_wherry_bound2_enterFull
	.text
	.section wherry_text, TEXT_FLAGS, %progbits
	.p2align 4
	.weak _wherry_turned
	.hidden _wherry_turned
	.type _wherry_turned, %function
_wherry_turned:
	adrp x16, _wherry_go_turned
	ldr x16, [x16, :lo12:_wherry_go_turned]
	br x16
	.size _wherry_turned, .-_wherry_turned
	.bss
	.globl _wherry_go_turned
	.hidden _wherry_go_turned
	.p2align 3
_wherry_go_turned:
	.zero 8
	.text
	.section wherry_text, TEXT_FLAGS, %progbits
	.p2align 4
	.weak _wherry_callback
	.hidden _wherry_callback
	.type _wherry_callback, %function
_wherry_callback:
	adrp x16, _wherry_go_callback
	ldr x16, [x16, :lo12:_wherry_go_callback]
	br x16
	.size _wherry_callback, .-_wherry_callback
	.bss
	.globl _wherry_go_callback
	.hidden _wherry_go_callback
	.p2align 3
_wherry_go_callback:
	.zero 8
	.text
	.section wherry_text, TEXT_FLAGS, %progbits
	.p2align 4
	.weak _wherry_callback_first
	.hidden _wherry_callback_first
	.type _wherry_callback_first, %function
_wherry_callback_first:
	adrp x16, _wherry_go_callback_first
	ldr x16, [x16, :lo12:_wherry_go_callback_first]
	br x16
	.size _wherry_callback_first, .-_wherry_callback_first
	.bss
	.globl _wherry_go_callback_first
	.hidden _wherry_go_callback_first
	.p2align 3
_wherry_go_callback_first:
	.zero 8
	.text
	.section wherry_text, TEXT_FLAGS, %progbits
	.p2align 4
	.weak _wherry_getg
	.hidden _wherry_getg
	.type _wherry_getg, %function
_wherry_getg:
	adrp x16, _wherry_go_getg
	ldr x16, [x16, :lo12:_wherry_go_getg]
	br x16
	.size _wherry_getg, .-_wherry_getg
	.bss
	.globl _wherry_go_getg
	.hidden _wherry_go_getg
	.p2align 3
_wherry_go_getg:
	.zero 8
	.text
	.section wherry_text, TEXT_FLAGS, %progbits
	.p2align 4
	.weak _wherry_setg
	.hidden _wherry_setg
	.type _wherry_setg, %function
_wherry_setg:
	adrp x16, _wherry_go_setg
	ldr x16, [x16, :lo12:_wherry_go_setg]
	br x16
	.size _wherry_setg, .-_wherry_setg
	.bss
	.globl _wherry_go_setg
	.hidden _wherry_go_setg
	.p2align 3
_wherry_go_setg:
	.zero 8
	.text
	.section .note.GNU-stack,"",%progbits
