// Code generated from internal/crossing/enter/*_amd64.gas by script/generate; DO NOT EDIT.

//go:build linux && cgo && !wherry_built && (amd64 || arm64) && go1.24 && !go1.28 && !msan && !asan

#include "zoffsets.h"
#if defined(__clang__) && __clang_major__ >= 13
#define TEXT_FLAGS "axR"
#else
#define TEXT_FLAGS "ax"
#endif
	.section wherry_text, TEXT_FLAGS, @progbits
	.p2align 6
	.weak _wherry_crosscall
	.hidden _wherry_crosscall
	.weak _wherry_callback
	.hidden _wherry_callback
	.weak _wherry_callback_first
	.hidden _wherry_callback_first
	.weak _wherry_abandon_func
	.hidden _wherry_abandon_func
	.hidden _wherry_turned_callback
	.type _wherry_crosscall, @function
_wherry_crosscall:
	movq _wherry_thread@gottpoff(%rip), %r10
	movq %fs:0(%r10), %r11
	cmpq $0, 32(%r11)
	jne _wherry_crosscall_slow
	cmpq $0, 56(%r11)
	jne 4f
5:
	pushq %rbp
	pushq %rbx
	pushq %r12
	pushq %r13
	pushq %r14
	pushq %r15
	movq %r11, %r12
	movq %rsp, 32(%r12)
	movq 24(%r12), %r14
	movb $0, G_THROWSPLIT(%r14)
	movq G_M(%r14), %r13
	movq $0, M_VDSOSP(%r13)
	movq 0(%r12), %rsp
	movq 8(%r12), %rbp
	movq %rdi, %r15
	movq %rsi, %rax
	xorps %xmm15, %xmm15
	leaq -64(%rsp), %r13
	cmpq %r13, G_DEFER(%r14)
	je _wherry_callback
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
4:	movq 24(%r11), %rax
	movq G_STACKGUARD0(%rax), %rax
	cmpq %rax, 0(%r11)
	jbe _wherry_crosscall_slow
	movq %rsp, %rax
	subq 104(%r11), %rax
	cmpq 112(%r11), %rax
	jae _wherry_crosscall_slow
	movq 56(%r11), %rax
	leaq -48(%rsp), %r10
	movq %r10, (%rax)
	jmp 5b
	.size _wherry_crosscall, .-_wherry_crosscall
	.text
	.section wherry_text, TEXT_FLAGS, @progbits
	.p2align 6
	.weak _wherry_closure1
	.hidden _wherry_closure1
	.weak _wherry_callback
	.hidden _wherry_callback
	.weak _wherry_callback_first
	.hidden _wherry_callback_first
	.weak _wherry_abandon_func
	.hidden _wherry_abandon_func
	.hidden _wherry_turned_callback
	.type _wherry_closure1, @function
_wherry_closure1:
	movq %r11, %rax
	movq _wherry_thread@gottpoff(%rip), %r10
	movq %fs:0(%r10), %r11
	cmpq $0, 32(%r11)
	jne 3f
	cmpq $0, 56(%r11)
	jne 4f
5:
	pushq %rbp
	pushq %rbx
	pushq %r12
	pushq %r13
	pushq %r14
	pushq %r15
	movq %r11, %r12
	movq %rsp, 32(%r12)
	movq 24(%r12), %r14
	movb $0, G_THROWSPLIT(%r14)
	movq G_M(%r14), %r13
	movq $0, M_VDSOSP(%r13)
	movq 0(%r12), %rsp
	movq 8(%r12), %rbp
	movq (%rax), %r15
	movq %rdi, %rax
	movq %rsi, %rbx
	movq %rcx, %rdi
	movq %rdx, %rcx
	movq %r8, %rsi
	movq %r9, %r8
	movq %r15, %rdx
	movq (%r15), %r15
	xorps %xmm15, %xmm15
	leaq -64(%rsp), %r13
	cmpq %r13, G_DEFER(%r14)
	je _wherry_callback
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
4:
	jmp 3f
	movq 56(%r11), %rax
	leaq -48(%rsp), %r10
	movq %r10, (%rax)
	jmp 5b
3:
	movq %rax, %r11
	jmp *_wherry_closure_slow(%rip)
	.size _wherry_closure1, .-_wherry_closure1
	.section .bss._wherry_closure_slow, "aw", @nobits
	.weak _wherry_closure_slow
	.hidden _wherry_closure_slow
	.p2align 3
