# x86-64 code that no compiler writes. Names as in corpus.h.
	.macro f name
	.globl \name
	.type \name, @function
\name:
	.endm
	.macro e name
	.size \name, .-\name
	.endm
	.text
f safe_plain
	lea 1(%rdi), %rax
	ret
e safe_plain
f not_leave
	mov %rdi, %rbp
	leave
	ret
e not_leave
f not_leave_scaled
	push %rbp
	lea (%rsp,%rdi,8), %rbp
	leave
	ret
e not_leave_scaled
f not_xchg_stack
	xchg %rdi, %rsp
	push %rax
	pop %rax
	xchg %rdi, %rsp
	ret
e not_xchg_stack
f not_pop_stack
	push %rdi
	pop %rsp
	ret
e not_pop_stack
f not_load_stack
	mov (%rdi), %rsp
	ret
e not_load_stack
f not_loop_push
1:	push %rax
	dec %rdi
	jne 1b
	ret
e not_loop_push
f not_unbalanced
	push %rdi
	test %rsi, %rsi
	je 1f
	pop %rdi
1:	ret
e not_unbalanced
f not_jump_register
	lea safe_plain(%rip), %rax
	add %rdi, %rax
	jmp *%rax
e not_jump_register
f not_jump_memory
	jmp *(%rdi)
e not_jump_memory
f not_into_the_middle
	jmp not_has_middle+4
e not_into_the_middle
f not_has_middle
	nop
	nop
	nop
	nop
	mov $35, %eax
	syscall
	ret
e not_has_middle
f not_overlapping
	jmp 1f+1
1:	.byte 0xb8, 0x0f, 0x05, 0xc3, 0x90   # mov $..., %eax; inside: syscall; ret
	ret
e not_overlapping
f not_falls_through
	test %rdi, %rdi
	nop
e not_falls_through
f not_fallen_into
	mov $24, %eax
	syscall
	ret
e not_fallen_into
f not_falls_off_branch
	test %rdi, %rdi
	je not_fallen_into
	ret
e not_falls_off_branch
f not_call_pop
	call 1f
1:	pop %rax
	jmp *(%rax,%rdi,8)
e not_call_pop
f not_retpoline
	mov %rdi, %rax
	call 2f
1:	pause
	jmp 1b
2:	mov %rax, (%rsp)
	ret
e not_retpoline
f not_push_symbol
	lea not_fallen_into(%rip), %rax
	push %rax
	ret
e not_push_symbol
f not_ret_other
	add $8, %rsp
	ret
e not_ret_other
f not_write_return
	lea not_fallen_into(%rip), %rax
	mov %rax, (%rsp)
	ret
e not_write_return
f not_xchg_return
	lea not_fallen_into(%rip), %rax
	xchg %rax, (%rsp)
	ret
e not_xchg_return
f not_pop_return
	pop %rcx
	push %rdi
	ret
e not_pop_return
f not_add_return
	addq $16, (%rsp)
	ret
e not_add_return
f not_far
	lretq
e not_far
f not_iret
	iretq
e not_iret
f not_sysenter
	sysenter
	ret
e not_sysenter
f not_int_number_of_exit_elsewhere
	mov $231, %eax
	int $0x80
	ret
e not_int_number_of_exit_elsewhere
f safe_fence
	lock orq $0, (%rsp)
	ret
e safe_fence
f not_int
	int $0x80
	ret
e not_int
f not_data
	.byte 0x06, 0x0e, 0xff, 0xff
	ret
e not_data
f not_table_writable
	cmp $2, %rdi
	ja 1f
	lea table(%rip), %rax
	jmp *(%rax,%rdi,8)
1:	ret
e not_table_writable
f not_table_too_far
	cmp $9, %rdi
	ja 1f
	lea constants(%rip), %rax
	call *(%rax,%rdi,8)
