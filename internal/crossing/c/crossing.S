//go:build linux && cgo && !wherry_built && (amd64 || arm64) && go1.24 && !go1.28 && !msan && !asan

// The assembly of calls and callbacks. Its symbols are weak: packages have copies, a program
// has one. crossing.c has the C, ../frames the functions that Go's unwinder must know. What
// each C function and each exported Go function has of its own stands in the package's
// stubs, made of the macros STUB (stub.h) and CALLBACK (callback_ARCH.h).

#include "assembly.h"

#if defined(__x86_64__)
#include "callback_amd64.S" // C calls Go: call_ARCH.h and callback_ARCH.h have the macros
#include "return_amd64.S"   // and goes back to C
#include "stack_amd64.S"    // a call on a C stack
#include "turn_amd64.S"     // a call becomes a system call
#include "block_amd64.S"    // before C waits
#if HOLDS
#include "hold_amd64.S"     // a thread of C's holds its P
#endif
#include "bound_amd64.S"    // calls of package direct
#if BY_GO_BUILD
#include "gonames_amd64.S"  // where C finds package frames
#endif
#else
#include "callback_arm64.S" // C calls Go: call_ARCH.h and callback_ARCH.h have the macros
#include "return_arm64.S"   // and goes back to C
#include "stack_arm64.S"    // a call on a C stack
#include "turn_arm64.S"     // a call becomes a system call
#include "block_arm64.S"    // before C waits
#if HOLDS
#include "hold_arm64.S"     // a thread of C's holds its P
#endif
#include "bound_arm64.S"    // calls of package direct
#if BY_GO_BUILD
#include "gonames_arm64.S"  // where C finds package frames
#endif
#endif
#if !BY_GO_BUILD
	STUB _wherry_call_start, _wherry_start, 1, weak, flags=ALWAYS|NO_CALLBACK
8:	.asciz "start"
9:	.asciz "wherry\000"
	END_STUB
#endif