_wherry_closure_slow:
	.zero 8
	.text
	.section wherry_text, TEXT_FLAGS, @progbits
	.p2align 6
	.weak _wherry_return
	.hidden _wherry_return
	.type _wherry_return, @function
_wherry_return:
	movq _wherry_thread@gottpoff(%rip), %r10
	movq %fs:0(%r10), %r12
	movq G_M(%r14), %r13
	cmpq %rsp, 0(%r12)
	jne 2f
1:	leaq 8(%rsp), %r11
	movq %r11, %xmm15
	movhps (%rsp), %xmm15
	movups %xmm15, M_VDSOSP(%r13)
	movq 32(%r12), %rsp
	movq $0, 32(%r12)
	popq %r15
	popq %r14
	popq %r13
	popq %r12
	popq %rbx
	popq %rbp
	ret
2:	movq %rsp, 0(%r12)
	movq %rbp, 8(%r12)
	jmp 1b
	.size _wherry_return, .-_wherry_return
	.p2align 4
	.weak _wherry_yields_later
	.hidden _wherry_yields_later
	.type _wherry_yields_later, @function
_wherry_yields_later:
	movq _wherry_thread@gottpoff(%rip), %r10
	movq %fs:0(%r10), %r12
	movq 56(%r12), %r12
	ret
	.size _wherry_yields_later, .-_wherry_yields_later
	.p2align 6
	.weak _wherry_settle
	.hidden _wherry_settle
	.type _wherry_settle, @function
_wherry_settle:
	cmpq $0, D_LINK(%r10)
	jne 1f
	movq $0, G_DEFER(%r14)
	jmp _wherry_unlock
1:	movq D_LINK(%r10), %r10
	movq %r10, G_DEFER(%r14)
_wherry_unlock:
	cmpl $1, M_LOCKEDINT(%r13)
	jne 2f
	movl $0, M_LOCKEDINT(%r13)
	cmpl $0, M_LOCKEDEXT(%r13)
	jne 3f
	movq $0, M_LOCKEDG(%r13)
	movq $0, G_LOCKEDM(%r14)
	ret
2:	decl M_LOCKEDINT(%r13)
3:	ret
	.size _wherry_settle, .-_wherry_settle
	.p2align 4
	.weak _wherry_abandon
	.hidden _wherry_abandon
	.type _wherry_abandon, @function
_wherry_abandon:
	movq G_M(%r14), %r13
	movq _wherry_thread@gottpoff(%rip), %r10
	movq %fs:0(%r10), %r12
	movq $0, 32(%r12)
	movq 48(%r12), %r11
	movq %r11, %fs:0(%r10)
	call _wherry_unlock
	cmpq $0, 96(%r12)
	je 1f
	movq M_G0(%r13), %r11
	movq %rsp, %r13
	movq G_SCHED_SP(%r11), %rsp
	andq $-16, %rsp
	movq %r12, %rdi
	call _wherry_stack_surplus
	movq %r13, %rsp
	xorps %xmm15, %xmm15
1:	ret
	.size _wherry_abandon, .-_wherry_abandon
	.text
	.section wherry_text, TEXT_FLAGS, @progbits
	.p2align 6
	.weak _wherry_on_stack
	.hidden _wherry_on_stack
	.hidden _wherry_settle
	.type _wherry_on_stack, @function
_wherry_on_stack:
	.cfi_startproc
	.cfi_undefined %rip
	movq _wherry_thread@gottpoff(%rip), %r10
	movq %fs:0(%r10), %rax
	movq 40(%rax), %r11
	testq %r11, %r11
	jz 3f
	movl 44(%rbx), %eax
	cmpq %rax, 80(%r11)
	jb 3f
	movq %r11, %fs:0(%r10)
	popq %rax
	leaq -8(%r12), %r10
	movq %r10, 0(%r11)
	movq %rbp, 8(%r11)
	cmpq %rbx, 88(%r11)
	jne 8f
	cmpq %r14, 24(%r11)
	jne 8f
1:	movl $8, %eax
	movq %r12, %r15
	movq %r11, %r12
	movq %r11, %rsp
	call *16(%rbx)
	movq _wherry_thread@gottpoff(%rip), %r10
	movq 48(%r12), %r11
	cmpq $0, 32(%r12)
	jne 5f
	movq %r11, %fs:0(%r10)
	leaq -8(%r15), %r11
	cmpq 0(%r12), %r11
	jne 9f
2:	leaq -64(%r11), %r10
	cmpq %r10, G_DEFER(%r14)
	je 4f
	cmpq $0, 96(%r12)
	jne 4f
	leaq 72(%r12), %rsp
	movq %r15, %r12
	cmpb $3, G_THROWSPLIT(%r14)
	jne 10f
	ret
