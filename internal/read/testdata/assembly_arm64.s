// arm64 code that no compiler writes. Names as in corpus.h.
	.arch armv8.7-a+sme+tme+memtag
	.macro f name
	.globl \name
	.type \name, %function
\name:
	.endm
	.macro e name
	.size \name, .-\name
	.endm
	.text
f safe_plain
	add x0, x0, #1
	ret
e safe_plain
f not_yield_processor
	mov x8, #124
	svc 0
	ret
e not_yield_processor
	// Somebody else returns to what this one left in the link register.
f not_link_jump
	adr x30, not_yield_processor
	b safe_plain
e not_link_jump
f not_link_jump_register
	adr x16, safe_plain
	adr x30, not_yield_processor
	br x16
e not_link_jump_register
f not_link_branch
	adr x30, not_yield_processor
	cbz x0, safe_plain
	b safe_plain
e not_link_branch
f not_link_falls
	adr x30, not_yield_processor
e not_link_falls
f safe_after_link_falls
	ret
e safe_after_link_falls
f not_call_falls
	bl safe_plain
e not_call_falls
f safe_after_call_falls
	ret
e safe_after_call_falls
f safe_falls
	add x0, x0, #2
e safe_falls
f safe_fallen_into
	ret
e safe_fallen_into
f not_stack_jump
	sub sp, sp, #16
	b safe_plain
e not_stack_jump
f not_stack_return
	sub sp, sp, #16
	ret
e not_stack_return
	// The word of the frame that the link register is loaded from.
f not_saved_word_written
	stp x29, x30, [sp, #-16]!
	adr x9, not_yield_processor
	str x9, [sp, #8]
	ldp x29, x30, [sp], #16
	ret
e not_saved_word_written
f not_saved_word_written_in_part
	stp x29, x30, [sp, #-16]!
	strb w0, [sp, #15]
	ldp x29, x30, [sp], #16
	ret
e not_saved_word_written_in_part
f not_saved_word_written_by_pair
	stp x29, x30, [sp, #-16]!
	stp x0, x1, [sp]
	ldp x29, x30, [sp], #16
	ret
e not_saved_word_written_by_pair
f not_other_word
	stp x29, x30, [sp, #-32]!
	str x0, [sp, #16]
	ldr x30, [sp, #16]
	add sp, sp, #32
	ret
e not_other_word
f not_word_not_written
	sub sp, sp, #16
	ldr x30, [sp, #8]
	add sp, sp, #16
	ret
e not_word_not_written
f not_saved_too_late
	adr x30, not_yield_processor
	stp x29, x30, [sp, #-16]!
	ldp x29, x30, [sp], #16
	ret
e not_saved_too_late
f not_saved_on_one_way
	sub sp, sp, #16
	cbz x0, 1f
	str x30, [sp]
1:	ldr x30, [sp]
	add sp, sp, #16
	ret
e not_saved_on_one_way
f safe_saved_in_loop
1:	stp x29, x30, [sp, #-16]!
	bl safe_plain
	ldp x29, x30, [sp], #16
	sub x0, x0, #9
	tbz x0, #63, 1b
	ret
e safe_saved_in_loop
f safe_frames_overlap
	stp x29, x30, [sp, #-32]!
	bl safe_plain
	ldp x29, x30, [sp], #32
	sub sp, sp, #64
	str x0, [sp, #40]
	str x30, [sp, #48]
	bl safe_plain
	ldr x30, [sp, #48]
	add sp, sp, #64
	b safe_plain
e safe_frames_overlap
f safe_authenticated
	paciasp
	stp x29, x30, [sp, #-16]!
	bl safe_plain
	ldp x29, x30, [sp], #16
	retaa
e safe_authenticated
f safe_authenticated_by_name
	.inst 0xdac103fe // pacia x30, sp
	stp x29, x30, [sp, #-16]!
	bl safe_plain
	ldp x29, x30, [sp], #16
	.inst 0xdac113fe // autia x30, sp
	ret
e safe_authenticated_by_name
f not_moved_link
	mov x30, x17
	ret
e not_moved_link
	// What the processor has beside registers and memory.
f not_other_thread_pointer
	msr tpidr_el0, x0
	ret
e not_other_thread_pointer
f not_wait_with_timeout
	wfet x0
	ret
e not_wait_with_timeout
f not_wait_for_interrupt
	wfit x0
	ret
e not_wait_for_interrupt
f not_wait_for_event
	wfe
	ret
e not_wait_for_event
f not_streaming
	smstart sm
	ret
e not_streaming
f not_streaming_register
	msr svcr, x0
	ret
e not_streaming_register
f not_transaction
	tstart x0
	tcommit
	ret
e not_transaction
f not_other_shadow_stack
	.inst 0xd50b7740 // gcsss1 x0
	ret
e not_other_shadow_stack
f safe_modes
	mrs x1, fpcr
	msr fpcr, x1
	msr fpsr, x1
	msr nzcv, x0
	msr tco, #1
	cfinv
	ret
e safe_modes
f safe_caches
	dc cvau, x0
	dsb ish
	ic ivau, x0
	dsb ish
	isb
	dc zva, x0
	ret
e safe_caches
f not_clock
1:	mrs x1, cntvct_el0
	cmp x1, x0
	b.lo 1b
	ret
e not_clock
	// Loads of each kind, until another thread has written.
f not_wait_exclusive
1:	ldaxr w1, [x0]
	cbnz w1, 1b
	ret
e not_wait_exclusive
f loops_ordered
	mov w2, #0
1:	add w2, w2, #1
	ldapr w1, [x0]
	cbnz w1, 1b
	mov w0, w2
	ret
e loops_ordered
f loops_pair
1:	ldp w1, w2, [x0]
	cmp w1, w2
	b.ne 1b
	ret
e loops_pair
f loops_vector
1:	ld1 {v0.4s}, [x0]
	umaxv s0, v0.4s
	fmov w1, s0
	cbz w1, 1b
	ret
e loops_vector
f not_wait_swap
1:	mov w1, #1
	swpa w1, w1, [x0]
	cbnz w1, 1b
	ret
e not_wait_swap
f safe_pairs
1:	ldp x1, x2, [x0], #16
	cmp x1, x2
	b.ne 1b
	ret
e safe_pairs
f not_vectors_of_stack
	addvl sp, sp, #-1
	addvl sp, sp, #1
	ret
e not_vectors_of_stack
f safe_veneer
	adrp x16, safe_plain
	add x16, x16, :lo12:safe_plain
	br x16
e safe_veneer
f safe_literal
	ldr x16, =safe_plain
	br x16
	.ltorg
e safe_literal
f not_saved_word_in_vector
	stp x29, x30, [sp, #-32]!
	str q0, [sp]
	ldp x29, x30, [sp], #32
	ret
e not_saved_word_in_vector
f not_saved_word_in_vectors
	sub sp, sp, #64
	str x30, [sp, #56]
	st1 {v0.16b, v1.16b, v2.16b, v3.16b}, [sp]
	ldr x30, [sp, #56]
	add sp, sp, #64
	ret
e not_saved_word_in_vectors
f safe_vector_beside_saved_word
	stp x29, x30, [sp, #-32]!
	str q0, [sp, #16]
	str d0, [sp]
	ldp x29, x30, [sp], #32
	ret
e safe_vector_beside_saved_word