1:	ret
e not_table_too_far
f not_table_signed
	cmp $2, %rdi
	jg 1f
	lea constants(%rip), %rax
	sub $8, %rsp
	call *(%rax,%rdi,8)
	add $8, %rsp
1:	ret
e not_table_signed
f not_table_other_width
	cmp $1, %edi
	ja 1f
	lea constants(%rip), %rax
	sub $8, %rsp
	call *(%rax,%rdi,8)
	add $8, %rsp
1:	ret
e not_table_other_width
f not_index_changes
	cmp $1, %rdi
	ja 1f
	add %rsi, %rdi
	lea constants(%rip), %rax
	sub $8, %rsp
	call *(%rax,%rdi,8)
	add $8, %rsp
1:	ret
e not_index_changes
f not_around_the_check
	test %rsi, %rsi
	jne 2f
	cmp $1, %rdi
	ja 1f
2:	lea constants(%rip), %rax
	sub $8, %rsp
	call *(%rax,%rdi,8)
	add $8, %rsp
1:	ret
e not_around_the_check
f not_enter
	enter $64, $3
	leave
	ret
e not_enter
f not_transaction
	xbegin not_fallen_into
	xend
	ret
e not_transaction
f not_umwait
	xor %edi, %edi
	.byte 0xf2, 0x0f, 0xae, 0xf7 # umwait %edi
	ret
e not_umwait
f not_tpause
	xor %edi, %edi
	.byte 0x66, 0x0f, 0xae, 0xf7 # tpause %edi
	ret
e not_tpause
f not_mwaitx
	.byte 0x0f, 0x01, 0xfb
	ret
e not_mwaitx
f not_mwait
	.byte 0x0f, 0x01, 0xc9
	ret
e not_mwait
f not_clock
	rdtsc
	mov %eax, %ecx
1:	rdtsc
	sub %ecx, %eax
	cmp %edi, %eax
	jb 1b
	ret
e not_clock
f safe_clock
	rdtsc
	shl $32, %rdx
	or %rdx, %rax
	ret
e safe_clock
f not_other_thread_pointer
	wrfsbase %rdi
	ret
e not_other_thread_pointer
f not_other_segment
	mov %edi, %fs
	ret
e not_other_segment
f not_other_shadow_stack
	rstorssp (%rdi)
	ret
e not_other_shadow_stack
f not_drop_shadow_stack
	incsspq %rdi
	ret
e not_drop_shadow_stack
f not_user_interrupt
	.byte 0xf3, 0x0f, 0xc7, 0xf7 # senduipi %rdi
	ret
e not_user_interrupt
f not_vmfunc
	xor %eax, %eax
	vmfunc
	ret
e not_vmfunc
f not_enclave
	mov $2, %eax
	.byte 0x0f, 0x01, 0xd7
	ret
e not_enclave
f not_callee_pops
	ret $8
e not_callee_pops
f not_masked_store_over_return
	lea (%rsp), %rdi
	vmaskmovdqu %xmm0, %xmm1
	ret
e not_masked_store_over_return
f not_stos_over_return
	lea (%rsp), %rdi
	mov %rsi, %rax
	stosq
	ret
e not_stos_over_return
	# These begin below the return address and reach into it, or end there.
f not_vector_into_return
	movq %rdi, %xmm0
	movups %xmm0, -8(%rsp)
	ret
e not_vector_into_return
f not_long_vector_into_return
	vmovups %ymm0, -24(%rsp)
	ret
e not_long_vector_into_return
f not_long_double_into_return
	fldpi
	fstpt -8(%rsp)
	ret
e not_long_double_into_return
f not_pair_into_return
	cmpxchg16b -8(%rsp)
	ret
e not_pair_into_return
f not_whole_line_over_return
	lea -32(%rsp), %rdx
	movdir64b (%rdi), %rdx
	ret
