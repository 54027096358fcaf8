// What several ways share, amd64, and how many bytes they save.

#define ARGUMENTS 176
#define RESULTS 32

// C's arguments, ARGUMENTS bytes at rsp. Changes nothing else.
.macro SAVE_ARGUMENTS
	movq %rdi, (%rsp)
	movq %rsi, 8(%rsp)
	movq %rdx, 16(%rsp)
	movq %rcx, 24(%rsp)
	movq %r8, 32(%rsp)
	movq %r9, 40(%rsp)
	movups %xmm0, 48(%rsp)
	movups %xmm1, 64(%rsp)
	movups %xmm2, 80(%rsp)
	movups %xmm3, 96(%rsp)
	movups %xmm4, 112(%rsp)
	movups %xmm5, 128(%rsp)
	movups %xmm6, 144(%rsp)
	movups %xmm7, 160(%rsp)
.endm
.macro LOAD_ARGUMENTS
	movq (%rsp), %rdi
	movq 8(%rsp), %rsi
	movq 16(%rsp), %rdx
	movq 24(%rsp), %rcx
	movq 32(%rsp), %r8
	movq 40(%rsp), %r9
	movups 48(%rsp), %xmm0
	movups 64(%rsp), %xmm1
	movups 80(%rsp), %xmm2
	movups 96(%rsp), %xmm3
	movups 112(%rsp), %xmm4
	movups 128(%rsp), %xmm5
	movups 144(%rsp), %xmm6
	movups 160(%rsp), %xmm7
.endm

// C's results, RESULTS bytes at rsp. Changes nothing else.
.macro SAVE_RESULTS
	movq %rax, (%rsp)
	movq %rdx, 8(%rsp)
	movsd %xmm0, 16(%rsp)
	movsd %xmm1, 24(%rsp)
.endm
.macro LOAD_RESULTS
	movsd 24(%rsp), %xmm1
	movsd 16(%rsp), %xmm0
	movq 8(%rsp), %rdx
	movq (%rsp), %rax
.endm

// The registers that a C function leaves as they are, SAVED bytes.
.macro PUSH_SAVED
	pushq %rbp
	pushq %rbx
	pushq %r12
	pushq %r13
	pushq %r14
	pushq %r15
.endm
// And returns.
.macro RETURN_SAVED
	popq %r15
	popq %r14
	popq %r13
	popq %r12
	popq %rbx
	popq %rbp
	ret
.endm

// rsp = the top of the thread's system stack; r13 = m. Changes r11.
.macro SYSTEM_STACK
	movq M_G0(%r13), %r11
	movq G_SCHED_SP(%r11), %rsp
	andq $-16, %rsp
.endm

// r10 = offset of the thread's state from fs.
.macro THREAD
	movq _wherry_thread@gottpoff(%rip), %r10
.endm

// _wherry_turned goes on, in the frame that it left; r14 = g, r15 = what for. Not by
// g.sched.sp: what the runtime does while it enters a system call may overwrite that.
.macro RESUME
	movq G_SYSCALLSP(%r14), %rsp
	leaq TURNED_FRAME-8(%rsp), %rbp
	xorps %xmm15, %xmm15
	jmp *_wherry_turn_resume(%rip)
.endm

// The goroutine, r14, may leave its thread, r13, again, as runtime.unlockOSThread does it.
.macro UNLOCK
	decl M_LOCKEDINT(%r13)
	jnz 9f
	cmpl $0, M_LOCKEDEXT(%r13)
	jne 9f
	movq $0, M_LOCKEDG(%r13)
	movq $0, G_LOCKEDM(%r14)
9:
.endm

// A callback linked its deferred function, r10, the goroutine's newest, and locked the goroutine
// to its thread, as runtime.lockOSThread does it. Both are undone; r13 = m, r14 = g. Changes r10.
.macro SETTLE
	cmpq $0, D_LINK(%r10)
	jne 51f
	movq $0, G_DEFER(%r14)
52:	UNLOCK
.endm
.macro RARE_SETTLE
51:	movq D_LINK(%r10), %r10
	movq %r10, G_DEFER(%r14)
	jmp 52b