8:	movq %rax, 72(%r11)
	movq %r14, 24(%r11)
	movq %rbx, 88(%r11)
	jmp 1b
9:	movq 0(%r12), %r11
	movq 8(%r12), %rbp
	leaq 8(%r11), %r15
	jmp 2b
10:	movb $3, G_THROWSPLIT(%r14)
	ret
3:	jmp _wherry_stack_wanted
4:	movq %r12, %rbx
	movq %r15, %r12
	movb $3, G_THROWSPLIT(%r14)
	movq M_G0(%r13), %r11
	movq G_SCHED_SP(%r11), %rsp
	andq $-16, %rsp
	pushq 72(%rbx)
	cmpq %r10, G_DEFER(%r14)
	jne 7f
	call _wherry_settle
	cmpq $0, 96(%rbx)
	jne 7f
	ret
7:	subq $32+8, %rsp
	movq %rax, (%rsp)
	movq %rdx, 8(%rsp)
	movsd %xmm0, 16(%rsp)
	movsd %xmm1, 24(%rsp)
	movq %rbx, %rdi
	call _wherry_stack_surplus
	movsd 24(%rsp), %xmm1
	movsd 16(%rsp), %xmm0
	movq 8(%rsp), %rdx
	movq (%rsp), %rax
	addq $32+8, %rsp
	ret
5:	movq %r11, %fs:0(%r10)
	movq $0, 32(%r12)
	movq M_G0(%r13), %r11
	movq G_SCHED_SP(%r11), %rsp
	andq $-16, %rsp
	subq $32, %rsp
	movq %rax, (%rsp)
	movq %rdx, 8(%rsp)
	movsd %xmm0, 16(%rsp)
	movsd %xmm1, 24(%rsp)
	movq %r14, %rdi
	call _wherry_turn_over
	cmpq $0, 96(%r12)
	je 6f
	movq %r12, %rdi
	call _wherry_stack_surplus
6:
	movsd 24(%rsp), %xmm1
	movsd 16(%rsp), %xmm0
	movq 8(%rsp), %rdx
	movq (%rsp), %rax
	xorl %r15d, %r15d
	movq G_SYSCALLSP(%r14), %rsp
	leaq 184-8(%rsp), %rbp
	xorps %xmm15, %xmm15
	jmp *_wherry_turn_resume(%rip)
	.cfi_endproc
	.size _wherry_on_stack, .-_wherry_on_stack
	.p2align 4
	.weak _wherry_stack_wanted
	.hidden _wherry_stack_wanted
	.type _wherry_stack_wanted, @function
_wherry_stack_wanted:
	.cfi_startproc
	subq $176+8, %rsp
	.cfi_adjust_cfa_offset 176+8
	movq %rdi, (%rsp)
	movq %rsi, 8(%rsp)
	movq %rdx, 16(%rsp)
	movq %rcx, 24(%rsp)
	movq %r8, 32(%rsp)
	movq %r9, 40(%rsp)
	movups %xmm0, 48(%rsp)
	movups %xmm1, 64(%rsp)
	movups %xmm2, 80(%rsp)
	movups %xmm3, 96(%rsp)
	movups %xmm4, 112(%rsp)
	movups %xmm5, 128(%rsp)
	movups %xmm6, 144(%rsp)
	movups %xmm7, 160(%rsp)
	movl 44(%rbx), %edi
	call _wherry_stack_new
	movq (%rsp), %rdi
	movq 8(%rsp), %rsi
	movq 16(%rsp), %rdx
	movq 24(%rsp), %rcx
	movq 32(%rsp), %r8
	movq 40(%rsp), %r9
	movups 48(%rsp), %xmm0
	movups 64(%rsp), %xmm1
	movups 80(%rsp), %xmm2
	movups 96(%rsp), %xmm3
	movups 112(%rsp), %xmm4
	movups 128(%rsp), %xmm5
	movups 144(%rsp), %xmm6
	movups 160(%rsp), %xmm7
	addq $176+8, %rsp
	.cfi_adjust_cfa_offset -176-8
	testl %eax, %eax
	jnz 1f
	cmpb $3, G_THROWSPLIT(%r14)
	je _wherry_on_stack