e not_whole_line_over_return
f safe_below_return
	movups %xmm0, -16(%rsp)
	movlps %xmm0, -8(%rsp)
	movss %xmm0, -4(%rsp)
	fldpi
	fstpl -8(%rsp)
	fnstcw -2(%rsp)
	pextrq $1, %xmm0, -8(%rsp)
	movd %xmm0, -4(%rsp)
	vmovups %ymm0, -32(%rsp)
	addl $1, -4(%rsp)
	notb -1(%rsp)
	ret
e safe_below_return
f loops_vector
1:	vmovss (%rdi), %xmm0
	inc %eax
	vucomiss %xmm1, %xmm0
	jb 1b
	ret
e loops_vector
f loops_store
1:	movl $1, (%rsi)
	cmpl $0, (%rdi)
	je 1b
	ret
e loops_store
	# Somebody else returns to what this one left on the stack.
f not_push_jump
	lea not_fallen_into(%rip), %rax
	push %rax
	jmp safe_plain
e not_push_jump
f not_push_branch
	lea not_fallen_into(%rip), %rax
	push %rax
	test %rdi, %rdi
	je safe_plain
	pop %rax
	ret
e not_push_branch
f not_push_jump_register
	lea not_fallen_into(%rip), %rax
	push %rax
	lea safe_plain(%rip), %rcx
	jmp *%rcx
e not_push_jump_register
f not_push_jump_elsewhere
	lea not_fallen_into(%rip), %rax
	push %rax
	jmp strlen@PLT
e not_push_jump_elsewhere
f not_push_falls
	lea not_fallen_into(%rip), %rax
	push %rax
e not_push_falls
f safe_after_push_falls
	ret
e safe_after_push_falls
f safe_falls
	nop
e safe_falls
f safe_fallen_into
	ret
e safe_fallen_into
f safe_jump_popped
	push %rdi
	pop %rax
	jmp safe_plain
e safe_jump_popped
f safe_jump_ends
	sub $24, %rsp
	test %rdi, %rdi
	je abort@PLT
	add $24, %rsp
	ret
e safe_jump_ends
	# Of 16 bits, or not: the two makers of processors disagree.
f not_short_return
	.byte 0x66
	ret
e not_short_return
f not_short_call
	.byte 0x66
	call safe_plain
	ret
e not_short_call
f not_short_jump
	.byte 0x66, 0xeb, 0x00
	ret
e not_short_jump
f not_compare_and_add_loop
1:	.byte 0xc4, 0xe2, 0x71, 0xe6, 0x07 # cmpbexadd %ecx, %eax, (%rdi)
	cmp %ecx, %eax
	jne 1b
	ret
e not_compare_and_add_loop
	# The class of a character is compared in memory, read again, and used.
	.macro entry name, table, index
f \name
	movzbl (%rdi), %esi
	movzbl 1(%rdi), %edx
	lea \table(%rip), %rax
	cmpb $1, (%rax,%rsi)
	ja 1f
	movzbl (%rax,\index), %esi
	lea offsets(%rip), %r9
	movslq (%r9,%rsi,4), %rsi
	add %r9, %rsi
	jmp *%rsi
1:	ret
e \name
	.endm
	entry not_entry_of_other_index, classes, %rdx
	entry not_entry_written, writable, %rsi
f not_entry_not_compared
	movzbl (%rdi), %esi
	lea classes(%rip), %rax
	movzbl (%rax,%rsi), %esi
	lea offsets(%rip), %r9
	movslq (%r9,%rsi,4), %rsi
	add %r9, %rsi
	jmp *%rsi
e not_entry_not_compared
	.section .rodata
classes:
	.fill 64, 1, 2
	.fill 96, 1, 1
	.fill 95, 1, 0
	.byte 1
offsets: # the third is behind the comparison
	.long safe_plain-offsets, safe_fence-offsets, not_data-offsets
	.section .data.rel.ro,"aw"
constants:
	.quad safe_plain, safe_plain
	.quad not_fallen_into
	.data
writable:
	.fill 256, 1, 1
table:
	.quad safe_plain, safe_plain, safe_plain
	.section .note.GNU-stack,"",@progbits
