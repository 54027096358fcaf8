// What the parts of crossing.c share: the state of a call, of a C stack and of a thread.

#if COUNTS
#include "counts.h" // package stat writes it
#endif
#include "layout.h"

#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include <dlfcn.h>
#include <errno.h>
#include <link.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <time.h>
#include <ucontext.h>
#include <unistd.h>

// Not hidden in static functions of other objects: one program, one state.
#define SHARED __attribute__((weak, visibility("hidden")))
#define HIDDEN __attribute__((visibility("hidden")))
#define INLINE inline __attribute__((always_inline))

// What is known about the calls of one C function, in the section wherry_calls. The
// assembly writes it; the offsets of what it reads are in layout.h.
enum why { BY_SIGNAL, BY_BLOCKING, BY_CALLBACK, AT_ONCE, WAYS };
typedef struct call call;
struct call {
	_Alignas(64) const char *returns; // where its C function returns to, in the stub
	const void *target;  // what the stub calls: twin, or one of the ways of block_ARCH and stack_ARCH
	const void *twin;    // the C function, as cgo calls it
	const char *name, *package; // behind whose end stands who says that it does not call back
	unsigned flags;      // of package abi
	int order;           // its C stack has at least 1 << order bytes
	void *turns;         // where wherry stat counts, or NULL
	const void *by_cgo;  // a Go function that calls the C function through cgo, or NULL
	// What changes often is in a cache line of its own. It is for rules of thumb, and
	// may lose what two threads write at once.
	_Alignas(64) long callbacks; // from the thread's system stack
	int suspicion;       // that its calls are long: see learn.c
	unsigned patience;   // calls through cgo until it is tried again
	unsigned waited;     // of these
	unsigned turned;     // calls that a callback or a wait turned
	unsigned tolerance;  // of these, until the function is watched; or 0: few
	unsigned watched;    // calls of a watch
	unsigned caught;     // of these: turned
	call *next;          // of package direct's
	const void *off;     // target in a program that is switched off, or NULL: it stays
	int timed;           // calls that are still to be timed, if positive
	unsigned took;       // those that were, nanoseconds
};

// The state of a call on a C stack.
typedef struct record record;
struct record { // what every call and callback needs is in the first cache line
	_Alignas(16) char *go_sp; // the goroutine's stack pointer, at its call into C
	char *g;
	void *c_sp;       // C's stack pointer while Go runs; 0 while C runs, or TURNED
	record *deeper;   // the thread's next stack
	record *outer;    // the one before
	call *call;
	void *system;     // of thread.held: where the runtime finds its stack, below C's; or NULL
	int order;        // the stack has at least 1 << order bytes
	int surplus;      // the thread need not keep this stack
	void *go_on;      // where the stub goes on
	char *low;        // end of the stack
	char *from;       // of thread.held: a callback that does not come from this stack, so
	size_t span;      // many bytes, has to say where it comes from
	char none[32];    // so that it begins a cache line, at the end of a stack
};
#define TURNED ((void *)1)

enum { MOST_FRAMES = 31 }; // of C, in a trace: runtime.cgoCallers has room for so many

// When a thread that C created holds its P: see hold_rule.c. Times are nanoseconds.
typedef struct holding holding;
struct holding {
	char *g0;       // what the thread's g is between callbacks
	long calls;     // callbacks through cgo, close together so far
	long want;      // of these, until it holds its P
	long since;     // when the first of them came
	long held_at;
	long turned_at; // or 0
	int asked;      // it was turned because somebody wants the P
	int thread_ending;
};

typedef struct thread thread;
struct thread {
	record *active; // the innermost call's, or base
	int owned;      // stacks in the chain
	int busy;       // not to be turned now: a call is, or the pool is locked
	thread *next, **previous;
	void *handler_sp;  // while Go code runs to turn a call
	call *turned;      // the call that was turned last, or NULL
	long turned_at;    // for wherry stat, nanoseconds; or 0
	long computes_from; // when a call was turned whose time is to be known, nanoseconds; or 0
	record base;       // stands for no call: Go runs
	holding holding;
	unsigned looked;   // see look_after_handler
	record held;       // of a thread that C created, which holds its P: its own C runs in a call
	void *held_sp;     // its stack pointer while that call begins or ends
	char *root;        // the stack where that call's callback began: its high end, or NULL
	void *root_sp;     // and its stack pointer
	char *own_low, *own_high; // the thread's own stack
	int looks;         // at the libraries
	int masked;        // C has blocked SIGURG, in the call that was turned last or on a thread of its own
	int elsewhere;     // C that a goroutine has called has said where handlers run
	void *attempt;     // where what may meet a fault ends by it, or NULL
	struct disguise *traced; // what C was interrupted at, while a handler of Go's wants to know
};

// What look_like_cgo has found and changed, until stop_looking_like_cgo.
typedef struct disguise disguise;
struct disguise {
	char *g, *m, *own; // or NULL
	size_t syscallpc, syscallsp, pcs[MOST_FRAMES];
	int n;             // of pcs
	unsigned numbered; // the callback that Go asks for next, or 0: none
};