1:	movl $8, %eax
	jmp *16(%rbx)
	.cfi_endproc
	.size _wherry_stack_wanted, .-_wherry_stack_wanted
	.text
	.section wherry_text, TEXT_FLAGS, @progbits
	.weak _wherry_turned
	.hidden _wherry_turned
	.p2align 4
	.weak _wherry_turn_enter
	.hidden _wherry_turn_enter
	.type _wherry_turn_enter, @function
_wherry_turn_enter:
	pushq %rbp
	pushq %rbx
	pushq %r12
	pushq %r13
	pushq %r14
	pushq %r15
	movq _wherry_thread@gottpoff(%rip), %r10
	movq %rsp, %fs:32(%r10)
	testq %rcx, %rcx
	jz 1f
	movq %rsp, %r11
	andq $-16, %r11
	movq %r11, G_SCHED_SP(%rcx)
1:	movq %rdi, %r14
	movq %rsi, %rsp
	movq %rdx, %rbp
	xorps %xmm15, %xmm15
	jmp _wherry_turned
	.size _wherry_turn_enter, .-_wherry_turn_enter
	.p2align 4
	.weak _wherry_turn_parked
	.hidden _wherry_turn_parked
	.type _wherry_turn_parked, @function
_wherry_turn_parked:
	movq %rax, _wherry_turn_resume(%rip)
	movq _wherry_thread@gottpoff(%rip), %r10
	movq %fs:32(%r10), %rsp
	popq %r15
	popq %r14
	popq %r13
	popq %r12
	popq %rbx
	popq %rbp
	ret
	.size _wherry_turn_parked, .-_wherry_turn_parked
	.section .bss._wherry_turn_resume, "aw", @nobits
	.weak _wherry_turn_resume
	.hidden _wherry_turn_resume
	.p2align 3
_wherry_turn_resume:
	.zero 8
	.section wherry_text, TEXT_FLAGS, @progbits
	.p2align 4
	.weak _wherry_turned_exit
	.hidden _wherry_turned_exit
	.type _wherry_turned_exit, @function
_wherry_turned_exit:
	cmpb $0, G_THROWSPLIT(%r14)
	je 1f
	subq $32, %rsp
	movq %rax, (%rsp)
	movq %rdx, 8(%rsp)
	movsd %xmm0, 16(%rsp)
	movsd %xmm1, 24(%rsp)
	movq %r14, %rdi
	call _wherry_turn_over
	movsd 24(%rsp), %xmm1
	movsd 16(%rsp), %xmm0
	movq 8(%rsp), %rdx
	movq (%rsp), %rax
	movq G_SYSCALLSP(%r14), %r11
	leaq 184+8(%r11), %r10
	subq %r12, %r10
	addq %r10, %rbp
	movq %rbp, 184-8(%r11)
	xorl %r15d, %r15d
	movq G_SYSCALLSP(%r14), %rsp
	leaq 184-8(%rsp), %rbp
	xorps %xmm15, %xmm15
	jmp *_wherry_turn_resume(%rip)
1:	leaq -8(%r12), %rsp
	movq $0, M_VDSOSP(%r13)
	jmp *%r11
	.size _wherry_turned_exit, .-_wherry_turned_exit
	.p2align 4
	.weak _wherry_turned_left
	.hidden _wherry_turned_left
	.type _wherry_turned_left, @function
_wherry_turned_left:
	movq G_M(%r14), %r13
	testl %r15d, %r15d
	jnz 5f
	leaq -64(%rsp), %r10
	cmpq %r10, G_DEFER(%r14)
	je _wherry_settle
	ret
5:
	movq _wherry_thread@gottpoff(%rip), %r10
	movq %fs:0(%r10), %r12
	decl M_LOCKEDINT(%r13)
	jnz 9f
	cmpl $0, M_LOCKEDEXT(%r13)
	jne 9f
	movq $0, M_LOCKEDG(%r13)
	movq $0, G_LOCKEDM(%r14)
9:
	movq %rsp, 0(%r12)
	movq %rbp, 8(%r12)
	movq (%rsp), %rdx
	movq %rdx, M_VDSOPC(%r13)
	leaq 8(%rsp), %r11
	movq %r11, M_VDSOSP(%r13)
	movq %fs:32(%r10), %rsp
	movq $0, 32(%r12)
	popq %r15
	popq %r14
	popq %r13
	popq %r12
	popq %rbx
	popq %rbp
	ret
	.size _wherry_turned_left, .-_wherry_turned_left
	.p2align 4
	.weak _wherry_unturn
	.hidden _wherry_unturn
	.type _wherry_unturn, @function
