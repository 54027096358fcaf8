//go:build ignore

// A call on a C stack, amd64: what the stub calls in place of a C function that
// is to call back cheaply. The stub of one that does so from the first call on has ON_STACK
// itself (macros_amd64.h). How C comes back to Go is in callback_amd64.h.
//
//   goroutine's stack                    C stack (stacks.c)
//   +------------------------+           +------------------------+
//   | frame of the Go caller |           | record: go_sp, g, ...  |
//   +------------------------+           +------------------------+ <- record
//   | return address         | <- go_sp  | return address into us |
//   | Go's frame pointer     | <- rbp    | frames of C            |
//   +------------------------+
//   | (a callback's frames)  |
//
// On entry: as in call_amd64.h at the call, rbx = the call's data. The thread's
// system stack is left, since the runtime uses it during callbacks; the record
// takes the return address into the stub from there, and we return by a ret with
// the stack pointer in the record, which the processor's return predictor expects.
// rbp, which the stub takes the goroutine's stack from, follows that stack.
//
// Where it is free to choose, this code stores as little as it can: the processor
// retires one store a cycle, and a value needs some cycles from a store to a load,
// which adds up from one call to the next. So what is there already is not stored again.
//
// While C runs thread.active is the record and its c_sp is 0; TURNED says that the
// call became a system call, any other value is C's stack pointer while Go runs.

	.section wherry_text, TEXT_FLAGS, @progbits
	.p2align 6
	.weak _wherry_on_stack, _wherry_on_stack_turned, _wherry_on_stack_surplus
	.hidden _wherry_on_stack, _wherry_on_stack_turned, _wherry_on_stack_surplus
	.type _wherry_on_stack, @function
_wherry_on_stack:
	.cfi_startproc
	.cfi_signal_frame
	CFA_OF_CALL
	.cfi_offset %rbp, -16
	ON_STACK 3f, called=1
	leaq REC_CONTINUE(%r12), %rsp
	ret
// There is no stack: an allocation, or the same call as without one.
3:	jmp _wherry_stack_wanted
	RARE_ON_STACK
// The thread has stacks enough. The return address is where it was before, on the system
// stack, where the pool's code runs.
_wherry_on_stack_surplus:
	movq %r12, %rbx
	SYSTEM_STACK
	pushq REC_CONTINUE(%rbx)
	subq $RESULTS+8, %rsp
	SAVE_RESULTS
	movq %rbx, %rdi
	call _wherry_stack_surplus
	LOAD_RESULTS
	addq $RESULTS+8, %rsp
	ret
// The call was turned. First what belongs to the thread, since the goroutine may
// come to another one.
_wherry_on_stack_turned:
	movq %r11, %fs:THREAD_ACTIVE(%r10)
	movq $0, REC_CSP(%r12)
	SYSTEM_STACK
	subq $RESULTS, %rsp
	SAVE_RESULTS
	movq %r14, %rdi
	call _wherry_turn_over
	cmpl $0, REC_SURPLUS(%r12)
	je 6f
	movq %r12, %rdi
	call _wherry_stack_surplus
6:	LOAD_RESULTS
	xorl %r15d, %r15d
	RESUME
	.cfi_endproc
	.size _wherry_on_stack, .-_wherry_on_stack

	.p2align 4
	.weak _wherry_stack_wanted
	.hidden _wherry_stack_wanted
	.type _wherry_stack_wanted, @function
_wherry_stack_wanted:
	.cfi_startproc
	subq $ARGUMENTS+8, %rsp
	.cfi_adjust_cfa_offset ARGUMENTS+8
	SAVE_ARGUMENTS
	THREAD
	incl %fs:THREAD_BUSY(%r10) // a call that was turned here would go on without a stack
	movl CALL_ORDER(%rbx), %edi
	call _wherry_stack_new
	THREAD
	decl %fs:THREAD_BUSY(%r10)
	LOAD_ARGUMENTS
	addq $ARGUMENTS+8, %rsp
	.cfi_adjust_cfa_offset -ARGUMENTS-8
	testl %eax, %eax
	jz _wherry_on_stack
// None can be had: a callback will cost what it costs through cgo.
	movl $8, %eax
	jmp *CALL_TWIN(%rbx)
	.cfi_endproc
	.size _wherry_stack_wanted, .-_wherry_stack_wanted
	.text
