// Where the assembly finds the fields of C's structs, and the numbers that both know. C does
// not compile where a field is elsewhere. Go reads this file too, the lines of a name and a
// number (package crossing).

#include "zoffsets.h" // the runtime's

// struct record: the state of a call on a C stack
#define REC_GOSP 0
#define REC_G 8
#define REC_CSP 16
#define REC_DEEPER 24
#define REC_OUTER 32
#define REC_CALL 40
#define REC_SYSTEM 48
#define REC_ORDER 56
#define REC_SURPLUS 60
#define REC_CONTINUE 64
#define REC_FROM 80
#define REC_SPAN 88
#define REC_SIZE 128

// struct thread
#define THREAD_ACTIVE 0
#define THREAD_BUSY 12
#define THREAD_HANDLER 32
#define THREAD_HELD 256
#define THREAD_HELDSP 384

// struct call: what is known about the calls of one C function
#define CALL_TARGET 8
#define CALL_TWIN 16
#define CALL_ORDER 44
#define CALL_TURNS 48
#define CALL_BYCGO 56
#define CALL_PATIENCE 76
#define CALL_WAITED 80
#define CALL_WATCHED 92
#define CALL_OFF 112
#define CALL_SIZE 128

// How many calls of a function are watched: learn.c.
#define WATCH 64

// call.flags: package abi's.
#define NO_CALLBACK 1
#define MAY_SWITCH 2
#define BY_USER 4
#define OWN_STACK 8
#define ALWAYS 16

// Where a binding of package direct has what the calls of bound_ARCH.S need. A change of these
// is one of the number in their names: the command and the library may differ in version.
#define BINDING_FN 8
#define BINDING_STACK 16
#define BINDING_ERRNO 24
#define BINDING_SLOW 32

// The frames of the functions that Go's unwinder knows (frames_ARCH.s): how far from the stack
// pointer of _wherry_turned the Go caller's is, and how far below that a callback puts its
// runtime._defer. Both are checked while the program runs. RETURN_ADDRESS is what a call in Go
// leaves on the stack, STACK_AREA how far package direct's image is from its stack pointer,
// CALLER_FP and CALLER_PC how far below go_sp a call leaves the Go caller's frame pointer, and where
// it goes on there (on arm64 a Go function keeps its own frame pointer below its stack pointer),
// SAVED how much of C's stack a callback takes for C's registers, and TAG by how much m.vdsoPC is less than that address in a call.
#if defined(__x86_64__)
#define TURNED_FRAME 184
#define DEFER_BELOW 64
#define RETURN_ADDRESS 8
#define STACK_AREA 128
#define CALLER_FP 8
#define CALLER_PC 0
#define SAVED 48
#else
#define TURNED_FRAME 224
#define DEFER_BELOW 80
#define RETURN_ADDRESS 0
#define STACK_AREA 144
#define CALLER_FP 32
#define CALLER_PC 24
#define SAVED 160
#define TAG 3
#endif
