//go:build ignore

// Before C blocks, amd64: the call in flight is turned, and then C goes on to what
// it called, which finds registers and stack as its caller left them.

	.section wherry_text, TEXT_FLAGS, @progbits
// In place of a C function that is known to last: rbx = the call's data.
	.p2align 4
	.weak _wherry_turn_first
	.hidden _wherry_turn_first
	.type _wherry_turn_first, @function
_wherry_turn_first:
	leaq CALL_TWIN(%rbx), %r11
	movl $8, %eax // for C with variable arguments
	movl $1, %r10d
	jmp 2f
	.size _wherry_turn_first, .-_wherry_turn_first

// In place of a C function that is watched, rbx = the call's data.
	.p2align 4
	.weak _wherry_watched
	.hidden _wherry_watched
	.type _wherry_watched, @function
_wherry_watched:
	movl CALL_WATCHED(%rbx), %r11d
	cmpl $WATCH, %r11d
	jae _wherry_turn_first
	incl %r11d
	movl %r11d, CALL_WATCHED(%rbx)
	movl $8, %eax // for C with variable arguments
	jmp *CALL_TWIN(%rbx)
	.size _wherry_watched, .-_wherry_watched

// In place of a C function that is known to turn its calls, rbx = the call's data; and for good,
// _wherry_by_cgo, of each that cgo calls in a program that is switched off. Back to the stub,
// which finds the call not in flight and goes to _wherry_turned_exit; from there, with Go's
// registers as they were, to the Go function r11. By a ret, since the processor's return
// predictor expects one for each call.
	.p2align 4
	.weak _wherry_through_cgo, _wherry_by_cgo
	.hidden _wherry_through_cgo, _wherry_by_cgo
	.type _wherry_through_cgo, @function
_wherry_through_cgo:
	movl CALL_WAITED(%rbx), %r11d
	incl %r11d
	cmpl CALL_PATIENCE(%rbx), %r11d
	jae _wherry_turn_first
	movl %r11d, CALL_WAITED(%rbx)
_wherry_by_cgo:
	movq CALL_BYCGO(%rbx), %r11
	movq $0, M_VDSOSP(%r13)
	movq %rdi, %rax
	movq %rsi, %rbx
	movq %rcx, %rdi
	movq %rdx, %rcx
	movq %r8, %rsi
	movq %r9, %r8
	ret
	.size _wherry_through_cgo, .-_wherry_through_cgo

// In place of a function of the C library: r11 = where its address is, or 0 and
// then its name. rax can be an argument: how many vector registers are used. No
// registers are saved for a thread that C does not run on in a call in flight.
	.text // to a signal it is C: the call may be turned here
	.p2align 4
	.weak _wherry_blocks
	.hidden _wherry_blocks
	.type _wherry_blocks, @function
_wherry_blocks:
	.cfi_startproc
	cmpq $0, (%r11)
	je 1f
	movq %rax, %r10
	call _wherry_getg
	testq %rax, %rax
	jz 3f
	movq G_M(%rax), %rax
	cmpq $0, M_VDSOSP(%rax)
	jne 4f
	movq _wherry_thread@gottpoff(%rip), %rax
	movq %fs:THREAD_ACTIVE(%rax), %rax
	cmpq $0, REC_CSP(%rax)
	je 4f
3:	movq %r10, %rax
	jmp *(%r11)
4:	movq %r10, %rax
1:	xorl %r10d, %r10d
2:	subq $ARGUMENTS+24, %rsp
	.cfi_adjust_cfa_offset ARGUMENTS+24
	movq %rax, ARGUMENTS(%rsp)
	movq %r11, ARGUMENTS+8(%rsp)
	SAVE_ARGUMENTS
	movq %r11, %rdi
	movq %rbx, %rsi
	movq %r10, %rdx
	call _wherry_block
	LOAD_ARGUMENTS
	movq ARGUMENTS+8(%rsp), %r11
	movq ARGUMENTS(%rsp), %rax
	addq $ARGUMENTS+24, %rsp
	.cfi_adjust_cfa_offset -ARGUMENTS-24
	jmp *(%r11)
	.cfi_endproc
	.size _wherry_blocks, .-_wherry_blocks
	.text
