//go:build ignore

// Turning, arm64: a call that C runs in becomes the system call that cgo would
// have made it, and ends as one. turn.c and signal.c decide when;
// _wherry_turned (../frames/frames_arm64.s) is the function that Go's unwinder sees in the
// place of our stub.
//
//   goroutine's stack                    where C or its signal handler runs
//   +---------------------------+        +-----------------------------+
//   | frame of the Go caller    |        | frames of C                 |
//   +---------------------------+ <-go_sp| turn.c: turn                |
//   | frame of _wherry_turned;  |        | saved registers             |
//   | at first, the stub's pair |        |                             |
//   +---------------------------+        +-----------------------------+ <- thread.handler_sp
//   | frames of callbacks       |  ^ g.syscallsp, from runtime.entersyscall on

	.section wherry_text, TEXT_FLAGS, @progbits
	.weak _wherry_turned
	.hidden _wherry_turned

// void _wherry_turn_enter(g, go_sp, g0): runs _wherry_turned, which seems to be
// called by the Go caller, until the goroutine is in the system call. Where g0 is not
// NULL C's frames are on its stack: what the runtime runs there goes below them.
	.p2align 4
	.weak _wherry_turn_enter
	.hidden _wherry_turn_enter
	.type _wherry_turn_enter, %function
_wherry_turn_enter:
	PUSH_SAVED
	THREAD
	mov x11, sp
	str x11, [x9, #THREAD_HANDLER]
	cbz x2, 1f
	str x11, [x2, #G_SCHED_SP]
1:	mov x28, x0
	mov sp, x1
	ldp x29, x30, [x1, #-CALLER_FP]
	b _wherry_turned
	.size _wherry_turn_enter, .-_wherry_turn_enter

// _wherry_turned jumps here when the goroutine is in the system call: back to C.
// x9 = where _wherry_turned goes on.
	.p2align 4
	.weak _wherry_turn_parked
	.hidden _wherry_turn_parked
	.type _wherry_turn_parked, %function
_wherry_turn_parked:
	adrp x10, _wherry_turn_resume
	str x9, [x10, #:lo12:_wherry_turn_resume] // the same in all calls
	THREAD
	ldr x9, [x9, #THREAD_HANDLER]
	mov sp, x9
	RETURN_SAVED
	.size _wherry_turn_parked, .-_wherry_turn_parked
	.section .bss._wherry_turn_resume, "aw", @nobits
	.weak _wherry_turn_resume
	.hidden _wherry_turn_resume
	.p2align 3
_wherry_turn_resume:
	.zero 8
	.section wherry_text, TEXT_FLAGS, @progbits

// A turned call on g0 is done: the stub jumps here. sp = g0's stack, aligned, x28 = g; x0 and x1, or
// d0 to d3 = C's result. Or the call did not begin, and x11 = the Go function that makes it
// through cgo; then x29 is the stub's. A goroutine in a system call has a syscallsp.
	.p2align 4
	.weak _wherry_turned_exit
	.hidden _wherry_turned_exit
	.type _wherry_turned_exit, %function
_wherry_turned_exit:
	ldr x9, [x28, #G_SYSCALLSP]
	cbz x9, 1f
	sub sp, sp, #RESULTS
	SAVE_RESULTS
	mov x0, x28
	bl _wherry_turn_over
	LOAD_RESULTS
	mov x20, #0
	RESUME
1:	add sp, x29, #CALLER_FP
	ldp x29, x30, [x29]
	br x11
	.size _wherry_turned_exit, .-_wherry_turned_exit

// _wherry_turned jumps here when its frame is gone: sp = the Go caller's, x30 = the
// return address, x28 = g, x20 = 0: C is done, its result is where Go wants it; x20 = 1: C goes
// on (_wherry_unturn).
	.p2align 4
	.weak _wherry_turned_left
	.hidden _wherry_turned_left
	.type _wherry_turned_left, %function
_wherry_turned_left:
	ldr x21, [x28, #G_M]
	mov x11, sp
	cbnz x20, 5f
	sub x10, x11, #DEFER_BELOW
	ldr x9, [x28, #G_DEFER]
	cmp x9, x10 // a callback linked its deferred function
	b.eq _wherry_settle
	ret
5:	UNLOCK
	THREAD
	ldr x19, [x9, #THREAD_ACTIVE]
	str x11, [x19, #REC_GOSP]
	MARK x11, x10
	ldr x9, [x9, #THREAD_HANDLER]
	mov sp, x9
	str xzr, [x19, #REC_CSP]
	RETURN_SAVED
	.size _wherry_turned_left, .-_wherry_turned_left

// void _wherry_unturn(void), in a turned call on a C stack that is about to call
// back: the goroutine leaves the system call, and the call is in flight again.
// From its thread it may not go in between, since C has run on it.
	.p2align 4
	.weak _wherry_unturn
	.hidden _wherry_unturn
	.type _wherry_unturn, %function
_wherry_unturn:
	PUSH_SAVED
	THREAD
	mov x11, sp
	str x11, [x9, #THREAD_HANDLER]
	ldr x19, [x9, #THREAD_ACTIVE]
	ldr x10, [x19, #REC_SYSTEM]
	cbz x10, 1f
	str x11, [x10]
1:	ldr x28, [x19, #REC_G]
	ldr x21, [x28, #G_M]
	ldr w10, [x21, #M_LOCKEDINT]
	add w10, w10, #1
	str w10, [x21, #M_LOCKEDINT]
	str x28, [x21, #M_LOCKEDG]
	str x21, [x28, #G_LOCKEDM]
	mov x20, #1
	RESUME
	.size _wherry_unturn, .-_wherry_unturn
	.text
