//go:build ignore

// The callbacks that all programs have, amd64: what takes crosscall2's place, and function
// pointers of package callback.

	CALLBACK _wherry_callback_frame, global=weak, kind=frame
	CALLBACK _wherry_closure1, ints=6, global=weak, kind=closure
