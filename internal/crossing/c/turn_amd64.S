//go:build ignore

// Turning, amd64: a call that C runs in becomes the system call that cgo would
// have made it, and ends as one. turn.c and signal.c decide when;
// _wherry_turned (../frames/frames_amd64.s) is the function that Go's unwinder sees in the
// place of our stub.
//
//   goroutine's stack                    where C or its signal handler runs
//   +---------------------------+        +-----------------------------+
//   | frame of the Go caller    |        | frames of C                 |
//   +---------------------------+        | turn.c: turn                |
//   | return address            |<-go_sp | saved registers             |
//   | (Go's frame pointer)      |        +-----------------------------+ <- thread.handler_sp
//   +---------------------------+
//   | frame of _wherry_turned   |
//   +---------------------------+ <- g.syscallsp, from runtime.entersyscall on
//   | frames of callbacks       |

	.section wherry_text, TEXT_FLAGS, @progbits
	.weak _wherry_turned
	.hidden _wherry_turned

// turn -> _wherry_turn_enter -> _wherry_turned: entersyscall -> _wherry_turn_parked -> C goes on ...
// ... C returns to the stub -> _wherry_turned_exit -> _wherry_turn_over -> _wherry_turn_resume:
// exitsyscall -> _wherry_turned_left -> the Go caller. A callback of a turned call on a C stack:
// _wherry_ready -> _wherry_turn_over, _wherry_unturn -> exitsyscall -> _wherry_turned_left -> C.

// void _wherry_turn_enter(g, go_sp, g0): runs _wherry_turned, which seems to be
// called by the Go caller, until the goroutine is in the system call. Where g0 is not
// NULL C's frames are on its stack: what the runtime runs there goes below them.
	.p2align 4
	.weak _wherry_turn_enter
	.hidden _wherry_turn_enter
	.type _wherry_turn_enter, @function
_wherry_turn_enter:
	PUSH_SAVED
	THREAD
	movq %rsp, %fs:THREAD_HANDLER(%r10)
	testq %rdx, %rdx
	jz 1f
	movq %rsp, %r11
	andq $-16, %r11
	movq %r11, G_SCHED_SP(%rdx)
1:	movq %rdi, %r14
	movq %rsi, %rsp
	movq -CALLER_FP(%rsi), %rbp
	xorps %xmm15, %xmm15
	jmp _wherry_turned
	.size _wherry_turn_enter, .-_wherry_turn_enter

// _wherry_turned jumps here when the goroutine is in the system call: back to C.
// rax = where _wherry_turned goes on.
	.p2align 4
	.weak _wherry_turn_parked
	.hidden _wherry_turn_parked
	.type _wherry_turn_parked, @function
_wherry_turn_parked:
	movq %rax, _wherry_turn_resume(%rip) // the same in all calls
	THREAD
	movq %fs:THREAD_HANDLER(%r10), %rsp
	RETURN_SAVED
	.size _wherry_turn_parked, .-_wherry_turn_parked
	.section .bss._wherry_turn_resume, "aw", @nobits
	.weak _wherry_turn_resume
	.hidden _wherry_turn_resume
	.p2align 3
_wherry_turn_resume:
	.zero 8
	.section wherry_text, TEXT_FLAGS, @progbits

// A turned call on g0 is done: the stub jumps here. rsp = g0's stack, aligned, r13 = m, r14 = g;
// rax and rdx, or xmm0 and xmm1 = C's result. Or the call did not begin, and r11 = the Go function
// that makes it through cgo; then rbp is the stub's. A goroutine in a system call has a syscallsp.
	.p2align 4
	.weak _wherry_turned_exit
	.hidden _wherry_turned_exit
	.type _wherry_turned_exit, @function
_wherry_turned_exit:
	cmpq $0, G_SYSCALLSP(%r14)
	je 1f
	subq $RESULTS, %rsp
	SAVE_RESULTS
	movq %r14, %rdi
	call _wherry_turn_over
	LOAD_RESULTS
	xorl %r15d, %r15d
	RESUME
1:	leaq 8(%rbp), %rsp
	movq (%rbp), %rbp
	jmp *%r11
	.size _wherry_turned_exit, .-_wherry_turned_exit

// _wherry_turned jumps here when its frame is gone: rsp = at the return address
// into the Go caller, r14 = g, r15 = 0: C is done, its result is where Go wants it;
// r15 = 1: C goes on (_wherry_unturn).
	.p2align 4
	.weak _wherry_turned_left
	.hidden _wherry_turned_left
	.type _wherry_turned_left, @function
_wherry_turned_left:
	movq G_M(%r14), %r13
	testl %r15d, %r15d
	jnz 5f
	leaq -DEFER_BELOW(%rsp), %r10
	cmpq %r10, G_DEFER(%r14) // a callback linked its deferred function
	je _wherry_settle
	ret
5:	THREAD
	movq %fs:THREAD_ACTIVE(%r10), %r12
	UNLOCK
	movq %rsp, REC_GOSP(%r12)
	movq %rsp, M_VDSOSP(%r13)
	movq %fs:THREAD_HANDLER(%r10), %rsp
	movq $0, REC_CSP(%r12)
	RETURN_SAVED
	.size _wherry_turned_left, .-_wherry_turned_left

// void _wherry_unturn(void), in a turned call on a C stack that is about to call
// back: the goroutine leaves the system call, and the call is in flight again.
// From its thread it may not go in between, since C has run on it.
	.p2align 4
	.weak _wherry_unturn
	.hidden _wherry_unturn
	.type _wherry_unturn, @function
_wherry_unturn:
	PUSH_SAVED
	THREAD
	movq %rsp, %fs:THREAD_HANDLER(%r10)
	movq %fs:THREAD_ACTIVE(%r10), %r12
	movq REC_SYSTEM(%r12), %r11
	testq %r11, %r11
	jz 1f
	movq %rsp, (%r11)
1:	movq REC_G(%r12), %r14
	movq G_M(%r14), %r13
	incl M_LOCKEDINT(%r13)
	movq %r14, M_LOCKEDG(%r13)
	movq %r13, G_LOCKEDM(%r14)
	movl $1, %r15d
	RESUME
	.size _wherry_unturn, .-_wherry_unturn
	.text
