// The call, arm64: a Go function's caller runs a C function on the thread's
// system stack, and the scheduler is not told. While C runs, the call can become
// a cgo call: turn_arm64.S. CALL_C is that of one C function.
//
// symbol: the stub, which Go calls in its register ABI; symbol_call: its data (stub.h).
// ints:   how many integer and pointer arguments there are
// yield:  the Go function to go to when the goroutine is to be preempted, if there is one
// via:    the Go function that makes the call through cgo, if there is one
// flags:  package abi's
// two:    C returns two integers
// stack:  the C function runs on a C stack from the first call on; not of use here
// bound:  a call of package direct: x26 = the binding, which leads to the call's data
// full:   bound, with stack arguments and errno, which comes in x1
// wary:   bound, with the stack check, after which a Go func of the same type is called
//
//   goroutine's stack                    thread's system stack (g0)
//   +------------------------+           +------------------------+ hi
//   | frame of the Go caller |           | frames of the runtime  |
//   +------------------------+ <- go_sp  +------------------------+ <- g0.sched.sp
//   | (its frame pointer)    |           | aligned to 16          |
//   |                        |           | CALL                   | it names the call
//   | return address         |           | 0                      |
//   | Go's frame pointer     | <- x29    +------------------------+
//   +------------------------+           | frames of C            |
//
// On entry (Go's register ABI): sp = go_sp, x28 = g, x30 = return address, arguments
// in x0-x7 and v0-v7, which is where C wants them. These hold any value in Go
// code and are saved by C functions: x19-x26.
// On return: result in x0 and x1, or v0 and v1, sp, x28 and x29 as on entry (C preserves
// them), every other register may be changed, as after a Go call.
//
// So x29 leads from C's frames to ours and on to the Go caller's, for debuggers and profilers of
// others; if the goroutine's stack moves, C returns with the old one.
//
// While C runs m.vdsoSP is go_sp, and m.vdsoPC is the return address less TAG, which no vDSO call
// of Go's leaves there. This is the mark of a call in flight: for the signal handler, and for
// us when C is done, since turning clears it. Profiler and crash traceback start there, as they
// do in a vDSO call; in the instruction that is so little before they find the same caller.
//
// Nothing of this is preempted: Go's signal handler finds a PC that is not Go's,
// and ours leaves the section wherry_text alone. So here g and m stay what they
// are.

.macro CALL_C symbol, ints, global=globl, yield=, via=, bound=0, full=0, wary=0, flags=0, two=0, stack=0
	.section wherry_text, TEXT_FLAGS, @progbits
	.p2align 4
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
	.type \symbol, %function
\symbol:
	.cfi_startproc
	.cfi_signal_frame // for gdb: the caller is on another stack, which need not lie above
// Go's own stack check, which is how a goroutine learns that it is to be
// preempted: without it a loop of short calls would not stop for the collector.
// YIELD is a Go function of the same signature: its prologue does what Go does
// then, its body calls us again.
	.ifnb \yield
	ldr x9, [x28, #G_STACKGUARD0]
	mov x10, sp
	cmp x10, x9
	b.ls 3f
	.endif
	.if \wary
	ldr x9, [x28, #G_STACKGUARD0]
	mov x10, sp
	cmp x10, x9
	b.ls 8f
	.endif
	.if \bound
	ldr x22, [x26, #BINDING_FN]
	.endif
	ldr x21, [x28, #G_M]
	sub x9, x30, #TAG
	mov x10, sp
	str x9, [x21, #M_VDSOPC]
	str x10, [x21, #M_VDSOSP]
	stp x29, x30, [sp, #-CALLER_FP]!
	.cfi_def_cfa_offset CALLER_FP
	.cfi_offset x29, -CALLER_FP
	.cfi_offset x30, -CALLER_PC
	mov x29, sp
	CFA_OF_CALL
	SYSTEM_STACK
	.if !\bound
	adrp x22, \symbol\()_call
	add x22, x22, :lo12:\symbol\()_call
	.endif
	stp xzr, x22, [sp, #-16]!
// C's stack arguments, which lie below the image, and errno, by its offset from the
// thread pointer.
	.if \full
	ldr x9, [x26, #BINDING_STACK]
	add x10, x29, #STACK_AREA+CALLER_FP
	sub x10, x10, x9
	mov x11, sp
	sub x11, x11, x9
	mov sp, x11
4:	cbz x9, 5f
	sub x9, x9, #8
	ldr x12, [x10, x9]
	str x12, [x11, x9]
	b 4b
5:	ldr x23, [x26, #BINDING_ERRNO]
	cbz x23, 6f
	CLEAR_ERRNO
6:
	.endif
// It may come to be turned before it begins, or to run on a stack of its own.
	ldr x9, [x22, #CALL_TARGET]
	blr x9
1:
	.if \full
	cbz x23, 7f
	LOAD_ERRNO
7:
	.endif
	ldr x9, [x21, #M_VDSOSP]
	cbz x9, 2f
	str xzr, [x21, #M_VDSOSP]
	.cfi_remember_state
	add sp, x29, #CALLER_FP
	.cfi_def_cfa sp, 0
	ldp x29, x30, [x29]
	.cfi_restore x29
	.cfi_restore x30
	ret
	.cfi_restore_state
2:	b _wherry_turned_exit
	.cfi_def_cfa sp, 0
	.cfi_restore x29
	.cfi_restore x30
	.ifnb \yield
3:	b \yield
	.endif
	.if \wary
8:	ldr x26, [x26, #BINDING_SLOW]
	ldr x9, [x26]
	br x9
	.endif
	.cfi_endproc
	.size \symbol, .-\symbol
	.text
.endm
