// The call, amd64: a Go function's caller runs a C function on the thread's
// system stack, and the scheduler is not told. While C runs, the call can become
// a cgo call: turn_amd64.S. CALL_C is that of one C function.
//
// symbol: the stub, which Go calls in its register ABI; symbol_call: its data (stub.h).
// ints:   how many integer and pointer arguments there are
// yield:  the Go function to go to when the goroutine is to be preempted, if there is one
// via:    the Go function that makes the call through cgo, if there is one
// flags:  package abi's
// two:    C returns two integers
// stack:  the C function runs on a C stack from the first call on
// bound:  a call of package direct: rdx = the binding, which leads to the call's data
// full:   bound, with stack arguments and errno, which comes in rdx
// wary:   bound, with the stack check, after which a Go func of the same type is called
//
//   goroutine's stack                    thread's system stack (g0)
//   +------------------------+           +------------------------+ hi
//   | frame of the Go caller |           | frames of the runtime  |
//   +------------------------+ <- r12    +------------------------+ <- g0.sched.sp
//   | return address         | (m.vdsoPC)| aligned to 16          |
//   +------------------------+ <- rsp    | return address into us | it names the call, or
//                                        |                        | (BOUND) is its data
//                                        | frames of C            |
//
// On entry (Go's register ABI): rsp as above, r14 = g, xmm15 = 0, integer
// arguments in rax rbx rcx rdi rsi r8, floating-point ones in xmm0-7. These
// hold any value in Go code and are saved by C functions: r12, r13, r15, rbx.
// On return: result in rax and rbx, or xmm0 and xmm1, xmm15 = 0, r14 and rbp as on entry (C
// preserves both), every other register may be changed, as after a Go call.
//
// While C runs, m.vdsoPC and m.vdsoSP name the Go caller: profiler and crash
// traceback start there, as they do in a vDSO call. g.throwsplit makes a fault in
// C fatal, as it is in cgo; without it the runtime would turn it into a Go panic
// on the wrong stack. It is a bool, and IN_FLIGHT a value that the runtime never
// stores there, but reads as true: it tells the signal handler, and us when C is
// done, that the call has not been turned. It is stored after the other two.
//
// Nothing of this is preempted: Go's signal handler finds a PC that is not Go's,
// and ours leaves the section wherry_text alone. So here g and m stay what they
// are.

.macro BACK_TO_GO two
	movq $0, M_VDSOSP(%r13)
	movb $0, G_THROWSPLIT(%r14)
	xorps %xmm15, %xmm15
	.if \two
	movq %rdx, %rbx
	.endif
	ret
.endm

.macro CALL_C symbol, ints, global=globl, yield=, via=, bound=0, full=0, wary=0, flags=0, two=0, stack=0
	.section wherry_text, TEXT_FLAGS, @progbits
// To the start of a cache line: other places cost up to 0.2 ns on Zen 5.
	.p2align 6
	.\global \symbol
	.hidden \symbol
// Weak, because a function that turns out to stay on cgo has no YIELD.
	.ifnb \yield
	.weak \yield
	.hidden \yield
	.endif
	.ifnb \via
	.weak \via
	.hidden \via
	.endif
	.hidden _wherry_turned_exit
	.if \stack
	.hidden _wherry_on_stack, _wherry_on_stack_turned, _wherry_on_stack_surplus
	.endif
	.type \symbol, @function
\symbol:
	.cfi_startproc
	.cfi_signal_frame // for gdb: the caller is on another stack, which need not lie above
// Go's own stack check, which is how a goroutine learns that it is to be
// preempted: without it a loop of short calls would not stop for the collector.
// YIELD is a Go function of the same signature: its prologue does what Go does
// then, its body calls us again.
	.ifnb \yield
	cmpq G_STACKGUARD0(%r14), %rsp
	jbe \yield
	.endif
	.if \wary
	cmpq G_STACKGUARD0(%r14), %rsp
	jbe 6f
	.endif
// Popped for the shorter code: the address stays where it is, below rsp, since
// signals have a stack of their own.
	.if \bound
	movq (%rsp), %r11
	leaq 8(%rsp), %r12
	movq BINDING_FN(%rdx), %r10
	.else
	popq %r11
	movq %rsp, %r12
	.endif
	.cfi_def_cfa %r12, 0
	movq G_M(%r14), %r13
	movq %r11, M_VDSOPC(%r13)
	movq %r12, M_VDSOSP(%r13)
	movb $IN_FLIGHT, G_THROWSPLIT(%r14)
	.if !\stack
	SYSTEM_STACK
	.endif
	.if \bound
	pushq %r10
	pushq %r10
	.endif
// C's stack arguments, which lie below the image. Then errno, by its offset from the
// thread pointer.
	.if \full
	movq BINDING_STACK(%rdx), %r15
	leaq STACK_AREA(%r12), %r9
	subq %r15, %r9
	subq %r15, %rsp
2:	subq $8, %r15
	jl 3f
	movq (%r9,%r15), %r11
	movq %r11, (%rsp,%r15)
	jmp 2b
3:	movq BINDING_ERRNO(%rdx), %r15
	testq %r15, %r15
	jz 4f
	CLEAR_ERRNO
4:
	.endif
// Arguments, in an order in which none is overwritten before it is read.
	.if \ints >= 6
	movq %r8, %r9
	.endif
	.if \ints >= 5
	movq %rsi, %r8
	.endif
	.if \ints >= 3
	movq %rcx, %rdx
	.endif
	.if \ints >= 4
	movq %rdi, %rcx
	.endif
	.if \ints >= 2
	movq %rbx, %rsi
	.endif
	.if \ints >= 1
	movq %rax, %rdi
	.endif
// A function that is proved to be short is called so until the program is switched off.
// Others may come to be turned before they begin, or to run on a stack of their own:
// block_amd64.S, stack_amd64.S.
	.if \bound
	movl $8, %eax
	movq %r10, %rbx
	call *CALL_TARGET(%rbx)
	.elseif (\flags) & ALWAYS
	call *\symbol\()_call+CALL_TARGET(%rip)
	.else
	leaq \symbol\()_call(%rip), %rbx
// _wherry_on_stack, without a detour over the system stack.
	.if \stack
	leaq _wherry_on_stack(%rip), %r11
	cmpq %r11, CALL_TARGET(%rbx)
	jne 20f
	.cfi_remember_state
	ON_STACK 20f
	movq %r11, %rsp
	.cfi_restore_state
	.cfi_remember_state
	.cfi_def_cfa %rsp, 8
	BACK_TO_GO \two
	.cfi_restore_state
20:	SYSTEM_STACK
	.endif
	call *CALL_TARGET(%rbx)
	.endif
1:
	.if \full
	testq %r15, %r15
	jz 5f
	LOAD_ERRNO
5:
	.endif
	cmpb $IN_FLIGHT, G_THROWSPLIT(%r14)
	jne _wherry_turned_exit
	leaq -8(%r12), %rsp // at the return address again
	.cfi_def_cfa %rsp, 8
	BACK_TO_GO \two
	.if \stack
	RARE_ON_STACK 1b
	.endif
	.if \wary
6:	movq BINDING_SLOW(%rdx), %rdx
	movq (%rdx), %r12
	jmp *%r12
	.endif
	.cfi_endproc
	.size \symbol, .-\symbol
// What is called in a program that is switched off.
	.if (\flags) & ALWAYS
7:	leaq \symbol\()_call(%rip), %rbx
	.ifnb \via
	jmp _wherry_by_cgo
	.else
	jmp _wherry_turn_first
	.endif
	.endif
	.text
.endm
