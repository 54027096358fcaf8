//go:build ignore

// A call on a C stack, arm64: what the stub calls in place of a C function that
// is to call back cheaply. How C comes back to Go is in callback_arm64.h.
//
//   goroutine's stack                    C stack (stacks.c)
//   +------------------------+           +------------------------+
//   | frame of the Go caller |           | record: go_sp, g, ...  |
//   +------------------------+ <- go_sp  +------------------------+ <- record
//   | (as in call_arm64.h)   |           | frames of C            |
//   | return address         |
//   | Go's frame pointer     | <- x29
//   +------------------------+
//   | (or a callback's frame)|
//
// On entry: as in call_arm64.h at the call, x22 = the call's data. The thread's
// system stack is left, since the runtime uses it during callbacks; the record
// takes the return address into the stub along.
// x29, which the stub takes the goroutine's stack from, follows that stack.
//
// While C runs thread.active is the record and its c_sp is 0; TURNED says that the
// call became a system call, any other value is C's stack pointer while Go runs.

	.section wherry_text, TEXT_FLAGS, @progbits
	.hidden _wherry_settle
	.p2align 4
	.weak _wherry_on_stack
	.hidden _wherry_on_stack
	.type _wherry_on_stack, %function
_wherry_on_stack:
	.cfi_startproc
	.cfi_signal_frame
	CFA_OF_CALL
	.cfi_offset x29, -CALLER_FP
	.cfi_offset x30, -CALLER_PC
	THREAD
	ldr x10, [x9, #THREAD_ACTIVE]
	ldr x10, [x10, #REC_DEEPER]
	cbz x10, 3f
	ldr w11, [x22, #CALL_ORDER]
	ldr w12, [x10, #REC_ORDER]
	cmp w12, w11
	b.lo 3f
	str x10, [x9, #THREAD_ACTIVE]
	str x30, [x10, #REC_CONTINUE]
	add x11, x29, #CALLER_FP
	str x11, [x10, #REC_GOSP]
	str x28, [x10, #REC_G]
	str x22, [x10, #REC_CALL]
	mov x20, x10
	mov sp, x20
	ldr x9, [x22, #CALL_TWIN]
	blr x9
	THREAD
	ldr x10, [x20, #REC_OUTER]
	str x10, [x9, #THREAD_ACTIVE]
	ldr x11, [x20, #REC_CSP]
	cbnz x11, 5f
	mov x22, x20
	ldr x20, [x22, #REC_GOSP]
	sub x29, x20, #CALLER_FP
// The word that names the call, and the return address, as they were.
	SYSTEM_STACK
	sub sp, sp, #16
	ldr x10, [x22, #REC_CALL]
	stp xzr, x10, [sp]
	ldr x30, [x22, #REC_CONTINUE]
	sub x10, x20, #DEFER_BELOW
	ldr x11, [x28, #G_DEFER]
	cmp x10, x11 // a callback linked its deferred function
	b.eq 4f
	ldr w11, [x22, #REC_SURPLUS]
	cbnz w11, 7f
	ret
// There is no stack: an allocation, or the same call as without one.
3:	b _wherry_stack_wanted
4:	mov x23, x30
	bl _wherry_settle
	mov x30, x23
	ldr w11, [x22, #REC_SURPLUS]
	cbnz w11, 7f
	ret
// The thread has stacks enough: the pool's code runs on its system stack.
7:	sub sp, sp, #RESULTS+16
	SAVE_RESULTS
	str x30, [sp, #RESULTS]
	mov x0, x22
	bl _wherry_stack_surplus
	ldr x30, [sp, #RESULTS]
	LOAD_RESULTS
	add sp, sp, #RESULTS+16
	ret
// The call was turned. First what belongs to the thread, since the goroutine may
// come to another one.
5:	str xzr, [x20, #REC_CSP]
	SYSTEM_STACK
	sub sp, sp, #RESULTS
	SAVE_RESULTS
	mov x0, x28
	bl _wherry_turn_over
	ldr w11, [x20, #REC_SURPLUS]
	cbz w11, 6f
	mov x0, x20
	bl _wherry_stack_surplus
6:	LOAD_RESULTS
	mov x20, #0
	RESUME
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
	sub sp, sp, #ARGUMENTS
	.cfi_adjust_cfa_offset ARGUMENTS
	SAVE_ARGUMENTS
	THREAD
	ldr w10, [x9, #THREAD_BUSY]
	add w10, w10, #1
	str w10, [x9, #THREAD_BUSY] // a call that was turned here would go on without a stack
	ldr w0, [x22, #CALL_ORDER]
	bl _wherry_stack_new
	THREAD
	ldr w10, [x9, #THREAD_BUSY]
	sub w10, w10, #1
	str w10, [x9, #THREAD_BUSY]
	mov x9, x0
	LOAD_ARGUMENTS
	add sp, sp, #ARGUMENTS
	.cfi_adjust_cfa_offset -ARGUMENTS
	ldp x29, x30, [sp], #16
	.cfi_adjust_cfa_offset -16
	.cfi_restore x29
	.cfi_restore x30
	cbz x9, _wherry_on_stack
// None can be had: a callback will cost what it costs through cgo.
	ldr x9, [x22, #CALL_TWIN]
	br x9
	.cfi_endproc
	.size _wherry_stack_wanted, .-_wherry_stack_wanted
	.text
