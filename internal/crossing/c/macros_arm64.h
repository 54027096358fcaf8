// What several ways share, arm64, and how many bytes they save.

#define ARGUMENTS 208
#define RESULTS 48

// C's arguments, ARGUMENTS bytes at sp, with the address of a result in memory. Changes
// nothing else.
.macro SAVE_ARGUMENTS
	stp x0, x1, [sp]
	stp x2, x3, [sp, #16]
	stp x4, x5, [sp, #32]
	stp x6, x7, [sp, #48]
	str x8, [sp, #64]
	stp q0, q1, [sp, #80]
	stp q2, q3, [sp, #112]
	stp q4, q5, [sp, #144]
	stp q6, q7, [sp, #176]
.endm
.macro LOAD_ARGUMENTS
	ldp q6, q7, [sp, #176]
	ldp q4, q5, [sp, #144]
	ldp q2, q3, [sp, #112]
	ldp q0, q1, [sp, #80]
	ldr x8, [sp, #64]
	ldp x6, x7, [sp, #48]
	ldp x4, x5, [sp, #32]
	ldp x2, x3, [sp, #16]
	ldp x0, x1, [sp]
.endm

// C's results, RESULTS bytes at sp. Changes nothing else.
.macro SAVE_RESULTS
	stp x0, x1, [sp]
	stp d0, d1, [sp, #16]
	stp d2, d3, [sp, #32]
.endm
.macro LOAD_RESULTS
	ldp d2, d3, [sp, #32]
	ldp d0, d1, [sp, #16]
	ldp x0, x1, [sp]
.endm

// The registers that a C function leaves as they are, SAVED bytes.
.macro PUSH_SAVED
	stp x29, x30, [sp, #-SAVED]!
	stp x19, x20, [sp, #16]
	stp x21, x22, [sp, #32]
	stp x23, x24, [sp, #48]
	stp x25, x26, [sp, #64]
	stp x27, x28, [sp, #80]
	stp d8, d9, [sp, #96]
	stp d10, d11, [sp, #112]
	stp d12, d13, [sp, #128]
	stp d14, d15, [sp, #144]
.endm
// And returns.
.macro RETURN_SAVED
	ldp d14, d15, [sp, #144]
	ldp d12, d13, [sp, #128]
	ldp d10, d11, [sp, #112]
	ldp d8, d9, [sp, #96]
	ldp x27, x28, [sp, #80]
	ldp x25, x26, [sp, #64]
	ldp x23, x24, [sp, #48]
	ldp x21, x22, [sp, #32]
	ldp x19, x20, [sp, #16]
	ldp x29, x30, [sp], #SAVED
	ret
.endm

// sp = the top of the thread's system stack; x21 = m. Changes x9.
.macro SYSTEM_STACK
	ldr x9, [x21, #M_G0]
	ldr x9, [x9, #G_SCHED_SP]
	and sp, x9, #-16
.endm

// While C runs the goroutine's stack may move, and C gives the old frame pointer back: where the stack
// is, says m.vdsoSP, or where that is 0, in a turned call, g.syscallsp. x21 = m, x28 = g, which C preserves.
// It is vdsoSP | (0 - (0 >= vdsoSP) & syscallsp + TURNED_FRAME). A signal may turn the call between the two
// loads of vdsoSP, while C unwinds itself: then both sides are the same address. Valgrind knows neither dup and bra
// nor or, so a | b is -1 - (-1 - a & -1 - b): const1s -1, const1s -1, breg21, deref, minus, const1s -1, lit0, lit0,
// breg21, deref, ge, minus, breg28, deref, plus_uconst, and, minus, and, minus.
.macro CFA_OF_CALL
	.cfi_escape 0x0f, 30, 0x09, 0xff, 0x09, 0xff, 0x85, (M_VDSOSP & 127) | 128, M_VDSOSP >> 7, 0x06, 0x1c, \
		0x09, 0xff, 0x30, 0x30, 0x85, (M_VDSOSP & 127) | 128, M_VDSOSP >> 7, 0x06, 0x2a, 0x1c, \
		0x8c, (G_SYSCALLSP & 127) | 128, G_SYSCALLSP >> 7, 0x06, 0x23, (TURNED_FRAME & 127) | 128, TURNED_FRAME >> 7, \
		0x1a, 0x1c, 0x1a, 0x1c
.endm

// The call is in flight again: go_sp is where the goroutine's stack pointer is, x21 = m, x29 and x30
// are the Go caller's. Changes other.
.macro MARK go_sp, other
	stp x29, x30, [\go_sp, #-CALLER_FP]
	sub \other, x30, #TAG
	str \other, [x21, #M_VDSOPC]
	str \go_sp, [x21, #M_VDSOSP]
.endm

// x9 = the thread's state. Changes x10.
.macro THREAD
	mrs x9, tpidr_el0
	adrp x10, :gottprel:_wherry_thread
	ldr x10, [x10, :gottprel_lo12:_wherry_thread]
	add x9, x9, x10
.endm

// _wherry_turned goes on, in the frame that it left; x28 = g, x20 = what for. Not by
// g.sched.sp: what the runtime does while it enters a system call may overwrite that.
.macro RESUME
	ldr x9, [x28, #G_SYSCALLSP]
	mov sp, x9
	sub x29, x9, #8
	adrp x9, _wherry_turn_resume
	ldr x9, [x9, #:lo12:_wherry_turn_resume]
	br x9
.endm

// The goroutine, x28, must not leave its thread, x21, as runtime.lockOSThread does it.
.macro LOCK
	ldr w9, [x21, #M_LOCKEDINT]
	add w9, w9, #1
	str w9, [x21, #M_LOCKEDINT]
	str x28, [x21, #M_LOCKEDG]
	str x21, [x28, #G_LOCKEDM]
.endm

// It may leave it again, as runtime.unlockOSThread does it.
.macro UNLOCK
	ldr w10, [x21, #M_LOCKEDINT]
	sub w10, w10, #1
	str w10, [x21, #M_LOCKEDINT]
	cbnz w10, 9f
	ldr w10, [x21, #M_LOCKEDEXT]
	cbnz w10, 9f
	str xzr, [x21, #M_LOCKEDG]
	str xzr, [x28, #G_LOCKEDM]
9:
.endm

// errno, x23 bytes from the thread pointer: set to 0, and loaded into x1. Both change x9.
.macro CLEAR_ERRNO
	mrs x9, tpidr_el0
	str wzr, [x9, x23]
.endm
.macro LOAD_ERRNO
	mrs x9, tpidr_el0
	ldr w1, [x9, x23]
.endm