.endm

// While C runs the goroutine's stack may move, and C gives the old frame pointer back: where the stack
// is, says m.vdsoSP, or where that is 0, in a turned call, g.syscallsp. r13 = m, r14 = g, which C preserves.
// It is vdsoSP | (0 - (0 >= vdsoSP) & syscallsp + TURNED_FRAME), plus 8. A signal may turn the call between the two
// loads of vdsoSP, while C unwinds itself: then both sides are the same address. Valgrind knows neither dup and bra
// nor or, so a | b is -1 - (-1 - a & -1 - b): const1s -1, const1s -1, breg13, deref, minus, const1s -1, lit0, lit0,
// breg13, deref, ge, minus, breg14, deref, plus_uconst, and, minus, and, minus, plus_uconst.
.macro CFA_OF_CALL
	.cfi_escape 0x0f, 32, 0x09, 0xff, 0x09, 0xff, 0x7d, (M_VDSOSP & 127) | 128, M_VDSOSP >> 7, 0x06, 0x1c, \
		0x09, 0xff, 0x30, 0x30, 0x7d, (M_VDSOSP & 127) | 128, M_VDSOSP >> 7, 0x06, 0x2a, 0x1c, \
		0x7e, (G_SYSCALLSP & 127) | 128, G_SYSCALLSP >> 7, 0x06, 0x23, (TURNED_FRAME & 127) | 128, TURNED_FRAME >> 7, \
		0x1a, 0x1c, 0x1a, 0x1c, 0x23, 8
.endm

// A call on a C stack: rbx = the call's data, rbp = the stub's. It goes to rare, where nothing has
// changed but rax, r10 and r11, if there is no stack at hand. At the end r12 = the record, and
// rbp is on the goroutine's stack where that is now. RARE_ON_STACK stands behind it. called: the
// stub has called, and its return address is on the system stack; else back is where the stub would
// go on.
.macro ON_STACK rare, called=0
	THREAD
	movq %fs:THREAD_ACTIVE(%r10), %rax
	movq REC_DEEPER(%rax), %r11
	testq %r11, %r11
	jz \rare
	movl CALL_ORDER(%rbx), %eax
	cmpl %eax, REC_ORDER(%r11)
	jb \rare
	movq %r11, %fs:THREAD_ACTIVE(%r10)
	.if \called
	popq %rax
	.endif
	leaq 8(%rbp), %r10
	movq %r10, REC_GOSP(%r11)
	cmpq %rbx, REC_CALL(%r11)
	jne 31f
	cmpq %r14, REC_G(%r11)
	jne 31f
32:	movl $8, %eax // for C with variable arguments
	movq %r11, %r12
	movq %r11, %rsp
	call *CALL_TWIN(%rbx)
	THREAD
	movq REC_OUTER(%r12), %r11
	cmpq $0, REC_CSP(%r12)
	jne _wherry_on_stack_turned
	movq %r11, %fs:THREAD_ACTIVE(%r10)
	leaq 8(%rbp), %r11
	cmpq REC_GOSP(%r12), %r11
	jne 33f
34:	leaq 8-DEFER_BELOW(%rbp), %r10
	cmpq %r10, G_DEFER(%r14)
	jne 35f
	SETTLE
35:	cmpl $0, REC_SURPLUS(%r12)
	jne _wherry_on_stack_surplus
.endm
.macro RARE_ON_STACK back
31:
	.ifnb \back
	leaq \back(%rip), %rax
	.endif
	movq %rax, REC_CONTINUE(%r11)
	movq %r14, REC_G(%r11)
	movq %rbx, REC_CALL(%r11)
	jmp 32b
33:	movq REC_GOSP(%r12), %rbp // the goroutine's stack has moved
	subq $8, %rbp
	jmp 34b
	RARE_SETTLE
.endm

// errno, r15 bytes from the thread pointer: set to 0, and loaded into rdx.
.macro CLEAR_ERRNO
	movl $0, %fs:(%r15)
.endm
.macro LOAD_ERRNO
	movl %fs:(%r15), %edx
.endm