_wherry_unturn:
	pushq %rbp
	pushq %rbx
	pushq %r12
	pushq %r13
	pushq %r14
	pushq %r15
	movq _wherry_thread@gottpoff(%rip), %r10
	movq %rsp, %fs:32(%r10)
	movq %fs:0(%r10), %r12
	movq 56(%r12), %r11
	testq %r11, %r11
	jz 1f
	movq %rsp, (%r11)
1:	movq 24(%r12), %r14
	movq G_M(%r14), %r13
	incl M_LOCKEDINT(%r13)
	movq %r14, M_LOCKEDG(%r13)
	movq %r13, G_LOCKEDM(%r14)
	movl $1, %r15d
	movq G_SYSCALLSP(%r14), %rsp
	leaq 184-8(%rsp), %rbp
	xorps %xmm15, %xmm15
	jmp *_wherry_turn_resume(%rip)
	.size _wherry_unturn, .-_wherry_unturn
	.p2align 4
	.weak _wherry_turned_callback
	.hidden _wherry_turned_callback
	.type _wherry_turned_callback, @function
_wherry_turned_callback:
	subq $176+8, %rsp
	movq %r11, 176(%rsp)
	movq %rdi, (%rsp)
	movq %rsi, 8(%rsp)
	movq %rdx, 16(%rsp)
	movq %rcx, 24(%rsp)
	movq %r8, 32(%rsp)
	movq %r9, 40(%rsp)
	movups %xmm0, 48(%rsp)
	movups %xmm1, 64(%rsp)
	movups %xmm2, 80(%rsp)
	movups %xmm3, 96(%rsp)
	movups %xmm4, 112(%rsp)
	movups %xmm5, 128(%rsp)
	movups %xmm6, 144(%rsp)
	movups %xmm7, 160(%rsp)
	call _wherry_ready
	movq (%rsp), %rdi
	movq 8(%rsp), %rsi
	movq 16(%rsp), %rdx
	movq 24(%rsp), %rcx
	movq 32(%rsp), %r8
	movq 40(%rsp), %r9
	movups 48(%rsp), %xmm0
	movups 64(%rsp), %xmm1
	movups 80(%rsp), %xmm2
	movups 96(%rsp), %xmm3
	movups 112(%rsp), %xmm4
	movups 128(%rsp), %xmm5
	movups 144(%rsp), %xmm6
	movups 160(%rsp), %xmm7
	movq 176(%rsp), %r11
	addq $176+8, %rsp
	jmp *%r11
	.size _wherry_turned_callback, .-_wherry_turned_callback
	.text
	.section wherry_text, TEXT_FLAGS, @progbits
	.p2align 4
	.weak _wherry_turn_first
	.hidden _wherry_turn_first
	.type _wherry_turn_first, @function
_wherry_turn_first:
	leaq 16(%rbx), %r11
	movl $8, %eax
	movl $1, %r10d
	jmp 2f
	.size _wherry_turn_first, .-_wherry_turn_first
	.p2align 4
	.weak _wherry_through_cgo, _wherry_by_cgo
	.hidden _wherry_through_cgo, _wherry_by_cgo
	.type _wherry_through_cgo, @function
_wherry_through_cgo:
	movl 80(%rbx), %r11d
	incl %r11d
	cmpl 76(%rbx), %r11d
	jae _wherry_turn_first
	movl %r11d, 80(%rbx)
_wherry_by_cgo:
	movq 56(%rbx), %r11
	movb $0, G_THROWSPLIT(%r14)
	movq %rdi, %rax
	movq %rsi, %rbx
	movq %rcx, %rdi
	movq %rdx, %rcx
	movq %r8, %rsi
	movq %r9, %r8
	ret
	.size _wherry_through_cgo, .-_wherry_through_cgo
	.text
	.p2align 4
	.weak _wherry_blocks
	.hidden _wherry_blocks
	.type _wherry_blocks, @function
_wherry_blocks:
	.cfi_startproc
	cmpq $0, (%r11)
	je 1f
	movq %rax, %r10
	call _wherry_getg
	testq %rax, %rax
	jz 3f
	cmpb $3, G_THROWSPLIT(%rax)
	je 4f
	movq _wherry_thread@gottpoff(%rip), %rax
	movq %fs:0(%rax), %rax
	cmpq $0, 32(%rax)
	je 4f
3:	movq %r10, %rax
	jmp *(%r11)
