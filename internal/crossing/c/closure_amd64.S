//go:build linux && cgo && go1.24 && !go1.28

// C calls a function pointer of package callback, amd64, and is not C of a call on a C stack:
// callback_amd64.h has the way from there. It goes through the runtime's entry from C, or
// through the one that turns a call in flight first. wherry build does not compile this for
// all packages: a program has it by package c.
//
//   stack of C, any thread's             goroutine's stack
//   +------------------------+           +------------------------+
//   | frames of C            |           | frames of the runtime  |
//   | return address into C  |           | package callback       |
//   | Args                   |           | frames of Go ...       |
//   +------------------------+ <- rsp
//   | crosscall2 ...         |
//
// On entry: C's calling convention; r11 = the closure.

#define ARGS 192
#define ARGS_FLOATS 64
#define ARGS_RETINTS 128
#define ARGS_RETFLOATS 144
#define ARGS_STACK 176
#define ARGS_CLOSURE 184
#define FRAME 200 // Args, which leave rsp aligned

// Three ways that are the same here: by the address Go knows what kind of pointer it is.
	.section .note.GNU-stack, "", @progbits
	.text
	.p2align 4
	.globl _wherry_closure_released, _wherry_closure_general, _wherry_closure_straight
	.hidden _wherry_closure_released, _wherry_closure_general, _wherry_closure_straight
	.type _wherry_closure_released, @function
	.type _wherry_closure_general, @function
	.type _wherry_closure_straight, @function
_wherry_closure_released:
	nop
_wherry_closure_general:
	nop
_wherry_closure_straight:
	.cfi_startproc
	subq $FRAME, %rsp
	.cfi_adjust_cfa_offset FRAME
	movq %rdi, (%rsp)
	movq %rsi, 8(%rsp)
	movq %rdx, 16(%rsp)
	movq %rcx, 24(%rsp)
	movq %r8, 32(%rsp)
	movq %r9, 40(%rsp)
	movsd %xmm0, ARGS_FLOATS(%rsp)
	movsd %xmm1, ARGS_FLOATS+8(%rsp)
	movsd %xmm2, ARGS_FLOATS+16(%rsp)
	movsd %xmm3, ARGS_FLOATS+24(%rsp)
	movsd %xmm4, ARGS_FLOATS+32(%rsp)
	movsd %xmm5, ARGS_FLOATS+40(%rsp)
	movsd %xmm6, ARGS_FLOATS+48(%rsp)
	movsd %xmm7, ARGS_FLOATS+56(%rsp)
	leaq FRAME+8(%rsp), %rax
	movq %rax, ARGS_STACK(%rsp)
	movq %r11, ARGS_CLOSURE(%rsp)
	movq _wherry_closure_go(%rip), %rdi
	movq %rsp, %rsi
	movl $ARGS, %edx
	xorl %ecx, %ecx
	call *_wherry_closure_way(%rip)
	movq ARGS_RETINTS(%rsp), %rax
	movq ARGS_RETINTS+8(%rsp), %rdx
	movsd ARGS_RETFLOATS(%rsp), %xmm0
	movsd ARGS_RETFLOATS+8(%rsp), %xmm1
	addq $FRAME, %rsp
	.cfi_adjust_cfa_offset -FRAME
	ret
	.cfi_endproc
	.size _wherry_closure_released, .-_wherry_closure_released
	.size _wherry_closure_general, .-_wherry_closure_general
	.size _wherry_closure_straight, .-_wherry_closure_straight

// The Go function, and crosscall2 or _wherry_callback_thread: closures_unsafe.go sets them.
	.bss
	.globl _wherry_closure_go, _wherry_closure_way
	.hidden _wherry_closure_go, _wherry_closure_way
	.p2align 3
_wherry_closure_go:
	.zero 8
_wherry_closure_way:
	.zero 8
