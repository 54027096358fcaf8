//go:build ignore

// The callbacks that all programs have, amd64: what takes crosscall2's place, and function
// pointers of package callback.

	CALLBACK _wherry_callback_frame, global=weak, kind=frame
	CALLBACK _wherry_closure1, ints=6, global=weak, kind=closure

#if !BY_GO_BUILD
// What Go's assembly calls in crosscall2's place (internal/build/accel/wayin.go): crosscall2
// does not mind where the stack is, C wants a multiple of 16.
	.weak _wherry_in
	.hidden _wherry_in
	.type _wherry_in, @function
_wherry_in:
	.cfi_startproc
	pushq %rbp
	.cfi_def_cfa_offset 16
	.cfi_offset %rbp, -16
	movq %rsp, %rbp
	.cfi_def_cfa_register %rbp
	andq $-16, %rsp
	call _wherry_callback_thread
	leave
	.cfi_def_cfa %rsp, 8
	ret
	.cfi_endproc
	.size _wherry_in, . - _wherry_in
#endif