4:	movq %r10, %rax
1:	xorl %r10d, %r10d
2:	subq $176+24, %rsp
	.cfi_adjust_cfa_offset 176+24
	movq %rax, 176(%rsp)
	movq %r11, 176+8(%rsp)
	movq %rdi, (%rsp)
	movq %rsi, 8(%rsp)
	movq %rdx, 16(%rsp)
	movq %rcx, 24(%rsp)
	movq %r8, 32(%rsp)
	movq %r9, 40(%rsp)
	movups %xmm0, 48(%rsp)
	movups %xmm1, 64(%rsp)
	movups %xmm2, 80(%rsp)
	movups %xmm3, 96(%rsp)
	movups %xmm4, 112(%rsp)
	movups %xmm5, 128(%rsp)
	movups %xmm6, 144(%rsp)
	movups %xmm7, 160(%rsp)
	movq %r11, %rdi
	movq %rbx, %rsi
	movq %r10, %rdx
	call _wherry_block
	movq (%rsp), %rdi
	movq 8(%rsp), %rsi
	movq 16(%rsp), %rdx
	movq 24(%rsp), %rcx
	movq 32(%rsp), %r8
	movq 40(%rsp), %r9
	movups 48(%rsp), %xmm0
	movups 64(%rsp), %xmm1
	movups 80(%rsp), %xmm2
	movups 96(%rsp), %xmm3
	movups 112(%rsp), %xmm4
	movups 128(%rsp), %xmm5
	movups 144(%rsp), %xmm6
	movups 160(%rsp), %xmm7
	movq 176+8(%rsp), %r11
	movq 176(%rsp), %rax
	addq $176+24, %rsp
	.cfi_adjust_cfa_offset -176-24
	jmp *(%r11)
	.cfi_endproc
	.size _wherry_blocks, .-_wherry_blocks
	.text
	.section wherry_text, TEXT_FLAGS, @progbits
	.p2align 6
	.weak _wherry_bound2_straight
	.hidden _wherry_bound2_straight
	.hidden _wherry_turned_exit
	.type _wherry_bound2_straight, @function
_wherry_bound2_straight:
	.cfi_startproc
	cmpq G_STACKGUARD0(%r14), %rsp
	jbe 6f
	movq (%rsp), %r11
	leaq 8(%rsp), %r12
	movq 8(%rdx), %r10
	.cfi_def_cfa %r12, 0
	movq G_M(%r14), %r13
	movq %r11, M_VDSOPC(%r13)
	movq %r12, M_VDSOSP(%r13)
	movb $3, G_THROWSPLIT(%r14)
	movq M_G0(%r13), %r11
	movq G_SCHED_SP(%r11), %rsp
	andq $-16, %rsp
	pushq %r10
	pushq %r10
	movq %r8, %r9
	movq %rsi, %r8
	movq %rcx, %rdx
	movq %rdi, %rcx
	movq %rbx, %rsi
	movq %rax, %rdi
	movl $8, %eax
	movq %r10, %rbx
	call *8(%rbx)
1:
	cmpb $3, G_THROWSPLIT(%r14)
	jne _wherry_turned_exit
	leaq -8(%r12), %rsp
	.cfi_def_cfa %rsp, 8
	movq $0, M_VDSOSP(%r13)
	movb $0, G_THROWSPLIT(%r14)
	xorps %xmm15, %xmm15
	movq %rdx, %rbx
	ret
6:	movq 32(%rdx), %rdx
	movq (%rdx), %r12
	jmp *%r12
	.cfi_endproc
	.size _wherry_bound2_straight, .-_wherry_bound2_straight
	.text
	.section wherry_text, TEXT_FLAGS, @progbits
	.p2align 6
	.weak _wherry_bound2_straightFew
	.hidden _wherry_bound2_straightFew
	.hidden _wherry_turned_exit
	.type _wherry_bound2_straightFew, @function
_wherry_bound2_straightFew:
	.cfi_startproc
	cmpq G_STACKGUARD0(%r14), %rsp
	jbe 6f
	movq (%rsp), %r11
	leaq 8(%rsp), %r12
	movq 8(%rdx), %r10
	.cfi_def_cfa %r12, 0
	movq G_M(%r14), %r13
	movq %r11, M_VDSOPC(%r13)
	movq %r12, M_VDSOSP(%r13)
	movb $3, G_THROWSPLIT(%r14)
	movq M_G0(%r13), %r11
	movq G_SCHED_SP(%r11), %rsp
	andq $-16, %rsp
	pushq %r10
	pushq %r10
	movq %rbx, %rsi
	movq %rax, %rdi
	movl $8, %eax
	movq %r10, %rbx
	call *8(%rbx)
