//go:build ignore

// The callbacks that all programs have, arm64: what takes crosscall2's place, and function
// pointers of package callback.

	CALLBACK _wherry_callback_frame, global=weak, kind=frame
	CALLBACK _wherry_closure1, ints=8, global=weak, kind=closure
