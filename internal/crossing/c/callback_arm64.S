//go:build ignore

// The callbacks that all programs have, arm64: what takes crosscall2's place, and function
// pointers of package callback.

	CALLBACK _wherry_callback_frame, global=weak, kind=frame
	CALLBACK _wherry_closure1, ints=8, global=weak, kind=closure

#if !BY_GO_BUILD
// What Go's assembly calls in crosscall2's place: see internal/build/accel/wayin.go.
	.weak _wherry_in
	.hidden _wherry_in
	.type _wherry_in, %function
_wherry_in:
	b _wherry_callback_thread
	.size _wherry_in, . - _wherry_in
#endif