1:
	cmpb $3, G_THROWSPLIT(%r14)
	jne _wherry_turned_exit
	leaq -8(%r12), %rsp
	.cfi_def_cfa %rsp, 8
	movq $0, M_VDSOSP(%r13)
	movb $0, G_THROWSPLIT(%r14)
	xorps %xmm15, %xmm15
	ret
6:	movq 32(%rdx), %rdx
	movq (%rdx), %r12
	jmp *%r12
	.cfi_endproc
	.size _wherry_bound2_straightFew, .-_wherry_bound2_straightFew
	.text
	.section wherry_text, TEXT_FLAGS, @progbits
	.p2align 6
	.weak _wherry_bound2_straightErrno
	.hidden _wherry_bound2_straightErrno
	.hidden _wherry_turned_exit
	.type _wherry_bound2_straightErrno, @function
_wherry_bound2_straightErrno:
	.cfi_startproc
	cmpq G_STACKGUARD0(%r14), %rsp
	jbe 6f
	movq (%rsp), %r11
	leaq 8(%rsp), %r12
	movq 8(%rdx), %r10
	.cfi_def_cfa %r12, 0
	movq G_M(%r14), %r13
	movq %r11, M_VDSOPC(%r13)
	movq %r12, M_VDSOSP(%r13)
	movb $3, G_THROWSPLIT(%r14)
	movq M_G0(%r13), %r11
	movq G_SCHED_SP(%r11), %rsp
	andq $-16, %rsp
	pushq %r10
	pushq %r10
	movq 16(%rdx), %r15
	leaq 128(%r12), %r9
	subq %r15, %r9
	subq %r15, %rsp
2:	subq $8, %r15
	jl 3f
	movq (%r9,%r15), %r11
	movq %r11, (%rsp,%r15)
	jmp 2b
3:	movq 24(%rdx), %r15
	testq %r15, %r15
	jz 4f
	movl $0, %fs:(%r15)
4:
	movq %r8, %r9
	movq %rsi, %r8
	movq %rcx, %rdx
	movq %rdi, %rcx
	movq %rbx, %rsi
	movq %rax, %rdi
	movl $8, %eax
	movq %r10, %rbx
	call *8(%rbx)
1:
	testq %r15, %r15
	jz 5f
	movl %fs:(%r15), %edx
5:
	cmpb $3, G_THROWSPLIT(%r14)
	jne _wherry_turned_exit
	leaq -8(%r12), %rsp
	.cfi_def_cfa %rsp, 8
	movq $0, M_VDSOSP(%r13)
	movb $0, G_THROWSPLIT(%r14)
	xorps %xmm15, %xmm15
	movq %rdx, %rbx
	ret
6:	movq 32(%rdx), %rdx
	movq (%rdx), %r12
	jmp *%r12
	.cfi_endproc
	.size _wherry_bound2_straightErrno, .-_wherry_bound2_straightErrno
	.text
	.section wherry_text, TEXT_FLAGS, @progbits
	.p2align 6
	.weak _wherry_bound2_enter
	.hidden _wherry_bound2_enter
	.hidden _wherry_turned_exit
	.type _wherry_bound2_enter, @function
_wherry_bound2_enter:
	.cfi_startproc
	movq (%rsp), %r11
	leaq 8(%rsp), %r12
	movq 8(%rdx), %r10
	.cfi_def_cfa %r12, 0
	movq G_M(%r14), %r13
	movq %r11, M_VDSOPC(%r13)
	movq %r12, M_VDSOSP(%r13)
	movb $3, G_THROWSPLIT(%r14)
	movq M_G0(%r13), %r11
	movq G_SCHED_SP(%r11), %rsp
	andq $-16, %rsp
	pushq %r10
	pushq %r10
	movq %r8, %r9
	movq %rsi, %r8
	movq %rcx, %rdx
	movq %rdi, %rcx
	movq %rbx, %rsi
	movq %rax, %rdi
	movl $8, %eax
	movq %r10, %rbx
	call *8(%rbx)
1:
	cmpb $3, G_THROWSPLIT(%r14)
	jne _wherry_turned_exit
	leaq -8(%r12), %rsp
	.cfi_def_cfa %rsp, 8
	movq $0, M_VDSOSP(%r13)
	movb $0, G_THROWSPLIT(%r14)
	xorps %xmm15, %xmm15
	movq %rdx, %rbx
	ret
	.cfi_endproc
	.size _wherry_bound2_enter, .-_wherry_bound2_enter
	.text
	.section wherry_text, TEXT_FLAGS, @progbits
	.p2align 6
	.weak _wherry_bound2_enterFull
	.hidden _wherry_bound2_enterFull
	.hidden _wherry_turned_exit
	.type _wherry_bound2_enterFull, @function
