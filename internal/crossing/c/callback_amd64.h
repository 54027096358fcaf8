// The callback, amd64: C that runs on a C stack calls Go. In the middle
// stands _wherry_callback (../frames/frames_amd64.s), a function that Go's unwinder
// knows; the way back is _wherry_return (return_amd64.S).
//
//   goroutine's stack                       C stack
//   +---------------------------+           +-------------------------+
//   | frame of the Go caller    |           | record                  |
//   +---------------------------+           +-------------------------+ <- r12
//   | return address            |<- go_sp   | frames of C             |
//   +---------------------------+           | return address into C   |
//   | frame of _wherry_callback |           | saved registers of C    |
//   +---------------------------+           +-------------------------+ <- c_sp
//   | frames of Go ...          |           | (a nested call takes another stack)
//
// No frame of C is ever below one of Go on the goroutine's stack: the unwinder
// sees the Go caller, which seems to have called _wherry_callback, and the Go
// function. So that stack can grow, move and be scanned as any other.
//
// A thread that holds its P has its own stack in the place of the C stack; the runtime
// uses that too, below C's frames.
//
// On entry: C's calling convention. Where thread.active is a record whose c_sp is 0, C runs in a
// call with a record; what comes from elsewhere goes another way.
//
// kind exported: to the Go function target, for a function that cgo exports to C, which has
//                so many ints. C's own name for it, as a rule; slow is what cgo wrote.
// kind closure:  for function pointers of package callback: any thread may call them, and
//                r11 = a pointer to the func value. What is not C of a call on a C stack goes
//                on at _wherry_closure_slow (closure_ARCH.S).
// kind frame:    _wherry_callback_frame(fn, frame, size), which has taken the place of
//                crosscall2 and may be called by any thread. The others pass C's arguments on.

.macro CALLBACK symbol, target=, ints=0, slow=, global=globl, kind=exported
	.section wherry_text, TEXT_FLAGS, @progbits
	.p2align 6
	.\global \symbol
	.ifc \kind,exported
	.weak \target
	.hidden \target
	.hidden \slow
	.else
	.hidden \symbol
	.endif
	.weak _wherry_callback
	.hidden _wherry_callback
	.weak _wherry_callback_first
	.hidden _wherry_callback_first
	.weak _wherry_abandon_func
	.hidden _wherry_abandon_func
	.type \symbol, @function
\symbol:
	.ifc \kind,closure
	movq %r11, %rax
	.endif
	THREAD
	movq %fs:THREAD_ACTIVE(%r10), %r11
	cmpq $0, REC_CSP(%r11)
	.ifc \kind,frame
	jne _wherry_callback_frame_slow
	.endif
	.ifc \kind,exported
	jne \slow
	.endif
	.ifc \kind,closure
	jne 3f
	.endif
	cmpq $0, REC_SYSTEM(%r11)
	jne 4f
// Go saves no registers for C.
5:	PUSH_SAVED
	movq %r11, %r12
	movq %rsp, REC_CSP(%r12)
	movq REC_G(%r12), %r14
	movq G_M(%r14), %r13
	movq REC_GOSP(%r12), %rsp
	movq $0, M_VDSOSP(%r13) // only now: Go's traces fail where g runs on another stack without a mark
	movq -CALLER_FP(%rsp), %rbp
// Go's first integer argument is the frame, in the register ABI.
	.ifc \kind,frame
	movq %rdi, %r15
	movq %rsi, %rax
	.endif
	.ifc \kind,exported
	leaq \target(%rip), %r15
	.endif
	.ifc \kind,closure
	movq (%rax), %r15
	.endif
	.if \ints >= 1
	movq %rdi, %rax
	.endif
	.if \ints >= 2
	movq %rsi, %rbx
	.endif
	.if \ints >= 4
	movq %rcx, %rdi
	.endif
	.if \ints >= 3
	movq %rdx, %rcx
	.endif
	.if \ints >= 5
	movq %r8, %rsi
	.endif
	.if \ints >= 6
	movq %r9, %r8
	.endif
	.ifc \kind,closure
	movq %r15, %rdx
	movq (%r15), %r15
	.endif
	xorps %xmm15, %xmm15
	leaq -DEFER_BELOW(%rsp), %r13
	cmpq %r13, G_DEFER(%r14)
	je _wherry_callback
// The first callback of a call, whose deferred function is not linked yet: from
// now on the goroutine must not leave its thread, as runtime.lockOSThread does
// it. Constants are stored where the branch predictor knows the value.
	movq G_M(%r14), %r11
	cmpl $0, M_LOCKEDINT(%r11)
	jne 1f
	movl $1, M_LOCKEDINT(%r11)
	jmp 2f
1:	incl M_LOCKEDINT(%r11)
2:	movq %r14, M_LOCKEDG(%r11)
	movq %r11, G_LOCKEDM(%r14)
	leaq _wherry_abandon_func(%rip), %r12
	jmp _wherry_callback_first
	.ifc \kind,closure
3:
4:	movq %rax, %r11
	jmp *_wherry_closure_slow(%rip)
	.else
// C of a thread that holds its P. Where the runtime wants the goroutine to stop the thread
// gives its P back first, since Go would have another thread do that; and it may have come
// to another stack.
4:	movq REC_G(%r11), %rax
	movq G_STACKGUARD0(%rax), %rax
	cmpq %rax, REC_GOSP(%r11)
	jbe 3f
	movq %rsp, %rax
	subq REC_FROM(%r11), %rax
	cmpq REC_SPAN(%r11), %rax
	jae 3f
// The runtime's stack is below C's frames, and what we push.
	movq REC_SYSTEM(%r11), %rax
	leaq -SAVED(%rsp), %r10
	movq %r10, (%rax)
	jmp 5b
	.ifc \kind,frame
3:	jmp _wherry_callback_frame_slow
	.else
3:	jmp \slow
	.endif
	.endif
	.size \symbol, .-\symbol
	.ifc \kind,closure
	.section .bss._wherry_closure_slow, "aw", @nobits
	.weak _wherry_closure_slow
	.hidden _wherry_closure_slow
	.p2align 3
_wherry_closure_slow:
	.zero 8
	.endif
	.text
.endm
