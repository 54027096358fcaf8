//go:build ignore

// Holding a P, arm64: the code of a thread that C created becomes C that Go has called, and
// ceases to be. The picture is in hold.c; _wherry_c_thread (../frames/frames_arm64.s)
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
	.type _wherry_hold_begin, %function
_wherry_hold_begin:
	.cfi_startproc
	.cfi_undefined x30 // C's unwinders stop here, on the other stack
	PUSH_SAVED
	THREAD
	mov x11, sp
	str x11, [x9, #THREAD_HELDSP]
	mov sp, x0
	mov x29, #0
	adrp x0, _wherry_c_thread
	add x0, x0, :lo12:_wherry_c_thread
	mov x1, #0
	mov x2, #0
	mov x3, #0
	bl __real_crosscall2
// The callback has ended: for the caller of _wherry_hold_end.
	THREAD
	ldr x9, [x9, #THREAD_HELDSP]
	mov sp, x9
1:	RETURN_SAVED
	.cfi_endproc
	.size _wherry_hold_begin, .-_wherry_hold_begin

// _wherry_c_thread calls this: sp and x29 = its own, x30 = return address into it,
// x28 = g. C goes on. The callback that does not end has locked the goroutine to its thread
// once more, and each that comes now does so too. What counts the locks, as iter.Pull, is to
// find as many as between and in callbacks through cgo.
	.p2align 4
	.weak _wherry_hold_enter
	.hidden _wherry_hold_enter
	.type _wherry_hold_enter, %function
_wherry_hold_enter:
	THREAD
	add x19, x9, #THREAD_HELD
	mov x11, sp
	str x11, [x19, #REC_GOSP]
	str x28, [x19, #REC_G]
	ldr x21, [x28, #G_M]
	MARK x11, x10
	ldr w10, [x21, #M_LOCKEDINT]
	sub w10, w10, #1
	str w10, [x21, #M_LOCKEDINT]
	ldr x10, [x9, #THREAD_HELDSP]
	mov sp, x10
	str x19, [x9, #THREAD_ACTIVE]
	str xzr, [x19, #REC_CSP]
	b 1b
	.size _wherry_hold_enter, .-_wherry_hold_enter

// void _wherry_hold_end(char *g): C that _wherry_c_thread called, and that was turned,
// is done. Returns when the callback has ended.
	.p2align 4
	.weak _wherry_hold_end
	.hidden _wherry_hold_end
	.type _wherry_hold_end, %function
_wherry_hold_end:
	PUSH_SAVED
	THREAD
	mov x11, sp
	str x11, [x9, #THREAD_HELDSP]
	mov x28, x0
	ldr x21, [x28, #G_M]
	ldr w10, [x21, #M_LOCKEDINT]
	add w10, w10, #1
	str w10, [x21, #M_LOCKEDINT]
	mov x20, #0
	RESUME
	.size _wherry_hold_end, .-_wherry_hold_end
	.text
