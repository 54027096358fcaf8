//go:build ignore

// Holding a P, amd64: the code of a thread that C created becomes C that Go has called, and
// ceases to be. The picture is in hold.c; _wherry_c_thread (../frames/frames_amd64.s)
// is the Go function that seems to have called it.
//
// All three are ordinary C functions to their callers, on the thread's own stack; in
// between its stack pointer is in thread.held_sp, with C's registers above.

	.section wherry_text, TEXT_FLAGS, @progbits
	.weak _wherry_c_thread
	.hidden _wherry_c_thread

// void _wherry_hold_begin(char *root): a callback begins on the stack root, and this
// returns, in _wherry_hold_enter, when _wherry_c_thread runs.
	.p2align 4
	.weak _wherry_hold_begin
	.hidden _wherry_hold_begin
	.type _wherry_hold_begin, @function
_wherry_hold_begin:
	.cfi_startproc
	.cfi_undefined %rip // C's unwinders stop here, on the other stack
	PUSH_SAVED
	THREAD
	movq %rsp, %fs:THREAD_HELDSP(%r10)
	movq %rdi, %rsp
	xorl %ebp, %ebp
	leaq _wherry_c_thread(%rip), %rdi
	xorl %esi, %esi
	xorl %edx, %edx
	xorl %ecx, %ecx
	call __real_crosscall2
// The callback has ended: for the caller of _wherry_hold_end.
	THREAD
	movq %fs:THREAD_HELDSP(%r10), %rsp
1:	RETURN_SAVED
	.cfi_endproc
	.size _wherry_hold_begin, .-_wherry_hold_begin

// _wherry_c_thread calls this: rsp = at the return address into it, rbp = its frame
// pointer, r14 = g. C goes on. The callback that does not end has locked the goroutine to its
// thread once more, and each that comes now does so too. What counts the locks, as iter.Pull, is
// to find as many as between and in callbacks through cgo.
	.p2align 4
	.weak _wherry_hold_enter
	.hidden _wherry_hold_enter
	.type _wherry_hold_enter, @function
_wherry_hold_enter:
	THREAD
	movq %fs:0, %r12
	leaq THREAD_HELD(%r12,%r10), %r12
	movq %rsp, REC_GOSP(%r12)
	movq %rbp, -CALLER_FP(%rsp)
	movq %r14, REC_G(%r12)
	movq G_M(%r14), %r13
	movq %rsp, M_VDSOSP(%r13)
	decl M_LOCKEDINT(%r13)
	movq %fs:THREAD_HELDSP(%r10), %rsp
	movq %r12, %fs:THREAD_ACTIVE(%r10)
	movq $0, REC_CSP(%r12)
	jmp 1b
	.size _wherry_hold_enter, .-_wherry_hold_enter

// void _wherry_hold_end(char *g): C that _wherry_c_thread called, and that was turned,
// is done. Returns when the callback has ended.
	.p2align 4
	.weak _wherry_hold_end
	.hidden _wherry_hold_end
	.type _wherry_hold_end, @function
_wherry_hold_end:
	PUSH_SAVED
	THREAD
	movq %rsp, %fs:THREAD_HELDSP(%r10)
	movq %rdi, %r14
	movq G_M(%r14), %r13
	incl M_LOCKEDINT(%r13)
	xorl %r15d, %r15d
	RESUME
	.size _wherry_hold_end, .-_wherry_hold_end
	.text
