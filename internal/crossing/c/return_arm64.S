//go:build ignore

// The ends of callbacks and of calls that had some, arm64. The pictures are in
// stack_arm64.S and callback_arm64.h.

// _wherry_return ends a callback: _wherry_callback jumps here when its frame is
// gone. sp is where it was in the Go caller, wherever the stack is now;
// x0 or d0 = result, x30 = return address into the caller, x19 = record,
// x28 = g.
	.section wherry_text, TEXT_FLAGS, @progbits
	.p2align 4
	.weak _wherry_return
	.hidden _wherry_return
	.type _wherry_return, %function
_wherry_return:
	THREAD
	ldr x19, [x9, #THREAD_ACTIVE]
	ldr x21, [x28, #G_M]
	mov x10, sp
	str x10, [x19, #REC_GOSP]
	MARK x10, x11
	ldr x9, [x19, #REC_CSP]
	str xzr, [x19, #REC_CSP]
	mov sp, x9
	RETURN_SAVED
	.size _wherry_return, .-_wherry_return

// _wherry_callback asks this when the goroutine is to stop. x19 = 0: now; a holding
// thread gives its P back when C goes on.
	.p2align 4
	.weak _wherry_yields_later
	.hidden _wherry_yields_later
	.type _wherry_yields_later, %function
_wherry_yields_later:
	THREAD
	ldr x9, [x9, #THREAD_ACTIVE]
	ldr x19, [x9, #REC_SYSTEM]
	ret
	.size _wherry_yields_later, .-_wherry_yields_later

// _wherry_settle takes back what the first callback of a call did: x10 = the
// deferred function that _wherry_callback_first linked, the goroutine's newest,
// x21 = m, x28 = g; x0, d0 and x19-x29 stay.
	.p2align 4
	.weak _wherry_settle
	.hidden _wherry_settle
	.type _wherry_settle, %function
_wherry_settle:
	ldr x10, [x10, #D_LINK]
	str x10, [x28, #G_DEFER]
// The goroutine may leave its thread again, as runtime.unlockOSThread does it.
_wherry_unlock:
	UNLOCK
	ret
	.size _wherry_settle, .-_wherry_settle

// _wherry_abandon is the deferred function: Go calls it when a panic or
// runtime.Goexit leaves a callback through C's frames. They are gone, and their
// stack is free again.
// x28 = g. The runtime has already taken the deferred function off its list.
	.p2align 4
	.weak _wherry_abandon
	.hidden _wherry_abandon
	.type _wherry_abandon, %function
_wherry_abandon:
	mov x23, x30
	ldr x21, [x28, #G_M]
	THREAD
	ldr x19, [x9, #THREAD_ACTIVE]
	str xzr, [x19, #REC_CSP]
	ldr x10, [x19, #REC_OUTER]
	str x10, [x9, #THREAD_ACTIVE]
	bl _wherry_unlock
	ldr w9, [x19, #REC_SURPLUS]
	cbz w9, 1f
// The pool's code runs on the thread's system stack.
	mov x20, sp
	SYSTEM_STACK
	mov x0, x19
	bl _wherry_stack_surplus
	mov sp, x20
1:	ret x23
	.size _wherry_abandon, .-_wherry_abandon
	.text
