// The callback, arm64: C that runs on a C stack calls Go. In the middle
// stands _wherry_callback (../frames/frames_arm64.s), a function that Go's unwinder
// knows; the way back is _wherry_return (return_arm64.S).
//
//   goroutine's stack                       C stack
//   +---------------------------+           +-------------------------+
//   | frame of the Go caller    |           | record                  |
//   +---------------------------+ <- go_sp  +-------------------------+ <- x19
//   | frame of _wherry_callback |           | frames of C             |
//   | (begins with its return   |           +-------------------------+
//   | address, into the caller) |           | saved registers of C    |
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
//                x17 = a pointer to the func value. What is not C of a call on a C stack goes
//                on at _wherry_closure_slow (closure_ARCH.S).
// kind frame:    _wherry_callback_frame(fn, frame, size), which has taken the place of
//                crosscall2 and may be called by any thread. The others pass C's arguments on.

.macro CALLBACK symbol, target=, ints=0, slow=, global=globl, kind=exported
	.section wherry_text, TEXT_FLAGS, @progbits
	.p2align 4
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
	.type \symbol, %function
\symbol:
	THREAD
	ldr x10, [x9, #THREAD_ACTIVE]
	ldr x11, [x10, #REC_CSP]
	cbnz x11, 3f
	ldr x12, [x10, #REC_SYSTEM]
	cbz x12, 1f
	.ifc \kind,closure
3:	adrp x16, _wherry_closure_slow
	ldr x16, [x16, :lo12:_wherry_closure_slow]
	br x16
	.else
// C of a thread that holds its P. Where the runtime wants the goroutine to stop the thread
// gives its P back first, since Go would have another thread do that; and it may have come
// to another stack.
	mov x11, sp
	ldr x14, [x10, #REC_G]
	ldr x14, [x14, #G_STACKGUARD0]
	ldr x13, [x10, #REC_GOSP]
	cmp x13, x14
	b.ls 3f
	ldp x14, x13, [x10, #REC_FROM]
	sub x14, x11, x14
	cmp x14, x13
	b.hs 3f
// The runtime's stack is below C's frames, and what we push.
	sub x11, x11, #SAVED
	str x11, [x12]
	b 1f
	.ifc \kind,frame
3:	b _wherry_callback_frame_slow
	.else
3:	b \slow
	.endif
	.endif
// Go saves no registers for C.
1:	PUSH_SAVED
	mov x19, x10
	mov x11, sp
	str x11, [x19, #REC_CSP]
	ldr x28, [x19, #REC_G]
	ldr x21, [x28, #G_M]
	ldr x9, [x19, #REC_GOSP]
	mov sp, x9
	str xzr, [x21, #M_VDSOSP] // only now: Go's traces fail where g runs on another stack without a mark
	ldp x29, x30, [x9, #-CALLER_FP]
	.ifc \kind,frame
	mov x20, x0
	mov x0, x1
	.endif
	.ifc \kind,exported
	adrp x20, \target
	add x20, x20, :lo12:\target
	.endif
	.ifc \kind,closure
	ldr x26, [x17]
	ldr x20, [x26]
	.endif
	mov x22, sp
	sub x22, x22, #DEFER_BELOW
	ldr x9, [x28, #G_DEFER]
	cmp x9, x22
	b.ne 2f
	b _wherry_callback
// The first callback of a call, whose deferred function is not linked yet: from
// now on the goroutine must not leave its thread, as runtime.lockOSThread does
// it.
2:	LOCK
	adrp x19, _wherry_abandon_func
	add x19, x19, :lo12:_wherry_abandon_func
	b _wherry_callback_first
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
