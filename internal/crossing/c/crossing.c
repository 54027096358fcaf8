//go:build linux && cgo && !wherry_built && (amd64 || arm64) && go1.24 && !go1.28 && !msan && !asan

// The C side of calls and callbacks: all of it is one text to the compiler. A program that
// the plain go command builds has it by this package; wherry build compiles it for all
// packages of a program, whose copies are one, since the symbols are weak. The macros:
//
//	BY_GO_BUILD  the plain go command builds: only package direct has calls
//	INTERPOSES   the program defines functions of the C library that may wait (names.c)
//	HOLDS        C threads that call Go hold their P
//	COUNTS       for wherry stat
//	TRACES       profiles and crash traces show C's functions

#include "crossing.h"

#include "kernel.c"    // system calls
#include "stacks.c"    // C stacks
#include "learn.c"     // which functions go back to cgo
#include "counts.c"    // what wherry stat shows
#include "flight.c"    // the call in flight
#include "turn.c"      // a call becomes a system call
#include "hold_rule.c" // when a thread of C's holds its P
#include "hold.c"      // and how
#include "callback.c"  // callbacks that come from no C stack
#include "faults.c"    // faults in C
#include "handlers.c"  // C's own signal handlers, where threads hold their P
#include "bind.c"      // the calls of package direct
#include "reals.c"     // what stands behind names.c
#include "block.c"     // before the C library waits
#include "libraries.c" // what is asked of the program's libraries
#include "cfi.c"       // from a C function to its caller
#include "trace.c"     // C in profiles and crash traces; includes symbols.c
#include "signal.c"    // the runtime's signal
#include "off.c"       // what has calls go through cgo for good
#include "sigaction.c" // what C says of signals
#include "start.c"

// layout.h is right.
_Static_assert(offsetof(record, go_sp) == REC_GOSP, "REC_GOSP");
_Static_assert(M_VDSOSP < 1 << 13 && G_SYSCALLSP < 1 << 13 && TURNED_FRAME < 1 << 14, "CFA_OF_CALL has two bytes for each");
_Static_assert(offsetof(record, g) == REC_G, "REC_G");
_Static_assert(offsetof(record, c_sp) == REC_CSP, "REC_CSP");
_Static_assert(offsetof(record, deeper) == REC_DEEPER, "REC_DEEPER");
_Static_assert(offsetof(record, outer) == REC_OUTER, "REC_OUTER");
_Static_assert(offsetof(record, system) == REC_SYSTEM, "REC_SYSTEM");
_Static_assert(offsetof(record, go_on) == REC_CONTINUE, "REC_CONTINUE");
_Static_assert(offsetof(record, order) == REC_ORDER, "REC_ORDER");
_Static_assert(offsetof(record, call) == REC_CALL, "REC_CALL");
_Static_assert(offsetof(record, surplus) == REC_SURPLUS, "REC_SURPLUS");
_Static_assert(offsetof(record, from) == REC_FROM, "REC_FROM");
_Static_assert(offsetof(record, span) == REC_SPAN, "REC_SPAN");
_Static_assert(sizeof(record) == REC_SIZE, "REC_SIZE");
_Static_assert(offsetof(thread, active) == THREAD_ACTIVE, "THREAD_ACTIVE");
_Static_assert(offsetof(thread, busy) == THREAD_BUSY, "THREAD_BUSY");
_Static_assert(offsetof(thread, handler_sp) == THREAD_HANDLER, "THREAD_HANDLER");
_Static_assert(offsetof(thread, held) == THREAD_HELD, "THREAD_HELD");
_Static_assert(offsetof(thread, held_sp) == THREAD_HELDSP, "THREAD_HELDSP");
_Static_assert(offsetof(call, target) == CALL_TARGET, "CALL_TARGET");
_Static_assert(offsetof(call, twin) == CALL_TWIN, "CALL_TWIN");
_Static_assert(offsetof(call, order) == CALL_ORDER, "CALL_ORDER");
_Static_assert(offsetof(call, turns) == CALL_TURNS, "CALL_TURNS");
_Static_assert(offsetof(call, by_cgo) == CALL_BYCGO, "CALL_BYCGO");
_Static_assert(offsetof(call, patience) == CALL_PATIENCE, "CALL_PATIENCE");
_Static_assert(offsetof(call, waited) == CALL_WAITED, "CALL_WAITED");
_Static_assert(offsetof(call, watched) == CALL_WATCHED, "CALL_WATCHED");
_Static_assert(offsetof(call, off) == CALL_OFF, "CALL_OFF");
_Static_assert(sizeof(call) == CALL_SIZE, "CALL_SIZE");
