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
//   +------------------------+           +------------------------+ <- g0.sched.sp
//   | return address         | <- go_sp  | aligned to 16          |
//   | Go's frame pointer     | <- rbp    | return address into us | it names the call, or
//   +------------------------+           |                        | (BOUND) is its data
//                                        | frames of C            |
//
// On entry (Go's register ABI): rsp = go_sp, r14 = g, xmm15 = 0, integer
// arguments in rax rbx rcx rdi rsi r8, floating-point ones in xmm0-7. These
// hold any value in Go code and are saved by C functions: r12, r13, r15, rbx.
// On return: result in rax and rbx, or xmm0 and xmm1, xmm15 = 0, r14 and rbp as on entry (C
// preserves both), every other register may be changed, as after a Go call.
//
// So rbp leads from C's frames to ours and on to the Go caller's, for debuggers and profilers of
// others; if the goroutine's stack moves, C returns with the old one.
//
// While C runs m.vdsoSP is go_sp, and m.vdsoPC is 0, which it is when no vDSO call of Go's is
// under way. This is the mark of a call in flight: for the signal handler, and for us when C is
// done, since turning clears it. Profiler and crash traceback start there, as they do
// in a vDSO call; where the PC is 0 they take it from the stack.
//
// Nothing of this is preempted: Go's signal handler finds a PC that is not Go's,
// and ours leaves the section wherry_text alone. So here g and m stay what they
// are.

.macro BACK_TO_GO two
	leaq 8(%rbp), %rsp
	.cfi_def_cfa %rsp, 8
	movq (%rbp), %rbp
	.cfi_restore %rbp
	movq $0, M_VDSOSP(%r13)
	xorps %xmm15, %xmm15
	.if \two
	movq %rdx, %rbx
	.endif
	ret
.endm

.macro CALL_C symbol, ints, global=globl, yield=, via=, bound=0, full=0, wary=0, flags=0, two=0, stack=0
	.section wherry_text, TEXT_FLAGS, @progbits
// Of eight places in a cache line this is the best on Zen 4, where others cost up to 0.4 ns: most of
// what follows the call of C lies in one line.
	.p2align 6
	.skip 16, 0xcc
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
	.if \bound
	movq BINDING_FN(%rdx), %r10
	.endif
	movq G_M(%r14), %r13
	movq %rsp, M_VDSOSP(%r13)
	pushq %rbp
	.cfi_def_cfa_offset 16
	.cfi_offset %rbp, -16
	movq %rsp, %rbp
	CFA_OF_CALL
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
	leaq STACK_AREA+16(%rbp), %r9
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
	.cfi_def_cfa %rbp, 16
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
	cmpq $0, M_VDSOSP(%r13)
	je _wherry_turned_exit
	.cfi_remember_state
	.cfi_def_cfa %rbp, 16
	BACK_TO_GO \two
	.cfi_restore_state
	.if \stack
	RARE_ON_STACK 1b
	.endif
	.if \wary
	.cfi_def_cfa %rsp, 8
	.cfi_restore %rbp
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
