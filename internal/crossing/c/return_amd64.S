//go:build ignore

// The ends of callbacks and of calls that had some, amd64. The pictures are in
// stack_amd64.S and callback_amd64.h.

// _wherry_return ends a callback: _wherry_callback jumps here when its frame is
// gone. rsp is at the return address into the Go caller again, wherever the
// stack is now; rax or xmm0 = result, r14 = g.
	.section wherry_text, TEXT_FLAGS, @progbits
	.p2align 6
	.weak _wherry_return
	.hidden _wherry_return
	.type _wherry_return, @function
_wherry_return:
	THREAD
	movq %fs:THREAD_ACTIVE(%r10), %r12
	movq G_M(%r14), %r13
	cmpq %rsp, REC_GOSP(%r12)
	jne 2f
1:	movq %rsp, M_VDSOSP(%r13)
	movq REC_CSP(%r12), %rsp
	movq $0, REC_CSP(%r12)
	RETURN_SAVED
2:	movq %rsp, REC_GOSP(%r12) // the stack has moved
	jmp 1b
	.size _wherry_return, .-_wherry_return

// _wherry_callback asks this when the goroutine is to stop. r12 = 0: now; a holding
// thread gives its P back when C goes on.
	.p2align 4
	.weak _wherry_yields_later
	.hidden _wherry_yields_later
	.type _wherry_yields_later, @function
_wherry_yields_later:
	THREAD
	movq %fs:THREAD_ACTIVE(%r10), %r12
	movq REC_SYSTEM(%r12), %r12
	ret
	.size _wherry_yields_later, .-_wherry_yields_later

// _wherry_settle takes back what the first callback of a call did: r10 = the
// deferred function that _wherry_callback_first linked, the goroutine's newest,
// r13 = m, r14 = g; rax, rbx, r12 and xmm0 stay.
	.p2align 6
	.weak _wherry_settle
	.hidden _wherry_settle
	.type _wherry_settle, @function
_wherry_settle:
	SETTLE
	ret
	RARE_SETTLE
	.size _wherry_settle, .-_wherry_settle

// _wherry_abandon is the deferred function: Go calls it when a panic or
// runtime.Goexit leaves a callback through C's frames. They are gone, and their
// stack is free again.
// r14 = g. The runtime has already taken the deferred function off its list.
	.p2align 4
	.weak _wherry_abandon
	.hidden _wherry_abandon
	.type _wherry_abandon, @function
_wherry_abandon:
	movq G_M(%r14), %r13
	THREAD
	movq %fs:THREAD_ACTIVE(%r10), %r12
	movq $0, REC_CSP(%r12)
	movq REC_OUTER(%r12), %r11
	movq %r11, %fs:THREAD_ACTIVE(%r10)
	UNLOCK
	cmpl $0, REC_SURPLUS(%r12)
	je 1f
// The pool's code runs on the thread's system stack.
	movq M_G0(%r13), %r11
	movq %rsp, %r13
	movq G_SCHED_SP(%r11), %rsp
	andq $-16, %rsp
	movq %r12, %rdi
	call _wherry_stack_surplus
	movq %r13, %rsp
	xorps %xmm15, %xmm15
1:	ret
	.size _wherry_abandon, .-_wherry_abandon
	.text