_wherry_bound2_enterFull:
	.cfi_startproc
	movq (%rsp), %r11
	leaq 8(%rsp), %r12
	movq 8(%rdx), %r10
	.cfi_def_cfa %r12, 0
	movq G_M(%r14), %r13
	movq %r11, M_VDSOPC(%r13)
	movq %r12, M_VDSOSP(%r13)
	movb $3, G_THROWSPLIT(%r14)
	movq M_G0(%r13), %r11
	movq G_SCHED_SP(%r11), %rsp
	andq $-16, %rsp
	pushq %r10
	pushq %r10
	movq 16(%rdx), %r15
	leaq 128(%r12), %r9
	subq %r15, %r9
	subq %r15, %rsp
2:	subq $8, %r15
	jl 3f
	movq (%r9,%r15), %r11
	movq %r11, (%rsp,%r15)
	jmp 2b
3:	movq 24(%rdx), %r15
	testq %r15, %r15
	jz 4f
	movl $0, %fs:(%r15)
4:
	movq %r8, %r9
	movq %rsi, %r8
	movq %rcx, %rdx
	movq %rdi, %rcx
	movq %rbx, %rsi
	movq %rax, %rdi
	movl $8, %eax
	movq %r10, %rbx
	call *8(%rbx)
1:
	testq %r15, %r15
	jz 5f
	movl %fs:(%r15), %edx
5:
	cmpb $3, G_THROWSPLIT(%r14)
	jne _wherry_turned_exit
	leaq -8(%r12), %rsp
	.cfi_def_cfa %rsp, 8
	movq $0, M_VDSOSP(%r13)
	movb $0, G_THROWSPLIT(%r14)
	xorps %xmm15, %xmm15
	movq %rdx, %rbx
	ret
	.cfi_endproc
	.size _wherry_bound2_enterFull, .-_wherry_bound2_enterFull
	.text
	.section wherry_text, TEXT_FLAGS, @progbits
	.p2align 4
	.weak _wherry_turned
	.hidden _wherry_turned
	.type _wherry_turned, @function
_wherry_turned:
	jmp *_wherry_go_turned(%rip)
	.size _wherry_turned, .-_wherry_turned
	.bss
	.globl _wherry_go_turned
	.hidden _wherry_go_turned
	.p2align 3
_wherry_go_turned:
	.zero 8
	.text
	.section wherry_text, TEXT_FLAGS, @progbits
	.p2align 4
	.weak _wherry_callback
	.hidden _wherry_callback
	.type _wherry_callback, @function
_wherry_callback:
	jmp *_wherry_go_callback(%rip)
	.size _wherry_callback, .-_wherry_callback
	.bss
	.globl _wherry_go_callback
	.hidden _wherry_go_callback
	.p2align 3
_wherry_go_callback:
	.zero 8
	.text
	.section wherry_text, TEXT_FLAGS, @progbits
	.p2align 4
	.weak _wherry_callback_first
	.hidden _wherry_callback_first
	.type _wherry_callback_first, @function
_wherry_callback_first:
	jmp *_wherry_go_callback_first(%rip)
	.size _wherry_callback_first, .-_wherry_callback_first
	.bss
	.globl _wherry_go_callback_first
	.hidden _wherry_go_callback_first
	.p2align 3
_wherry_go_callback_first:
	.zero 8
	.text
	.section wherry_text, TEXT_FLAGS, @progbits
	.p2align 4
	.weak _wherry_getg
	.hidden _wherry_getg
	.type _wherry_getg, @function
_wherry_getg:
	jmp *_wherry_go_getg(%rip)
	.size _wherry_getg, .-_wherry_getg
	.bss
	.globl _wherry_go_getg
	.hidden _wherry_go_getg
	.p2align 3
_wherry_go_getg:
	.zero 8
	.text
	.section wherry_text, TEXT_FLAGS, @progbits
	.p2align 4
	.weak _wherry_setg
	.hidden _wherry_setg
	.type _wherry_setg, @function
_wherry_setg:
	jmp *_wherry_go_setg(%rip)
	.size _wherry_setg, .-_wherry_setg
	.bss
	.globl _wherry_go_setg
	.hidden _wherry_go_setg
	.p2align 3
_wherry_go_setg:
	.zero 8
	.text
	.section .note.GNU-stack,"",%progbits
