// Code generated from internal/crossing/inflight/c by script/generate; DO NOT EDIT.

//go:build linux && cgo && !wherry_built && (amd64 || arm64) && go1.24 && !go1.28 && !msan && !asan

#define PLAIN 1
#include "zoffsets.h"
#if defined(__x86_64__)
#define RETURN_ADDRESS 8
#define TURNED_FRAME 184
#endif
#if defined(__aarch64__)
#define RETURN_ADDRESS 0
#define TURNED_FRAME 224
#endif
#define IN_FLIGHT 3
#define NO_CALLBACK 1
#define MAY_SWITCH 2
#define BY_USER 4
#define OWN_STACK 8
#define ALWAYS 16
// C stacks for calls that call back into Go: mapped with guard pages on both ends,
// kept in a list by each thread, given back when there are too many. One copy of
// this file is compiled into each package; its symbols are weak, so that a program
// has one pool.
//
//   low                                                          high
//   +-----------+----------------------------------+--------+-----------+
//   | guard     | C frames          <- grows down  | record | guard     |
//   | GUARD     |                                  |        | GUARD     |
//   +-----------+----------------------------------+--------+-----------+
//               ^ record.low                       ^ the record's address
//
// A thread's stacks are a chain, one for each depth of nesting. The assembly of
// internal/crossing/enter moves along it, without a lock or an atomic operation: between
// entering a stack and leaving it, a goroutine cannot leave its thread.
// Everything here is the slow path.

#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
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
#include <sys/syscall.h>
#include <time.h>
#include <ucontext.h>
#include <unistd.h>

// Not hidden in static functions of other objects: one program, one state.
#define SHARED __attribute__((weak, visibility("hidden")))
#define HIDDEN __attribute__((visibility("hidden")))

// What is known about the calls of one C function, in the section wherry_calls.
// The assembly writes it (internal/crossing/enter); the offsets of what it reads are in
// internal/crossing/inflight, and assertions at the end of this text compare.
enum why { BY_SIGNAL, BY_BLOCKING, BY_CALLBACK, AT_ONCE, WAYS };
typedef struct call call;
struct call {
	_Alignas(64) const char *returns; // where its C function returns to, in the stub
	const void *target;  // what the stub calls: twin, or one of the ways of internal/crossing/enter
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
	unsigned turned;     // calls that a callback turned
	unsigned tolerance;  // of these, until the function is watched; or 0: few
	unsigned watched;    // calls of a watch, which counts those that call back; or 0
	unsigned called;     // these
	call *next;          // of package direct's
	const void *off;     // target in a program that is switched off, or NULL: it stays
};

// The state of a call on a C stack.
typedef struct record record;
struct record { // what every call needs is in the first cache line, on a C stack
	_Alignas(16) void *go_sp; // the goroutine's stack pointer, at its call into C
	void *go_fp;      // and frame pointer
	void *go_lr;      // arm64: the return address into Go
	void *g;
	void *c_sp;       // C's stack pointer while Go runs; 0 while C runs, or TURNED
	record *deeper;   // the thread's next stack
	record *outer;    // the one before
	void *system;     // of a lent thread: where the runtime finds its stack, below C's; or NULL
	char *low;        // end of the stack
	void *go_on;      // where the stub goes on
	long order;       // the stack has at least 1 << order bytes
	call *call;
	long surplus;     // the thread need not keep this stack
	char *from;       // of a lent thread: a callback that does not come from this stack, so
	size_t span;      // many bytes, has to say where it comes from
};
#define TURNED ((void *)1)

// When a thread that C created lends its P: see rule.c. Times are nanoseconds.
typedef struct lending lending;
struct lending {
	char *g0;       // what the thread's g is between callbacks
	long calls;     // callbacks through cgo, close together so far
	long want;      // of these, until it lends
	long since;     // when the first of them came
	long lent_at;
	long turned_at; // or 0
	int asked;      // it was turned because somebody wants the P
	int ended;      // the thread is ending
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
	long computes_from; // when a signal turned the call, nanoseconds; or 0
	record base;       // stands for no call: Go runs
	lending lending;
	unsigned looked;   // see look_after_handler
	int fresh;         // the call that was turned last has not called back yet
	record lent;       // of a thread that C created, which lends: its own C runs in a call
	void *lent_sp;     // its stack pointer while that call begins or ends
	char *root;        // the stack where that call's callback began: its high end, or NULL
	void *root_sp;     // and its stack pointer
	char *own_low, *own_high; // the thread's own stack
	int masked;        // C has blocked SIGURG in the call that was turned last
};

// A thread that has no stack yet.
SHARED record _wherry_none = {.c_sp = &_wherry_none};

// Its alignment is at most the thread pointer's: dlopen refuses a library that wants more.
#if defined(__x86_64__)
__attribute__((aligned(64)))
#endif
SHARED __thread thread _wherry_thread __attribute__((tls_model("initial-exec"))) = {.active = &_wherry_none};

// A thread keeps this many stacks; more, for deeper nesting, go back.
enum { KEPT_BY_THREAD = 4, KEPT_IN_POOL = 64 };

// A guard is so large, at no cost but addresses, because a C function with a
// large frame need not touch the page next to it.
enum { GUARD = 1 << 20 };

// Faults come to wherry before they come to Go (faults.c): the first three wherever there
// are C stacks, all where threads lend.
enum { FAULTS_ON_STACKS = 3, FAULTS = 6 };

// Sizes are the default, and larger powers of two for functions that want more.
enum { ORDERS = 31 };

SHARED struct {
	int lock;
	size_t size;   // of a stack without guards, bytes, by default
	long limit;    // of stacks in the process
	int depth;     // of nested calls on one thread
	int debug;
	record *free[ORDERS];
	long pooled;   // stacks in free
	long mapped;   // stacks in the process
	long deepest;  // bytes, in debug mode
	thread *threads;
	pthread_key_t key;
	int faults;    // that come to wherry
	struct sigaction old[FAULTS];
} _wherry_pool;

static const char *name_of(record *r) { return r->call != NULL ? r->call->name : "a C function"; }

static size_t size_of(record *r) { return (size_t)((char *)(r + 1) - r->low); }

static int order_of(size_t size) { return 63 - __builtin_clzl(size); }

// What has the lock is not turned: it is short.
static void lock(void) {
	_wherry_thread.busy++;
	while (__atomic_exchange_n(&_wherry_pool.lock, 1, __ATOMIC_ACQUIRE))
		sched_yield();
}

static void unlock(void) {
	__atomic_store_n(&_wherry_pool.lock, 0, __ATOMIC_RELEASE);
	_wherry_thread.busy--;
}

static void lend_over(enum why why), lend_abandoned(void), leave_stacks(unsigned but);
static void stand_before(int faults);

static void unmap(record *r) {
	munmap(r->low - GUARD, size_of(r) + 2 * GUARD);
	_wherry_pool.mapped--;
}

// measure records new high-water marks. In debug mode no thread keeps a stack,
// so all come by here, with zeros where they were not used.
static void measure(record *r) {
	enum { PAGE = 4096, AT_ONCE_PAGES = 256 };
	unsigned char there[AT_ONCE_PAGES];
	char *p = r->low;
	for (size_t left = size_of(r) / PAGE; left > 0;) { // pages that nobody touched are zeros
		size_t pages = left < AT_ONCE_PAGES ? left : AT_ONCE_PAGES, i = 0;
		if (mincore(p, pages * PAGE, there) != 0)
			break;
		while (i < pages && !(there[i] & 1))
			i++;
		p += i * PAGE;
		left -= i;
		if (i < pages)
			break;
	}
	while (p < (char *)r && *p == 0)
		p++;
	if ((char *)r - p > _wherry_pool.deepest) {
		_wherry_pool.deepest = (char *)r - p;
		fprintf(stderr, "wherry: C stack high-water mark: %ld of %zu bytes, in the call of %s\n", _wherry_pool.deepest, size_of(r), name_of(r));
	}
}

// give_back takes a stack that no call uses. The lock is held.
static void give_back(record *r) {
	if (_wherry_pool.debug)
		measure(r);
	if (_wherry_pool.pooled >= KEPT_IN_POOL) {
		unmap(r);
		return;
	}
	char *page = (char *)((size_t)r & ~(size_t)4095);
	if (page > r->low)
		madvise(r->low, (size_t)(page - r->low), MADV_DONTNEED);
	r->deeper = _wherry_pool.free[r->order];
	_wherry_pool.free[r->order] = r;
	_wherry_pool.pooled++;
}

static void thread_ends(void *arg) {
	thread *t = arg;
	lend_over(BY_BLOCKING);
	t->lending.ended = 1;
	lock();
	for (record *r = t->base.deeper, *deeper; r != NULL; r = deeper) {
		deeper = r->deeper;
		give_back(r);
	}
	*t->previous = t->next;
	if (t->next != NULL)
		t->next->previous = t->previous;
	t->owned = 0;
	t->active = &_wherry_none;
	unlock();
}

// number returns that of a text, or -1. Headers of newer C libraries make strtol a function that
// older ones do not have, and then the program would not start there.
static long number(const char *text) {
	long n = 0;
	if (*text == 0)
		return -1;
	for (; *text != 0; text++)
		if (*text < '0' || *text > '9' || __builtin_mul_overflow(n, 10, &n) || __builtin_add_overflow(n, *text - '0', &n))
			return -1;
	return n;
}

static long setting(const char *name, long value, long least) {
	const char *text = secure_getenv(name);
	if (text != NULL && *text != 0) {
		long n = number(text);
		if (n < least)
			fprintf(stderr, "wherry: %s=%s: want a number of at least %ld; %ld is used\n", name, text, least, value);
		else
			value = n;
	}
	return value;
}

// thread_size is how large the stack of a thread is by default: what RLIMIT_STACK was when
// the program began, which takes no system call to learn; with musl less than wanted.
static long thread_size(void) {
	enum { LEAST = 8 << 20, MOST = 1 << 30 };
	pthread_attr_t attributes;
	size_t size = 0;
	if (pthread_attr_init(&attributes) == 0) {
		pthread_attr_getstacksize(&attributes, &size);
		pthread_attr_destroy(&attributes);
	}
	return size < LEAST ? LEAST : size > MOST ? MOST : (long)size;
}

// wants_executable reports whether a file of the program has code on stacks, such as the nested
// functions of GNU C. Ours are not executable.
static int wants_executable(struct dl_phdr_info *file, size_t size, void *unused) {
	(void)size, (void)unused;
	for (int i = 0; i < file->dlpi_phnum; i++)
		if (file->dlpi_phdr[i].p_type == PT_GNU_STACK && file->dlpi_phdr[i].p_flags & PF_X)
			return 1;
	return 0;
}

// start reads the settings, once. A stack is as large as a thread's, since no rule need
// have asked for it; memory is taken as it is touched. The lock is held.
static void start(void) {
	_wherry_pool.size = ((size_t)setting("WHERRY_CSTACK_SIZE", thread_size(), 16 << 10) + 4095) & ~(size_t)4095;
	if (_wherry_pool.size >= (size_t)1 << ORDERS) {
		fprintf(stderr, "wherry: WHERRY_CSTACK_SIZE: %zu bytes: want less than %zu; 1 GB is used\n", _wherry_pool.size, (size_t)1 << ORDERS);
		_wherry_pool.size = 1 << 30;
	}
	_wherry_pool.limit = setting("WHERRY_CSTACK_LIMIT", 20000, 1);
	_wherry_pool.depth = (int)setting("WHERRY_CSTACK_DEPTH", 1000, 1);
	_wherry_pool.debug = setting("WHERRY_CSTACK_DEBUG", 0, 0) != 0;
	if (dl_iterate_phdr(wants_executable, NULL)) {
		_wherry_pool.limit = 0;
		leave_stacks(0);
	}
	pthread_key_create(&_wherry_pool.key, thread_ends);
	stand_before(FAULTS_ON_STACKS);
}

static record *map(size_t size) {
	char *low = mmap(NULL, size + 2 * GUARD, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_STACK, -1, 0);
	if (low == MAP_FAILED)
		return NULL;
	low += GUARD;
	if (mprotect(low, size, PROT_READ | PROT_WRITE) != 0) {
		int error = errno;
		munmap(low - GUARD, size + 2 * GUARD);
		errno = error;
		return NULL;
	}
	record *r = (record *)(low + size) - 1;
	r->low = low;
	r->order = order_of(size);
	_wherry_pool.mapped++;
	return r;
}

// know makes a thread's state known to the pool. The lock is held.
static void know(thread *t) {
	if (_wherry_pool.size == 0)
		start();
	if (t->active != &_wherry_none)
		return;
	t->base = _wherry_none;
	t->active = &t->base;
	t->previous = &_wherry_pool.threads;
	t->next = _wherry_pool.threads;
	if (t->next != NULL)
		t->next->previous = &t->next;
	_wherry_pool.threads = t;
	pthread_setspecific(_wherry_pool.key, t);
}

// take_out ends a stack's being part of the thread's chain. The lock is held.
static void take_out(record *r) {
	r->outer->deeper = r->deeper;
	if (r->deeper != NULL)
		r->deeper->outer = r->outer;
	_wherry_thread.owned--;
	give_back(r);
}

// _wherry_stack_new gives the thread a stack of at least 1 << order bytes for
// its next call, at the end of its chain or in place of one that is smaller.
// It returns 0, an errno, -1 when calls are nested too deep, or -2 when there
// are too many stacks. Without a stack the call runs where other calls do.
SHARED long _wherry_stack_new(long order) {
	thread *t = &_wherry_thread;
	long error = 0;
	int saved = errno;
	lock();
	if (_wherry_pool.size == 0)
		start();
	size_t size = _wherry_pool.size;
	if ((size_t)1 << order > size)
		size = (size_t)1 << order;
	record **free = &_wherry_pool.free[order_of(size)], *small = t->active->deeper, *r = NULL;
	if (small == NULL && t->owned >= _wherry_pool.depth) {
		error = -1;
	} else if (*free != NULL) {
		r = *free;
		*free = r->deeper;
		_wherry_pool.pooled--;
	} else if (_wherry_pool.mapped >= _wherry_pool.limit) {
		error = -2;
	} else if ((r = map(size)) == NULL) {
		error = errno;
	}
	if (r != NULL) {
		know(t);
		r->surplus = t->owned < KEPT_BY_THREAD && !_wherry_pool.debug ? 0 : 1;
		if (small != NULL) {
			r->surplus = small->surplus;
			take_out(small);
		}
		r->c_sp = NULL;
		r->outer = t->active;
		r->deeper = t->active->deeper;
		if (r->deeper != NULL)
			r->deeper->outer = r;
		t->active->deeper = r;
		t->owned++;
	}
	unlock();
	errno = saved;
	return error;
}

// _wherry_stack_surplus takes the last stack of the chain, which its thread
// need not keep.
SHARED void _wherry_stack_surplus(record *r) {
	int saved = errno;
	if (r == &_wherry_thread.lent) {
		lend_abandoned();
		return;
	}
	lock();
	take_out(r);
	unlock();
	errno = saved;
}

// _wherry_stack_count counts the stacks in the process, and those of them
// that no call uses. It is exact while no call begins or ends.
SHARED void _wherry_stack_count(long *mapped, long *unused) {
	lock();
	*mapped = _wherry_pool.mapped;
	*unused = _wherry_pool.pooled;
	for (thread *t = _wherry_pool.threads; t != NULL; t = t->next)
		for (record *r = t->active->deeper; r != NULL; r = r->deeper)
			++*unused;
	unlock();
}

// The deferred function that _wherry_callback_first links into the goroutine's
// list, as a Go func value.
extern void _wherry_abandon(void) __attribute__((visibility("hidden")));
SHARED void (*const _wherry_abandon_func)(void) = _wherry_abandon;

#if !PLAIN
// Two structs of the runtime, for the pointer check of internal/build/accel.
extern char _wherry_mheap[] HIDDEN, _wherry_module[] HIDDEN;
SHARED char *const _wherry_runtime[] = {_wherry_mheap, _wherry_module};
#endif
// Faults in C. Go's own handler takes what comes while a goroutine runs for a fault of
// Go's, and makes a panic of it. Ours comes first and says whose it is.

static const int faults[FAULTS] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP, SIGABRT};

// What g.throwsplit holds after a fault in C: not a call in flight, not the runtime's own 1,
// and true to the runtime, which looks at the lowest bit alone on arm64.
enum { FATAL = 5 };

static void fault_of_c_thread(int sig, const siginfo_t *info, const ucontext_t *u);

// on_fault comes before Go's own handler. While C runs it says that the fault is
// fatal, or Go would make a panic of it, on the wrong stack; and what Go cannot
// know about it. Where a handler of C's stands between the two and makes the fault
// good, or leaves by siglongjmp, the assembly takes the word back.
static void on_fault(int sig, siginfo_t *info, void *context) {
	record *r = _wherry_thread.active;
	char *at = info->si_addr;
	int in_c = r->c_sp == NULL && info->si_code > 0; // and the kernel says so, not kill
	int lent = r == &_wherry_thread.lent;
	if (lent)
		fault_of_c_thread(sig, info, context);
	else if (in_c)
		((char *)r->g)[G_THROWSPLIT] = FATAL;
	if (in_c && !lent && sig == SIGSEGV && ((at >= r->low - GUARD && at < r->low) ||
		(at >= (char *)(r + 1) && at < (char *)(r + 1) + GUARD))) {
		char text[512];
		int n = snprintf(text, sizeof text, "wherry: C stack %s in the call of %s: it has %zu bytes; "
			"set WHERRY_CSTACK_SIZE to more, %s\n", at < r->low ? "overflow" : "underflow", name_of(r), size_of(r),
			r->call != NULL && r->call->flags & OWN_STACK ? "or use direct.Bind" : "say reentrant=SIZE in the policy, or fast");
		_wherry_thread.busy++; // nothing is turned here
		ssize_t written = n > 0 ? write(2, text, (size_t)n) : 0;
		_wherry_thread.busy--;
		if (written < 0)
			return; // and fault again, with nobody listening
	}
	int i = 0;
	while (faults[i] != sig)
		i++;
	struct sigaction *old = &_wherry_pool.old[i];
	if (old->sa_flags & SA_SIGINFO)
		old->sa_sigaction(sig, info, context);
	else if (old->sa_handler != SIG_DFL && old->sa_handler != SIG_IGN)
		old->sa_handler(sig);
	else
		sigaction(sig, old, NULL); // the fault comes again and is final
}

// stand_before puts on_fault before handlers, and has signals blocked in it as
// each wants them: it may leave by longjmp. Other threads may fault as soon as
// on_fault is there.
static void stand_before(int n) {
	for (int i = _wherry_pool.faults; i < n; i++) {
		sigaction(faults[i], NULL, &_wherry_pool.old[i]);
		struct sigaction ours = _wherry_pool.old[i];
		ours.sa_sigaction = on_fault;
		ours.sa_flags |= SA_SIGINFO | SA_ONSTACK;
		sigaction(faults[i], &ours, NULL);
		_wherry_pool.faults = i + 1;
	}
}
// What is learned of a C function from its calls, and how it is called then: see call.target.
//
//	        turned calls are long                     4,096 calls, or more
//	fast  ------------------------> turned before  --------------------------> fast
//	                                they begin
//	        callbacks turn calls            48 call back
//	fast  ------------------------> watch --------------> through cgo ----> watch
//	     <------------------------         4,096 calls, or more
//	        fewer call back

extern const char _wherry_turn_first[] HIDDEN, _wherry_through_cgo[] HIDDEN, _wherry_on_stack[] HIDDEN;
#ifndef COUNTS
#define COUNTS 0
#endif

// Some code asked for the bounds of its stack while C of a call ran, or stacks are executable:
// nothing runs on another stack from then on that a rule does not send there.
SHARED int _wherry_bounds;

// A turned call is long when it computes on for 5 us: interrupted anywhere, it has then
// taken twice that as a rule, 400 times what cgo costs. One that goes on for 40 us
// counts for 4, but from 1 ms on for 1 again: perhaps the kernel ran another thread. A
// function whose turned calls are long by 8 more than they are short is entered through cgo
// from then on, and tried again after a while: 4,096 calls, then twice as many.
enum { LONG = 5000, VERY_LONG = 8 * LONG, UNSURE = 200 * LONG, CONVINCED = 8, PATIENCE = 4096 };

// A function that calls back, and cannot come to run on a C stack, is turned by its
// callbacks, which costs more than to go through cgo at once; but a call without a callback
// gains several times what one with a callback loses. Which of them call back is not seen
// while calls start fast. So after 8 that were turned the function is watched for 64 calls, which
// are turned before they begin. If three quarters of them call back, it goes through cgo, as
// long as a function whose calls are long; else it is fast again, for 4,096 turned calls.
enum { WATCH = 64, MOST_OF_WATCH = 48 };

// fast_target is what a function is called by at first.
static const void *fast_target(const call *c) { return c->flags & OWN_STACK ? (const void *)_wherry_on_stack : c->twin; }

// retarget changes what a call is entered by, if nobody has changed it meanwhile.
static void retarget(call *c, const void *from, const void *to) {
	__atomic_compare_exchange_n(&c->target, &from, to, 0, __ATOMIC_RELAXED, __ATOMIC_RELAXED);
}

static void wait_longer(call *c) {
	if (c->patience < 1u << 30)
		c->patience = c->patience == 0 ? PATIENCE : c->patience * 2;
	c->waited = 0;
}

// waits reports whether the function goes through cgo until it is tried again.
static int waits(const call *c) { return c->target == _wherry_turn_first || c->target == _wherry_through_cgo; }

// suspect enters a function through cgo, if it is suspected enough.
static void suspect(call *c) {
	if (c->suspicion < CONVINCED || c->flags & (BY_USER | ALWAYS) || waits(c))
		return;
	wait_longer(c);
	c->called = 0;
	__atomic_store_n(&c->target, (const void *)_wherry_turn_first, __ATOMIC_RELAXED);
}

// judge learns how long a function's calls are from those that a signal turned.
static void judge(call *c, long nanoseconds) {
	if (nanoseconds >= LONG)
		c->suspicion += nanoseconds >= VERY_LONG && nanoseconds < UNSURE ? 4 : 1;
	else if (c->suspicion > 0 && --c->suspicion == 0 && !waits(c))
		c->patience = 0; // it has become a quick one
	suspect(c);
}

// watch begins to watch a function.
static void watch(call *c) {
	c->called = 0;
	c->watched = 1;
	__atomic_store_n(&c->target, (const void *)_wherry_turn_first, __ATOMIC_RELAXED);
}

// watched counts a call of a watch, and ends it when there were enough.
static void watched(call *c) {
	if (c->watched++ <= WATCH)
		return;
	c->watched = 0;
	const void *target = c->twin;
	if (c->called >= MOST_OF_WATCH) {
		wait_longer(c);
		target = _wherry_through_cgo;
	} else {
		c->turned = 0;
		c->tolerance = PATIENCE;
		c->patience = 0;
	}
	__atomic_store_n(&c->target, target, __ATOMIC_RELAXED);
}

// through_cgo counts a call that is turned before it begins.
static void through_cgo(call *c) {
	if (c->watched != 0) {
		watched(c);
		return;
	}
	if (c->patience == 0 || ++c->waited < c->patience)
		return;
	if (c->by_cgo != NULL && (c->target == _wherry_through_cgo || c->called >= MOST_OF_WATCH)) {
		watch(c);
		return;
	}
	c->suspicion = CONVINCED - 1; // one long call will do
	__atomic_store_n(&c->target, fast_target(c), __ATOMIC_RELAXED);
}

// turned_by_callback learns from a call that a callback turned. wherry stat is to see them all.
static void turned_by_callback(call *c) {
	if (COUNTS || c == NULL || c->by_cgo == NULL || c->flags & (NO_CALLBACK | BY_USER) || c->target != c->twin ||
		(c->flags & MAY_SWITCH && !_wherry_bounds))
		return;
	if (++c->turned >= (c->tolerance != 0 ? c->tolerance : CONVINCED))
		watch(c);
}
// Turning: a call that C runs in becomes the system call that cgo would have made
// it from its beginning. Four things turn a call: a signal of the runtime, which
// wants the thread; a function of the C library that may block, before it begins
// (block.c); a callback into Go from the thread's system stack; a signal that C handles
// (handlers.c). From then on the goroutine, its thread and its P are as runtime.cgocall has
// them while C runs, and at the end the stub leaves the system call.
//
// This runs while C is interrupted or about to block, so nothing of Go runs on the
// thread; the goroutine stands at its call. g, m: internal/goruntime says where their
// fields are.

#define AT(type, base, offset) (*(type *)((char *)(base) + (offset)))

extern char *_wherry_getg(void) HIDDEN;
extern void _wherry_setg(char *g) HIDDEN;
extern void _wherry_unturn(void) HIDDEN;
extern const char __start_wherry_text[] HIDDEN, __stop_wherry_text[] HIDDEN;
#if PLAIN // only package direct has calls
static call no_calls[1];
#define __start_wherry_calls no_calls
#define __stop_wherry_calls no_calls
#else
extern call __start_wherry_calls[] HIDDEN, __stop_wherry_calls[] HIDDEN;
#endif

#if defined(__x86_64__)
#define PC_OF(u) ((const char *)(u)->uc_mcontext.gregs[REG_RIP])
#define SP_OF(u) ((const char *)(u)->uc_mcontext.gregs[REG_RSP])
#define ENTER(g, go_sp, go_fp, go_lr, g0) _wherry_turn_enter(g, go_sp, go_fp, g0)
extern void _wherry_turn_enter(char *g, char *go_sp, char *go_fp, char *g0) HIDDEN;
#else
#define PC_OF(u) ((const char *)(u)->uc_mcontext.pc)
#define SP_OF(u) ((const char *)(u)->uc_mcontext.sp)
#define ENTER(g, go_sp, go_fp, go_lr, g0) _wherry_turn_enter(g, go_sp, go_fp, g0, go_lr)
extern void _wherry_turn_enter(char *g, char *go_sp, char *go_fp, char *g0, char *go_lr) HIDDEN;
#endif

// The handler of SIGURG: see signal.c.
SHARED struct {
	int lock, started;
	int off;    // calls are turned before they begin
	int deaf;   // the signal does not come to wherry
	int unseen; // libraries may wait where wherry does not see it
	int early;  // two handlers were installed before the start: Go has but one, so C has some
	void *earliest;
	struct sigaction go;    // Go's handler
	struct sigaction other; // what C has installed since, if anything
	void (*bind)(void *g0); // what the runtime has for threads of C's that call Go for the first time
} _wherry_urgent;

// What the runtime may need of a system stack while a goroutine enters a system
// call, and what its stack check keeps free below (internal/abi.StackGuard and
// more). runtime.callbackUpdateSystemStack takes twice as much, for callbacks.
enum { SYSTEM_STACK = 16 << 10, STACK_GUARD = 928 };

#if COUNTS
// count adds to what wherry stat shows. The thread has its block of counters since it
// entered the call.
static void count(call *c, int what, long n) {
	if (c->turns != NULL && _wherry_stat_counts != NULL)
		_wherry_stat_counts[(struct _wherry_stat_record *)c->turns - __start_wherry_stats + what] += (unsigned long long)n;
}
#define LEND_COUNTS _wherry_lends

#if !INTERPOSES
#define dladdr(address, info) 0
#endif
extern void _wherry_stat_note(const char *text) HIDDEN;

// says has wherry stat say why something is not done; whose is an address in the code that is the
// cause, or NULL.
static void says(const char *what, const char *why, const void *whose) {
	char text[512];
	Dl_info info = {0};
	int known = whose != NULL && dladdr(whose, &info) != 0;
	snprintf(text, sizeof text, "%s: %s%s%s%s%s%s", what, why, known ? " (" : "", known && info.dli_sname ? info.dli_sname : "",
		known && info.dli_sname ? " of " : "", known ? info.dli_fname : "", known ? ")" : "");
	_wherry_stat_note(text);
}
#else
#define COUNTS 0
#define LEND_COUNTS NULL
static void count(call *c, int what, long n) { (void)c, (void)what, (void)n; }
static void says(const char *what, const char *why, const void *whose) { (void)what, (void)why, (void)whose; }
#endif

// now is a time in nanoseconds, by the clock that Go's runtime reads too: reading it is no
// system call. That of a thread's processor time would be one.
static long now(void) {
	struct timespec t;
	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec * 1000000000L + t.tv_nsec;
}

// call_of finds the call in flight on a system stack: package direct's is in the slot.
// Sections of one object follow each other in the order of its calls, and so do objects.
static call *call_of(char *g0) {
	char **slot = (char **)(AT(size_t, g0, G_SCHED_SP) & ~(size_t)15) - 1;
#if defined(__x86_64__)
	if (*slot < __start_wherry_text || *slot >= __stop_wherry_text)
		return (call *)*slot;
	call *low = __start_wherry_calls, *high = __stop_wherry_calls;
	while (low < high) {
		call *middle = low + (high - low) / 2;
		if (middle->returns < *slot)
			low = middle + 1;
		else
			high = middle;
	}
	if (low < __stop_wherry_calls && low->returns == *slot)
		return low;
	for (call *c = __start_wherry_calls; c < __stop_wherry_calls; c++)
		if (c->returns == *slot)
			return c;
	return NULL;
#else
	return *(call **)slot;
#endif
}

// in_flight returns the goroutine whose call C runs in on this thread, not turned
// yet, and the record of its C stack, if it has one.
static char *in_flight(record **r) {
	*r = _wherry_thread.active;
	if ((*r)->c_sp == NULL)
		return (*r)->g;
	*r = NULL;
	char *g = _wherry_getg();
	return g != NULL && AT(char, g, G_THROWSPLIT) == IN_FLIGHT ? g : NULL;
}

#if INTERPOSES
// in_c reports whether C runs on this thread that a goroutine has called, in flight or
// through cgo. m.incgo would not do: on a C thread it stays set between callbacks.
static int in_c(void) {
	record *r;
	if (in_flight(&r) != NULL)
		return 1;
	char *g = _wherry_getg();
	return g != NULL && AT(int, AT(char *, g, G_M), M_NCGO) > 0;
}
#endif

static void bug(const char *text) {
	ssize_t written = write(2, text, strlen(text));
	(void)written;
	abort();
}

// set_stack says where a system stack is, as the runtime does.
static void set_stack(char *g0, char *low, char *high) {
	AT(char *, g0, G_STACK_LO) = low, AT(char *, g0, G_STACK_HI) = high;
	AT(char *, g0, G_STACKGUARD0) = AT(char *, g0, G_STACKGUARD1) = low + STACK_GUARD;
}

// turn makes the call in flight a system call. What belongs to the thread's system
// stack runs on the stack that we are on, where C's frames may be on that stack.
static void turn(char *g, record *r, enum why why) {
	thread *t = &_wherry_thread;
	char *m = AT(char *, g, G_M), *g0 = AT(char *, m, M_G0);
	call *c = r != NULL ? r->call : call_of(g0);
	if (c != NULL)
		count(c, why, 1);
	t->turned = c;
	if (c != NULL && c->flags & NO_CALLBACK)
		AT(char, g, G_NOCGOCALLBACK) = 1;
	AT(int, m, M_NCGO)++; // before: the tracer must not follow frame pointers
	char *go_sp = r != NULL ? r->go_sp : AT(char *, m, M_VDSOSP) - RETURN_ADDRESS;
	if (r != NULL)
		r->c_sp = TURNED;
	if (r == &t->lent) {
		t->lending.turned_at = now();
		t->lending.asked = why != BY_BLOCKING;
	}
	if (r != NULL && r != &t->lent) {
		ENTER(g, go_sp, r->go_fp, r->go_lr, NULL);
	} else {
		char *here = __builtin_frame_address(0), *sched_sp = AT(char *, g0, G_SCHED_SP);
		char *low = AT(char *, g0, G_STACK_LO), *high = AT(char *, g0, G_STACK_HI);
		int elsewhere = here < low + SYSTEM_STACK || here > high; // on a signal's stack, or a coroutine's
		if (elsewhere)
			set_stack(g0, here - SYSTEM_STACK, here + 1024);
		ENTER(g, go_sp, r != NULL ? r->go_fp : NULL, AT(char *, m, M_VDSOPC), g0);
		AT(char *, g0, G_SCHED_SP) = sched_sp;
		if (elsewhere)
			set_stack(g0, low, high);
	}
	if (AT(char *, g, G_SYSCALLSP) + TURNED_FRAME != go_sp)
		bug("wherry: BUG: the frame of a turned call is not where its assembly expects it\n");
	// What the runtime does while it enters a system call may overwrite g.sched, as in a bubble
	// of testing/synctest. asmcgocall stores it once more too: callbacks begin there.
	AT(char *, g, G_SCHED_PC) = AT(char *, g, G_SYSCALLPC);
	AT(char *, g, G_SCHED_SP) = AT(char *, g, G_SYSCALLSP);
	AT(char *, g, G_SCHED_BP) = AT(char *, g, G_SYSCALLBP);
	AT(char *, m, M_VDSOSP) = NULL;
	AT(char, m, M_INCGO) = 1;
	_wherry_setg(g0);
	t->turned_at = COUNTS ? now() : 0;
	t->fresh = why == AT_ONCE;
	t->computes_from = why == BY_SIGNAL ? now() : 0; // last: what the runtime did is not C's time
}

static void look_after_handler(void);
static unsigned long shut_out(void);
static void let_in(unsigned long mask);

// in_handler reports whether an address is on the stack of signal handlers, so that a
// handler of C's runs there. It may have interrupted anything, also our assembly.
static int in_handler(const char *sp, const stack_t *stack) {
	return !(stack->ss_flags & SS_DISABLE) && sp >= (char *)stack->ss_sp && sp < (char *)stack->ss_sp + stack->ss_size;
}

// is_this_thread reports whether the thread's data is its own, and not that of the one which
// has started this process by clone with CLONE_VM. The clock's number is made of what the
// C library has noted; the functions that ask the kernel are interposed.
static int is_this_thread(void) {
	clockid_t clock;
	long id;
#if defined(__x86_64__)
	__asm__ volatile("syscall" : "=a"(id) : "0"((long)SYS_gettid) : "rcx", "r11", "memory");
#else
	register long number __asm__("x8") = SYS_gettid, result __asm__("x0");
	__asm__ volatile("svc #0" : "=r"(result) : "r"(number) : "memory");
	id = result;
#endif
	return pthread_getcpuclockid(pthread_self(), &clock) == 0 && ~(clock >> 3) == id;
}

// may_turn reports whether C runs in the call in flight, not a handler above it or another process.
static int may_turn(char *g, record *r) {
	const char *here = __builtin_frame_address(0);
	char *g0 = AT(char *, AT(char *, g, G_M), M_G0);
	if (r != NULL && r != &_wherry_thread.lent ? here > r->low && here < (char *)r : here > AT(char *, g0, G_STACK_LO) &&
		here <= AT(char *, g0, G_STACK_HI))
		return 1;
	stack_t stack;
	return is_this_thread() && sigaltstack(NULL, &stack) == 0 && !in_handler(here, &stack);
}

// await_signal lets a signal come that the runtime decided to send before the call was
// turned: it would end C's wait with EINTR. The runtime says so before it sends.
static void await_signal(char *g) {
	volatile unsigned *pending = &AT(unsigned, AT(char *, g, G_M), M_SIGNALPENDING);
	for (int i = 0; i < 1000 && *pending != 0 && !_wherry_urgent.deaf; i++)
		syscall(SYS_sched_yield);
}

// turn_now turns the call in flight on this thread, if there is one, and reports
// whether there was.
static int turn_now(enum why why) {
	volatile int *busy = &_wherry_thread.busy;
	record *r;
	char *g;
	if (*busy || (g = in_flight(&r)) == NULL || !may_turn(g, r))
		return 0;
	unsigned long mask = shut_out();
	*busy = 1; // a signal from now on leaves it to us
	if ((g = in_flight(&r)) != NULL) { // none has turned it before
		look_after_handler();
		turn(g, r, why);
	}
	*busy = 0;
	let_in(mask);
	if (g != NULL && (why == BY_BLOCKING || why == AT_ONCE))
		await_signal(g);
	return g != NULL;
}

// _wherry_turn_over ends C's part of a turned call: the rest is to leave the
// system call, on the goroutine's stack.
SHARED void _wherry_turn_over(char *g) {
	thread *t = &_wherry_thread;
	char *m = AT(char *, g, G_M);
	if (t->masked) {
		sigset_t urgent;
		sigemptyset(&urgent);
		sigaddset(&urgent, SIGURG);
		pthread_sigmask(SIG_UNBLOCK, &urgent, NULL); // which clears masked
	}
	AT(char, m, M_INCGO) = 0;
	AT(int, m, M_NCGO)--;
	call *c = t->turned;
	if (c == NULL)
		return;
	t->turned = NULL; // an outer call that was turned is not judged
	if (c->flags & NO_CALLBACK)
		AT(char, g, G_NOCGOCALLBACK) = 0;
	if (t->turned_at != 0)
		count(c, WAYS, now() - t->turned_at);
	if (t->computes_from != 0)
		judge(c, now() - t->computes_from);
}

static void place(thread *t);

// is_wanted reports whether the goroutine of a lent thread is to stop.
static int is_wanted(record *r) { return AT(char *, r->g, G_STACKGUARD0) >= (char *)r->go_sp; }

// _wherry_ready: a call with a record calls back, but was turned, or the callback of a lent
// thread comes from another stack.
SHARED void _wherry_ready(void) {
	thread *t = &_wherry_thread;
	record *r = t->active;
	if (r == &t->lent)
		place(t);
	if (r->c_sp == TURNED) {
		_wherry_turn_over(r->g);
		_wherry_unturn();
	}
}

// A callback from a thread's system stack: what cgo does, in a turned call.
extern void crosscall2(void (*)(void *), void *, int, size_t);
extern size_t _cgo_wait_runtime_init_done(void);
extern void _cgo_release_context(size_t);
extern void _wherry_crosscall(void (*fn)(void *), void *frame, int size) HIDDEN;

static void leave_stacks(unsigned but) {
	_wherry_bounds = 1;
	for (call *c = __start_wherry_calls; c < __stop_wherry_calls; c++)
		if (!(c->flags & but))
			retarget(c, _wherry_on_stack, c->twin);
}

#if INTERPOSES
static void bounds_asked(void) {
	if (!_wherry_bounds && in_c())
		leave_stacks(BY_USER);
}
#endif

// called_back learns from a callback in a turned call, not only the first: a function
// that calls back 8 times comes to run on a C stack. NULL: C that a C thread runs, or
// that was called through cgo.
static __attribute__((noinline)) void called_back(call *c) {
	if (c == NULL) return;
	if (c->flags & NO_CALLBACK) // the runtime panics next
		fprintf(stderr, "wherry: %s%s of %s calls back into Go, though %s says that it does not\n", strchr(c->name, ' ') ? "" : "C.",
			c->name, c->package, c->package + strlen(c->package) + 1);
	else if (++c->callbacks >= CONVINCED && c->flags & MAY_SWITCH && !_wherry_bounds)
		retarget(c, c->twin, _wherry_on_stack);
}

static void turn_for_callback(void) {
	int turned = turn_now(BY_CALLBACK);
	call *c = _wherry_thread.turned;
	called_back(c);
	if (turned)
		turned_by_callback(c);
}

#if LENDS // the program is linked with --wrap=crosscall2, for C that calls it itself
extern void __real_crosscall2(void (*)(void *), void *, int, size_t);
#define crosscall2 __real_crosscall2
#endif

enum lends { LENDS_NOW, LENDS_NOT, NOT_OF_C };
static enum lends lends(void);
static void lends_not(lending *l, const char *why);

// is_through_cgo reports whether a callback is one through cgo for certain: from a thread
// that C created, which does not lend yet, or from C that a goroutine has called through
// cgo, or whose call is turned. Those must not cost more than cgo's own.
static inline int is_through_cgo(char *g) {
	thread *t = &_wherry_thread;
	if (g == NULL)
		return 0;
	char *m = AT(char *, g, G_M);
	if (AT(int, m, M_NCGO) == 0) {
		if (g != t->lending.g0 || t->lending.calls + 1 >= t->lending.want)
			return 0;
		t->lending.calls++;
		return 1;
	}
	void *c_sp = t->active->c_sp;
	if (c_sp == NULL || c_sp == TURNED || g != AT(char *, m, M_G0))
		return 0;
	call *c = t->turned;
	if (c == NULL)
		return 1;
	if (t->fresh) {
		t->fresh = 0;
		c->called++;
	}
	if (c->flags & (NO_CALLBACK | MAY_SWITCH))
		called_back(c);
	return 1;
}

// callback_ready reports whether a callback can go on as that of a call with a record.
static __attribute__((noinline)) int callback_ready(void) {
	thread *t = &_wherry_thread;
	record *r = t->active;
	void *c_sp = r->c_sp;
	if (c_sp == NULL || c_sp == TURNED) {
		if (r != &t->lent || (c_sp == NULL && !is_wanted(r)))
			return _wherry_ready(), 1;
		lend_over(BY_CALLBACK); // and through cgo
		return 0;
	}
	enum lends lend = lends();
	if (lend == NOT_OF_C)
		turn_for_callback();
	return lend == LENDS_NOW;
}

SHARED void _wherry_crosscall_slow(void (*fn)(void *), void *frame, int size) {
	if (!is_through_cgo(_wherry_getg()) && callback_ready()) {
		_wherry_crosscall(fn, frame, size);
		return;
	}
	size_t context = _cgo_wait_runtime_init_done();
	if (__builtin_expect(context == 0, 1)) { // nothing is to be released
		crosscall2(fn, frame, size, 0);
		return;
	}
	lends_not(&_wherry_thread.lending, "runtime.SetCgoTraceback wants to know the C caller of each callback");
	crosscall2(fn, frame, size, context);
	_cgo_release_context(context);
}

// _wherry_crosscall2 is for callbacks that no C stack is known to: function pointers of
// package callback, which know g, and C that calls crosscall2 itself.
SHARED void _wherry_crosscall2(void (*fn)(void *), void *frame, int size, size_t context, char *g) {
	if (!is_through_cgo(g) && callback_ready())
		_wherry_crosscall(fn, frame, size);
	else
		crosscall2(fn, frame, size, context);
}
#if LENDS
SHARED void __wrap_crosscall2(void (*fn)(void *), void *frame, int size, size_t context) {
	_wherry_crosscall2(fn, frame, size, context, _wherry_getg());
}
#endif
// When a thread that C created lends its P, and for how long: see lend.c.
//
//	        want callbacks in a row, close together
//	cgo  ------------------------------------------->  lent
//	     <-------------------------------------------
//	        the call is turned: by a signal, since somebody wants the P,
//	        or because C blocks
//
// Through cgo a thread gives its P back after each callback; lent it has the P until
// somebody asks. Lending has a price, so it must last: after a lend that was too short the
// thread has to make four times as many callbacks before the next one. The clock is read
// once in so many callbacks, because reading it costs as much as half a callback.

#if LENDS
enum {
	NEAR = 1000,     // ns from callback to callback on average: more gains less than 5 %
	FIRST = 512,     // callbacks before the first lend: threads that make fewer gain nothing
	PAID = 5000,     // ns that a lend must last until C blocks: a thousand callbacks
	RETURNED = 2000000, // ns that it must last until the P is asked for, which takes a while
	MOST = 1 << 20,  // callbacks before the next lend, after lends that did not pay
};

static const char no_lend[] = "a C thread does not lend its P";

// close_together is asked when a thread has made as many callbacks as are wanted, and reports
// whether they came close together. The first window begins with the thread's first callback.
static int close_together(lending *l) {
	long begin = l->since, calls = l->calls;
	l->since = now();
	l->calls = 0;
	if (l->want == 0)
		l->want = FIRST;
	if (begin != 0 && l->since - begin >= NEAR * calls)
		says(no_lend, "its callbacks are more than 1 us apart", NULL);
	return begin != 0 && l->since - begin < NEAR * calls;
}

// lends_not puts off the next lend as long as can be.
static void lends_not(lending *l, const char *why) {
	l->calls = 0;
	if (l->want != MOST && why != NULL)
		says(no_lend, why, NULL);
	l->want = MOST;
}

// lend_was_wrong: C waited in the kernel where wherry does not see it, or nobody could ask for
// the P any more.
static void lend_was_wrong(lending *l, const char *why) {
	lends_not(l, why);
	l->turned_at = 0;
}

// lend_ended learns from a lend that is over.
static void lend_ended(lending *l) {
	l->calls = 0;
	l->since = l->turned_at;
	if (l->turned_at - l->lent_at < (l->asked ? RETURNED : PAID))
		l->want = l->want < MOST / 4 ? l->want * 4 : MOST;
	else if (l->want > FIRST)
		l->want /= 2;
}
#endif
// Lending: a thread that C created calls Go at the price of a call. Through cgo each of its
// callbacks enters and leaves the scheduler. A thread that calls back again and again
// begins one callback that does not end, on a small stack of its own; its Go function
// "calls C", and that C is the thread's own code, on the thread's own stack. So the thread's
// code is C of a call in flight: its callbacks are those of a call on a C stack, and a
// signal or a function that may block turns it like any other.
//
//   root                      goroutine's stack             thread's own stack
//   +---------------------+   +-----------------------+     +----------------------+
//   | runtime.cgocallback |   | runtime.cgocallbackg  |     | the thread's C       |
//   +---------------------+   +-----------------------+     +----------------------+ <- c_sp
//   ^ root_sp                 | _wherry_c_thread      |     | C that callbacks call|
//                             +-----------------------+ <- go_sp
//                             | frames of callbacks   |
//
// When a lent call is turned the thread does not stay in it: its next callback ends the one
// that did not end, and goes through cgo. rule.c says when it lends again.

#if LENDS
#include <dlfcn.h>
#include <link.h>

extern void _wherry_lend_begin(char *root) HIDDEN;
extern void _wherry_lend_end(char *g) HIDDEN;
extern int _wherry_gomaxprocs; // runtime.gomaxprocs

// What the runtime calls when a thread ends that has called Go.
extern void (*x_crosscall2_ptr)(void (*)(void *), void *, int, size_t) __attribute__((weak));

enum {
	ROOT = 64 << 10,        // bytes, and as many of guard: the runtime's own threads have less
	OTHER_STACK = 32 << 10, // what the runtime takes a stack to have that it knows nothing of
};

SHARED struct {
	int started;
	int off;       // for good, because
	const char *why;
	const void *whose; // an address in the code that is the cause
	int lent;      // threads
	unsigned long long loads; // of libraries, when others_enter_go last looked
	void *roots;   // free ones, linked through their last word
	int pooled;    // how many
	long lends;    // since the start
	void (*thread_ends)(void (*)(void *), void *, int, size_t);
} _wherry_lending;

// What C threads run that lend is C of a call, too.
SHARED call _wherry_c_threads = {.name = "a C thread", .package = "", .flags = ALWAYS | BY_USER, .turns = LEND_COUNTS};

// _wherry_lend_count counts how often threads have lent.
SHARED long _wherry_lend_count(void) { return __atomic_load_n(&_wherry_lending.lends, __ATOMIC_RELAXED); }

static char *new_root(void) {
	void **last = _wherry_lending.roots;
	if (last != NULL) {
		_wherry_lending.roots = *last;
		_wherry_lending.pooled--;
		return (char *)(last + 2);
	}
	char *low = mmap(NULL, 2 * ROOT, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_STACK, -1, 0);
	if (low == MAP_FAILED)
		return NULL;
	if (mprotect(low + ROOT, ROOT, PROT_READ | PROT_WRITE) != 0) {
		munmap(low, 2 * ROOT);
		return NULL;
	}
	return low + 2 * ROOT;
}

static void free_root(char *root) {
	void **last = (void **)root - 2;
	if (_wherry_lending.pooled >= KEPT_IN_POOL) {
		munmap(root - 2 * ROOT, 2 * ROOT);
		return;
	}
	*last = _wherry_lending.roots;
	_wherry_lending.roots = last;
	_wherry_lending.pooled++;
}

// lend_over ends the callback that did not end. The thread is as cgo leaves it.
static void lend_over(enum why why) {
	thread *t = &_wherry_thread;
	if (t->active != &t->lent)
		return;
	int saved = errno;
	turn_now(why);
	t->busy = 1;
	char *g = t->lent.g, *g0 = AT(char *, AT(char *, g, G_M), M_G0);
	_wherry_turn_over(g);
	t->base.deeper = t->lent.deeper;
	if (t->base.deeper != NULL)
		t->base.deeper->outer = &t->base;
	t->active = &t->base;
	set_stack(g0, t->root - ROOT, t->root);
	AT(void *, g0, G_SCHED_SP) = t->root_sp;
	_wherry_lend_end(g);
	set_stack(g0, t->own_low, t->own_high);
	t->busy = 0;
	__atomic_fetch_sub(&_wherry_lending.lent, 1, __ATOMIC_RELAXED);
	lend_ended(&t->lending);
	errno = saved;
}

// lend_abandoned comes when a panic leaves a callback of a lent thread: the program ends. The
// runtime unwinds the callback that did not end, and then uses the thread's own stack.
static void lend_abandoned(void) {
	thread *t = &_wherry_thread;
	char *g0 = AT(char *, AT(char *, t->lent.g, G_M), M_G0), *root = t->root;
	set_stack(g0, t->own_low < root - ROOT ? t->own_low : root - ROOT, t->own_high > root ? t->own_high : root);
	AT(void *, g0, G_SCHED_SP) = t->root_sp;
}

// thread_leaves comes before the runtime's own end of a thread that has called Go.
static void thread_leaves(void (*fn)(void *), void *g, int size, size_t context) {
	thread *t = &_wherry_thread;
	lend_over(BY_BLOCKING);
	t->lending.ended = 1;
	if (t->root != NULL) {
		lock();
		free_root(t->root);
		unlock();
		t->root = NULL;
	}
	_wherry_lending.thread_ends(fn, g, size, context);
}

// lends_never ends all lending, for good.
static void lends_never(const char *why, const void *whose) {
	if (!_wherry_lending.off)
		_wherry_lending.why = why, _wherry_lending.whose = whose;
	__atomic_store_n(&_wherry_lending.off, 1, __ATOMIC_RELEASE);
}

// enters_go looks for the name crosscall2 in a library: one of Go, for example.
static int enters_go(struct dl_phdr_info *library, size_t size, void *seen) {
	(void)size;
	if ((*(int *)seen)++ == 0)
		return 0; // the program itself
	const char *strings = NULL;
	size_t length = 0;
	for (int i = 0; i < library->dlpi_phnum; i++) {
		if (library->dlpi_phdr[i].p_type != PT_DYNAMIC)
			continue;
		for (const ElfW(Dyn) *d = (const ElfW(Dyn) *)(library->dlpi_addr + library->dlpi_phdr[i].p_vaddr); d->d_tag != DT_NULL; d++)
			if (d->d_tag == DT_STRTAB)
				strings = (const char *)(d->d_un.d_ptr < library->dlpi_addr ? library->dlpi_addr + d->d_un.d_ptr : d->d_un.d_ptr);
			else if (d->d_tag == DT_STRSZ)
				length = d->d_un.d_val;
	}
	if (strings == NULL || memmem(strings, length, "\0crosscall2", sizeof "\0crosscall2") == NULL)
		return 0;
	lends_never("a library calls crosscall2", strings);
	return 1;
}

static int loads_of(struct dl_phdr_info *library, size_t size, void *loads) {
	(void)size;
	*(unsigned long long *)loads = library->dlpi_adds;
	return 1;
}

// others_enter_go reports whether a library calls the program's crosscall2, which must not be
// while C of a lent thread runs. It looks again when a library has been loaded.
static int others_enter_go(void) {
	unsigned long long loads = 0;
	int seen = 0;
	dl_iterate_phdr(loads_of, &loads);
	if (loads != __atomic_load_n(&_wherry_lending.loads, __ATOMIC_ACQUIRE)) {
		dl_iterate_phdr(enters_go, &seen);
		__atomic_store_n(&_wherry_lending.loads, loads, __ATOMIC_RELEASE);
	}
	return _wherry_lending.off;
}

// can_lend reports whether there can be lending at all, and prepares it. The lock is held.
static int can_lend(void) {
	if (!_wherry_urgent.started || _wherry_urgent.off || &x_crosscall2_ptr == NULL || x_crosscall2_ptr == NULL)
		return 0;
	if (!_wherry_lending.started) {
		_wherry_lending.started = 1;
		_wherry_lending.thread_ends = x_crosscall2_ptr;
		x_crosscall2_ptr = thread_leaves;
	}
	return !_wherry_lending.off;
}

// lend begins the callback that does not end, if it can. The thread goes on as C that it has
// called.
static int lend(thread *t, char *m) {
	sigset_t mask;
	if (pthread_sigmask(SIG_BLOCK, NULL, &mask) != 0 || sigismember(&mask, SIGURG) == 1) {
		lends_not(&t->lending, "SIGURG is blocked");
		return 0;
	}
	// One P stays with Go.
	if (__atomic_add_fetch(&_wherry_lending.lent, 1, __ATOMIC_RELAXED) >= *(volatile int *)&_wherry_gomaxprocs) {
		says(no_lend, _wherry_gomaxprocs == 1 ? "GOMAXPROCS is 1" : "one P stays with Go, and threads lend all others", NULL);
		goto not_now;
	}
	char *g0 = AT(char *, m, M_G0), *here = __builtin_frame_address(0);
	t->own_low = AT(char *, g0, G_STACK_LO), t->own_high = AT(char *, g0, G_STACK_HI);
	if (here - t->own_low < SYSTEM_STACK || here >= t->own_high) {
		says(no_lend, "it calls Go from a stack that is not the thread's own", NULL);
		goto not_now;
	}
	int can = !others_enter_go(); // without the lock: the dynamic linker has one of its own
	lock();
	can = can && can_lend();
	if (can && t->root == NULL)
		t->root = new_root();
	unlock();
	if (!can || t->root == NULL) {
		if (_wherry_lending.off)
			says("no C thread lends its P", _wherry_lending.why, _wherry_lending.whose);
		lends_not(&t->lending, _wherry_lending.off ? NULL : can ? "there is no memory for a stack" : "no signal asks for it");
		goto not_now;
	}
	t->busy = 1;
	__atomic_fetch_add(&_wherry_lending.lends, 1, __ATOMIC_RELAXED);
	count(&_wherry_c_threads, WAYS + 1, 1);
	t->lending.lent_at = now();
	t->lending.turned_at = 0;
	t->lent = (record){.outer = &t->base, .deeper = t->base.deeper, .from = t->own_low, .span = (size_t)(t->own_high - t->own_low),
		.system = &AT(void *, g0, G_SCHED_SP), .call = &_wherry_c_threads, .surplus = 1};
	set_stack(g0, t->root - ROOT, t->root);
	_wherry_lend_begin(t->root - 64);
	if (t->lent.deeper != NULL)
		t->lent.deeper->outer = &t->lent;
	t->root_sp = AT(void *, g0, G_SCHED_SP);
	set_stack(g0, t->own_low, t->own_high);
	t->busy = 0;
	return 1;
not_now:
	__atomic_fetch_sub(&_wherry_lending.lent, 1, __ATOMIC_RELAXED);
	return 0;
}

// place says where the stack is that C of a lent thread calls back from: its own, or a
// coroutine's.
static void place(thread *t) {
	char *here = __builtin_frame_address(0), *low = t->own_low, *high = t->own_high;
	if (here <= low || here >= high)
		low = here - OTHER_STACK, high = here + 1024;
	t->lent.from = low;
	t->lent.span = (size_t)(high - low);
	set_stack(AT(char *, AT(char *, t->lent.g, G_M), M_G0), low, high);
}

// lends counts a callback of a thread that C created, between two of which the thread is not
// in Go, and has it lend when it is time.
static enum lends lends(void) {
	char *g = _wherry_getg();
	if (g == NULL)
		return LENDS_NOT; // the thread's first
	char *m = AT(char *, g, G_M);
	if (g != AT(char *, m, M_G0) || AT(int, m, M_NCGO) != 0)
		return NOT_OF_C;
	thread *t = &_wherry_thread;
	if (t->lending.g0 == NULL) { // early, so that the thread's end is seen
		lock();
		know(t);
		unlock();
	}
	t->lending.g0 = g;
	if (++t->lending.calls < t->lending.want || t->lending.ended)
		return LENDS_NOT;
	int saved = errno;
	enum lends now = close_together(&t->lending) && lend(t, m) ? LENDS_NOW : LENDS_NOT;
	errno = saved;
	return now;
}

#if INTERPOSES
// lends_no_more reports whether this is a lent thread, and has it lend no more.
static int lends_no_more(void) {
	thread *t = &_wherry_thread;
	if (t->active != &t->lent || (t->lent.c_sp != NULL && t->lent.c_sp != TURNED))
		return 0;
	turn_now(BY_BLOCKING);
	lend_was_wrong(&t->lending, "SIGURG is blocked");
	return 1;
}
#endif

// fault_of_c_thread has a fault in C of a lent thread end the program as through cgo: Go's
// handler finds a thread that is not in Go.
static void fault_of_c_thread(int sig, const siginfo_t *info, const ucontext_t *u) {
	thread *t = &_wherry_thread;
	void *c_sp = t->lent.c_sp;
	if ((c_sp != NULL && c_sp != TURNED) || t->busy || (info->si_code <= 0 && sig != SIGABRT))
		return;
	// A signal that somebody has sent may interrupt our assembly, on its way into Go.
	const char *pc = PC_OF(u);
	if ((pc >= __start_wherry_text && pc < __stop_wherry_text) || in_handler(SP_OF(u), &u->uc_stack))
		return;
	char *g = t->lent.g;
	if (c_sp == NULL)
		turn(g, &t->lent, BY_SIGNAL);
	AT(char, AT(char *, g, G_M), M_ISEXTRAINC) = 1;
}
#else
SHARED long _wherry_lend_count(void) { return 0; }
static void lend_over(enum why why) { (void)why; }
static void lend_abandoned(void) {}
static void place(thread *t) { (void)t; }
static void lend_was_wrong(lending *l, const char *why) { (void)l, (void)why; }
static void lends_not(lending *l, const char *why) { (void)l, (void)why; }
static enum lends lends(void) {
	char *g = _wherry_getg();
	if (COUNTS && g != NULL && AT(int, AT(char *, g, G_M), M_NCGO) == 0)
		says("no C thread lends its P", "the program is static, or a library, or linked without --wrap", NULL);
	return NOT_OF_C;
}
#if INTERPOSES
static int lends_no_more(void) { return 0; }
#endif
static void fault_of_c_thread(int sig, const siginfo_t *info, const ucontext_t *u) { (void)sig, (void)info, (void)u; }
#endif
// Handlers that C installs, where threads lend. Under cgo C's code has no P when a signal
// interrupts it: its handler may wait for anybody, block SIGURG, call Go, or leave by
// siglongjmp. So before each handler of C's stands an entry of wherry's, which turns the call in
// flight. C does not see that: the kernel has C's flags and mask, C is shown its own handler's
// address, and that handler begins with the registers and the stack that the kernel made.
//
//	kernel ---> entry n ---> _wherry_before_handler ---> C's handler n ---> kernel
//	            blocks all    turns the call, and
//	            signals       blocks what was blocked
//
// A handler has an entry of its own, for good: so its address changes together with its
// flags and its mask, as the kernel changes them.

#if LENDS
extern const char _wherry_entries[] HIDDEN, _wherry_entries_common[] HIDDEN, _wherry_entries_last[] HIDDEN;

#define ENTRIES 64
#define TEXT_OF(x) TEXT_OF_IT(x)
#define TEXT_OF_IT(x) #x

// The context is where the kernel puts it on the stack: arm64 has it in a register only for handlers
// that want to know it.
#if defined(__x86_64__)
#define ENTRY_SIZE 16
#define CONTEXT 8
#define KEPT 40
#define EACH "movl $_wherry_entry, %r9d\n\t" "jmp _wherry_entries_common\n\t"
#define COMMON \
	"subq $40, %rsp\n\t" ".cfi_adjust_cfa_offset 40\n\t" \
	"movq %rdi, (%rsp)\n\t" \
	"movq %rsi, 8(%rsp)\n\t" \
	"movq %rdx, 16(%rsp)\n\t" \
	"movq $-1, 24(%rsp)\n\t" \
	"movl $2, %edi\n\t" /* SIG_SETMASK */ \
	"leaq 24(%rsp), %rsi\n\t" \
	"movq %rsi, %rdx\n\t" \
	"movl $8, %r10d\n\t" \
	"movl $14, %eax\n" /* rt_sigprocmask */ \
	"_wherry_entries_last:\n\t" \
	"syscall\n\t" \
	"movl %r9d, %edi\n\t" \
	"leaq 48(%rsp), %rsi\n\t" \
	"movq 24(%rsp), %rdx\n\t" \
	"call _wherry_before_handler\n\t" \
	"movq %rax, %r11\n\t" \
	"xorl %eax, %eax\n\t" \
	"movq 16(%rsp), %rdx\n\t" \
	"movq 8(%rsp), %rsi\n\t" \
	"movq (%rsp), %rdi\n\t" \
	"addq $40, %rsp\n\t" ".cfi_adjust_cfa_offset -40\n\t" \
	"jmp *%r11\n\t"
#else
#define ENTRY_SIZE 8
#define CONTEXT 128
#define KEPT 48
#define EACH "mov w9, #_wherry_entry\n\t" "b _wherry_entries_common\n\t"
#define COMMON \
	"stp x29, x30, [sp, #-48]!\n\t" ".cfi_adjust_cfa_offset 48\n\t" ".cfi_rel_offset x29, 0\n\t" ".cfi_rel_offset x30, 8\n\t" \
	"stp x0, x1, [sp, #16]\n\t" \
	"mov x10, #-1\n\t" \
	"stp x2, x10, [sp, #32]\n\t" \
	"mov x0, #2\n\t" /* SIG_SETMASK */ \
	"add x1, sp, #40\n\t" \
	"mov x2, x1\n\t" \
	"mov x3, #8\n\t" \
	"mov x8, #135\n" /* rt_sigprocmask */ \
	"_wherry_entries_last:\n\t" \
	"svc #0\n\t" \
	"mov w0, w9\n\t" \
	"add x1, sp, #48+128\n\t" \
	"ldr x2, [sp, #40]\n\t" \
	"bl _wherry_before_handler\n\t" \
	"mov x16, x0\n\t" \
	"ldr x2, [sp, #32]\n\t" \
	"ldp x0, x1, [sp, #16]\n\t" \
	"ldp x29, x30, [sp], #48\n\t" ".cfi_adjust_cfa_offset -48\n\t" ".cfi_restore x29\n\t" ".cfi_restore x30\n\t" \
	"br x16\n\t"
#endif

__asm__(".text\n\t"
	".p2align 4\n\t"
	".weak _wherry_entries, _wherry_entries_common, _wherry_entries_last\n\t"
	".hidden _wherry_entries, _wherry_entries_common, _wherry_entries_last, _wherry_before_handler\n"
	"_wherry_entries:\n\t"
	".cfi_startproc\n\t"
	".set _wherry_entry, 0\n\t"
	".rept " TEXT_OF(ENTRIES) "\n\t"
	".balign " TEXT_OF(ENTRY_SIZE) "\n\t" EACH
	".set _wherry_entry, _wherry_entry + 1\n\t"
	".endr\n"
	"_wherry_entries_common:\n\t" COMMON
	".cfi_endproc\n");

typedef void (*handler)(int);
SHARED handler _wherry_handlers[ENTRIES]; // C's

static handler entry_of(long i) { return (handler)(size_t)(_wherry_entries + i * ENTRY_SIZE); }

// handler_of returns C's handler for an entry of ours, and any other handler as it is.
static handler handler_of(handler f) {
	size_t offset = (size_t)f - (size_t)_wherry_entries;
	return offset < ENTRIES * ENTRY_SIZE ? _wherry_handlers[offset / ENTRY_SIZE] : f;
}

static void on_urgent(int sig, siginfo_t *info, void *context);

// before_handler returns what is to be installed for a handler: an entry, if it is one of C's.
// This may run in a handler.
static handler before_handler(int sig, handler f) {
	void *p = (void *)f;
	void *go = (void *)_wherry_urgent.go.sa_sigaction; // NULL before the start, when Go installs its own, all one
	if (go == NULL && (size_t)p + 1 > 3 && p != (void *)on_fault) {
		_wherry_urgent.early |= _wherry_urgent.earliest != NULL && p != _wherry_urgent.earliest;
		_wherry_urgent.earliest = p;
	}
	if ((size_t)p + 1 <= 3 || go == NULL || _wherry_urgent.off || handler_of(f) != f || p == go || p == (void *)on_fault ||
		p == (void *)on_urgent)
		return f; // SIG_DFL, SIG_IGN, SIG_HOLD, SIG_ERR; Go's; ours
	if (sig == SIGURG) {
		lends_never("C handles SIGURG", p);
		return f;
	}
	for (long i = 0; i < ENTRIES; i++) {
		handler none = NULL;
		if (__atomic_compare_exchange_n(&_wherry_handlers[i], &none, f, 0, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE) || none == f)
			return entry_of(i);
	}
	lends_never("C has installed too many handlers of signals", p);
	return f;
}

// set_mask says which signals are blocked, as the kernel has them, and returns those that were. It
// is no call of a function of the C library, which would turn.
static unsigned long set_mask(unsigned long set) {
#if defined(__x86_64__)
	long result;
	register long size __asm__("r10") = sizeof set;
	__asm__ volatile("syscall" : "=a"(result) : "0"((long)SYS_rt_sigprocmask), "D"((long)SIG_SETMASK), "S"(&set), "d"(&set), "r"(size)
		: "rcx", "r11", "memory");
#else
	register long number __asm__("x8") = SYS_rt_sigprocmask, how __asm__("x0") = SIG_SETMASK, size __asm__("x3") = sizeof set;
	register unsigned long *in __asm__("x1") = &set, *out __asm__("x2") = &set;
	__asm__ volatile("svc #0" : "+r"(how) : "r"(number), "r"(in), "r"(out), "r"(size) : "memory");
#endif
	return set;
}

// shut_out has no handler of C's come while a call is turned: it might not go back.
static unsigned long shut_out(void) { return _wherry_handlers[0] != NULL ? set_mask(~0ul) : ~0ul; }
static void let_in(unsigned long mask) {
	if (mask != ~0ul)
		set_mask(mask);
}

static int may_interrupt(const ucontext_t *u);

// _wherry_before_handler comes before a handler of C's.
SHARED handler _wherry_before_handler(int entry, const ucontext_t *u, unsigned long mask) {
	int saved = errno;
	// Another signal may have interrupted C, and this one its entry.
	for (const char *pc; (pc = PC_OF(u)) >= _wherry_entries && pc <= _wherry_entries_last;)
		u = (const ucontext_t *)(SP_OF(u) + CONTEXT + (pc > _wherry_entries_common ? KEPT : 0));
	record *r;
	char *g = may_interrupt(u) ? in_flight(&r) : NULL;
	if (g != NULL && is_this_thread()) {
		turn(g, r, BY_BLOCKING);
		_wherry_thread.masked = 1; // the handler may block SIGURG where C goes on
	} else {
		g = NULL;
	}
	set_mask(mask);
	if (g != NULL)
		await_signal(g);
	errno = saved;
	return _wherry_handlers[entry];
}
#else
static unsigned long shut_out(void) { return ~0ul; }
static void let_in(unsigned long mask) { (void)mask; }
#endif
// Calls of package direct, which do not stand in the section wherry_calls.
SHARED call *_wherry_bound;

// _wherry_bind returns the data of calls of fn that package direct makes, or NULL. It
// stays for good: a call may still run when Go has forgotten its func. The caller has a lock.
SHARED call *_wherry_bind(const void *fn, const char *name, unsigned flags) {
	call *c = aligned_alloc(_Alignof(call), sizeof *c);
	if (c == NULL)
		return NULL;
	*c = (call){.twin = fn, .name = name,
		.package = "github.com/wherrygo/wherry/direct\0", .flags = flags, .next = _wherry_bound};
	c->target = _wherry_urgent.off ? _wherry_turn_first : fast_target(c);
	__atomic_store_n(&_wherry_bound, c, __ATOMIC_RELEASE);
	return c;
}
// Functions of the C library that may block. The program defines each of them
// itself (names.c): what stands there turns the call in flight and goes on to the C
// library's own. A thread that C does not run on in a call in flight goes there at once.

typedef void *slot; // where the C library has it: the assembly reads that

#if INTERPOSES
#include <dlfcn.h>
#include <elf.h>
#include <link.h>
#include <sys/auxv.h>

// The tables are in names.c. The slots fill pages of their own.
typedef struct {
	const char *name, *version;
} slot_name;
extern slot _wherry_slots[] HIDDEN;
extern const slot_name _wherry_slot_names[] HIDDEN;
extern const size_t _wherry_slots_size HIDDEN;

// Slots are filled when they are first needed, and at the start all that are left: then they
// are read-only.
SHARED struct {
	int storing; // threads
	int closed;
} _wherry_slots_state;

static __attribute__((noreturn)) void no_function(const char *why, const char *name, const char *what) {
	char text[512];
	int n = snprintf(text, sizeof text, "wherry: %s%s%s\n", why, name, what);
	if (n > 0)
		syscall(SYS_write, 2, text, (size_t)n);
	abort();
}

// is_static reports whether there is no dynamic linker, which the functions of dlfcn.h
// would not say: they come back to us.
static int is_static(void) {
	const ElfW(Phdr) *headers = (const ElfW(Phdr) *)getauxval(AT_PHDR);
	for (unsigned long i = 0; headers != NULL && i < getauxval(AT_PHNUM); i++)
		if (headers[i].p_type == PT_INTERP)
			return 0;
	return 1;
}

// found returns the definition that comes next, or NULL.
static void *found(const slot_name *s) {
	void *real = dlsym(RTLD_NEXT, s->name);
#ifdef __GLIBC__
	// What dlsym finds in the C library may be an old version. A library that is
	// preloaded has none.
	Dl_info place, versioned;
	void *right = s->version != NULL ? dlvsym(RTLD_NEXT, s->name, s->version) : NULL;
	if (right != NULL && right != real && (real == NULL || dladdr(real, &place) == 0 || dladdr(right, &versioned) == 0 ||
		place.dli_fbase == versioned.dli_fbase))
		real = right;
#endif
	return real;
}

// _wherry_real returns the function that a name stands before. Where the C library at hand
// is older than that of the build and has none, nothing could stand for it.
SHARED void *_wherry_real(slot *s) {
	if (*s == NULL) {
		static int asked;
		if (!asked && is_static())
			no_function("", "", "this program is linked with a static C library, which wherry did not see when it built it: "
				"say -ldflags='-extldflags=-static', or set CGO_LDFLAGS=-static");
		asked = 1;
		const slot_name *name = &_wherry_slot_names[s - _wherry_slots];
		void *real = found(name);
		__atomic_add_fetch(&_wherry_slots_state.storing, 1, __ATOMIC_SEQ_CST);
		if (!__atomic_load_n(&_wherry_slots_state.closed, __ATOMIC_SEQ_CST))
			__atomic_store_n(s, real, __ATOMIC_RELAXED);
		__atomic_sub_fetch(&_wherry_slots_state.storing, 1, __ATOMIC_SEQ_CST);
		if (*s == NULL)
			no_function("the C library at hand has no function ", name->name, ": it is older than the one that the program was built with");
	}
	return *s;
}

// close_slots fills them and makes them read-only, where the system's pages are not larger than
// theirs and no filter of system calls refuses.
static void close_slots(void) {
	_wherry_real(&_wherry_slots[0]); // the program is not static, or this was its end
	int all = 1;
	for (size_t i = 0; _wherry_slot_names[i].name != NULL; i++)
		if (_wherry_slots[i] == NULL) {
			void *real = found(&_wherry_slot_names[i]);
			all &= real != NULL;
			__atomic_store_n(&_wherry_slots[i], real, __ATOMIC_RELAXED);
		}
	if (!all)
		dlerror(); // or C would read there what it did not ask for
	__atomic_store_n(&_wherry_slots_state.closed, 1, __ATOMIC_SEQ_CST);
	while (__atomic_load_n(&_wherry_slots_state.storing, __ATOMIC_SEQ_CST) != 0)
		sched_yield();
	size_t page = getauxval(AT_PAGESZ);
	if (page != 0 && ((size_t)_wherry_slots | _wherry_slots_size) % page == 0)
		mprotect(_wherry_slots, _wherry_slots_size, PROT_READ);
}

// What the functions of names.c ask of the call that C runs in.
SHARED void _wherry_waits(void) {
	int saved = errno;
	turn_now(BY_BLOCKING);
	errno = saved;
}

SHARED void _wherry_bounds_asked(void) { bounds_asked(); }
#else
static void _wherry_real(slot *s) { (void)s; }
static void close_slots(void) {}
#endif

// _wherry_block turns the call in flight. first: its C function has not begun, and
// c is that function's.
SHARED void _wherry_block(slot *s, call *c, int first) {
	int saved = errno;
	if (first) {
		if (!_wherry_urgent.off)
			through_cgo(c);
		turn_now(AT_ONCE);
	} else {
		_wherry_real(s);
		turn_now(BY_BLOCKING);
	}
	errno = saved;
}
// The signal by which Go's runtime asks a thread to stop its goroutine, SIGURG. Our
// handler stands before Go's, whoever installs another one later.

// in_system_call reports whether a thread was interrupted in a system call: before it
// is entered again, or after it was ended.
static int in_system_call(const char *pc) {
	size_t in_page = (size_t)pc & 4095;
	if (in_page < 4 || in_page > 4092)
		return 0; // what is beside it may not be there
#if defined(__x86_64__)
	return memcmp(pc - 2, "\x0f\x05", 2) == 0 || memcmp(pc, "\x0f\x05", 2) == 0; // syscall
#else
	return memcmp(pc - 4, "\x01\x00\x00\xd4", 4) == 0 || memcmp(pc, "\x01\x00\x00\xd4", 4) == 0; // svc #0
#endif
}

// The runtime sends a thread no signal as long as one that it has sent before was not
// acknowledged. Of a thread that C created Go's handler acknowledges none that comes between
// two callbacks; and what the runtime knows of one that has ended goes to the next one, also
// that a signal is under way that nobody sees. For Go code that is late preemption. A call in
// flight would not be turned: C may wait for Go for ever.

// acknowledge comes after Go's handler, which looks away also where Go code ignores the signal.
// A signal too many is sent at worst.
static void acknowledge(void) {
	char *g = _wherry_getg(), *m = g != NULL ? AT(char *, g, G_M) : NULL;
	if (m != NULL)
		AT(unsigned, m, M_SIGNALPENDING) = 0;
}

// bind_thread comes when a thread that C created calls Go for the first time.
static void bind_thread(void *g0) {
	AT(unsigned, AT(char *, g0, G_M), M_SIGNALPENDING) = 0;
	_wherry_urgent.bind(g0);
}

// may_interrupt reports whether a signal has interrupted code that may be turned: not our own
// assembly, which is to end first, nor a handler that may have interrupted that.
static int may_interrupt(const ucontext_t *u) {
	const char *pc = PC_OF(u);
	return !_wherry_thread.busy && !(pc >= __start_wherry_text && pc < __stop_wherry_text) && !in_handler(SP_OF(u), &u->uc_stack);
}

// on_urgent comes with Go's handler, which goes first: somebody wants this
// thread's goroutine to stop. Our own assembly it lets end; the runtime asks again.
static void on_urgent(int sig, siginfo_t *info, void *context) {
#if defined(__x86_64__) // where C has its alignment checked, the kernel leaves that on
	enum { AC = 1 << 18 };
	__builtin_ia32_writeeflags_u64(__builtin_ia32_readeflags_u64() & ~(unsigned long long)AC);
#endif
	int saved = errno;
	_wherry_urgent.go.sa_sigaction(sig, info, context);
	void *other = *(void *volatile *)&_wherry_urgent.other.sa_handler;
	if (other != (void *)SIG_DFL && other != (void *)SIG_IGN) // one that takes a single argument ignores the others
		((void (*)(int, siginfo_t *, void *))other)(sig, info, context);
	acknowledge();
	const ucontext_t *u = context;
	record *r;
	char *g;
	if (may_interrupt(u) && (g = in_flight(&r)) != NULL) {
		turn(g, r, BY_SIGNAL);
		call *c = _wherry_thread.turned;
		int waits = in_system_call(PC_OF(u)); // of C's own, perhaps: the signal ends that
		if (waits && r == &_wherry_thread.lent) {
			lend_was_wrong(&_wherry_thread.lending, "C waits by a system call of its own");
		} else if (waits && c != NULL) {
			c->suspicion = CONVINCED;
			suspect(c);
		}
	}
	errno = saved;
}

static void enter_turned(call *c) { __atomic_store_n(&c->target, (const void *)_wherry_turn_first, __ATOMIC_RELAXED); }

// stay_on_cgo has calls turned before they begin, since later would be too late: all but
// those that are proved to be short, or that a rule calls otherwise. Nothing makes them fast again.
static void stay_on_cgo(const char *why) {
	_wherry_urgent.off = 1;
	for (call *c = __start_wherry_calls; c < __stop_wherry_calls; c++)
		if (!(c->flags & (BY_USER | ALWAYS))) // the stub of a short one does not say which call it is
			enter_turned(c);
	for (call *c = __atomic_load_n(&_wherry_bound, __ATOMIC_ACQUIRE); c != NULL; c = c->next)
		enter_turned(c);
	says("calls go through cgo", why, NULL);
	const char *verbose = secure_getenv("WHERRY_VERBOSE");
	if (verbose != NULL && strcmp(verbose, "0") != 0)
		fprintf(stderr, "wherry: calls go through cgo: %s\n", why);
}

// switch_off has everything go the way that cgo goes, also what is proved to be short and
// what a rule calls otherwise. Calls in flight end as they began.
static void switch_off(const char *why) {
	stay_on_cgo(why);
	for (call *c = __start_wherry_calls; c < __stop_wherry_calls; c++)
		if (c->off != NULL)
			__atomic_store_n(&c->target, c->off, __ATOMIC_RELAXED);
}

// is_switched_off reports whether WHERRY=off is in the environment.
static int is_switched_off(void) {
	const char *text = secure_getenv("WHERRY");
	if (text == NULL || strcmp(text, "") == 0 || strcmp(text, "on") == 0)
		return 0;
	if (strcmp(text, "off") != 0)
		fprintf(stderr, "wherry: WHERRY=%.40s: want off or on; this program goes on without it\n", text);
	return strcmp(text, "off") == 0;
}

#if PLAIN
static void watch_tracebacks(void) {}
#else
// What runtime.SetCgoTraceback calls, a variable of the runtime's.
extern void (*_wherry_set_traceback)(void *functions) HIDDEN;
static void (*set_traceback)(void *functions);

static void sets_traceback(void *functions) {
	switch_off("runtime.SetCgoTraceback was called");
	set_traceback(functions);
}

// watch_tracebacks: functions that show C's frames in profiles, crashes and callbacks are
// asked by the runtime for calls of cgo's alone.
static void watch_tracebacks(void) {
	if (_wherry_set_traceback == NULL)
		return;
	set_traceback = _wherry_set_traceback;
	_wherry_set_traceback = sets_traceback;
}
#endif

// go_deaf: the signal does not come to wherry.
static void go_deaf(const char *why) {
	_wherry_urgent.deaf = 1;
	stay_on_cgo(why);
}

static const char unseen[] = "a library is opened by RTLD_DEEPBIND or dlmopen, and its waits would end with EINTR";

#if PLAIN // set before the start
SHARED void (**_wherry_bindm)(void *);
SHARED int _wherry_preemption_is_off;
static int preemption_is_off(void) { return _wherry_preemption_is_off; }
#else
extern void (*_wherry_cgo_bindm)(void *) HIDDEN; // _cgo_bindm
#define _wherry_bindm (&_wherry_cgo_bindm)
extern char _wherry_debug[] HIDDEN; // runtime.debug

// GODEBUG says so, or what stands for it in the program.
static int preemption_is_off(void) { return AT(volatile int, _wherry_debug, DEBUG_ASYNCPREEMPTOFF) != 0; }
#endif

// _wherry_turns reports whether calls of package direct can be turned, by a signal or before
// they begin.
SHARED int _wherry_turns(void) { return _wherry_urgent.started; }

#if INTERPOSES
#define REAL_SIGACTION ((int (*)(int, const struct sigaction *, struct sigaction *))_wherry_real(&_wherry_slots[0]))

#if !LENDS
typedef void (*handler)(int);
static handler before_handler(int sig, handler f) { return (void)sig, f; }
static handler handler_of(handler f) { return f; }
#endif

// _wherry_installs reports whether wherry's handler of a signal stays before all that C installs;
// where not, it says what to install for *f.
SHARED int _wherry_installs(int sig, handler *f) {
	*f = before_handler(sig, *f);
	return sig == SIGURG && _wherry_urgent.started && !_wherry_urgent.deaf;
}

// _wherry_installed returns what C sees of a handler that was installed.
SHARED handler _wherry_installed(handler f) { return handler_of(f); }

// _wherry_sigaction is the program's sigaction. What C installs for SIGURG comes after Go's
// handler, and finds what it has installed. Go's runtime installs handlers by way of this too.
SHARED int _wherry_sigaction(int sig, const struct sigaction *act, struct sigaction *old) {
	struct sigaction was = _wherry_urgent.other, go = _wherry_urgent.go, ours;
	if (act != NULL) {
		ours = *act;
		ours.sa_handler = before_handler(sig, act->sa_handler);
	}
	if (sig != SIGURG || !_wherry_urgent.started || _wherry_urgent.deaf) {
		int result = REAL_SIGACTION(sig, act != NULL ? &ours : NULL, old);
		if (result == 0 && old != NULL)
			old->sa_handler = handler_of(old->sa_handler);
		return result;
	}
	if (act != NULL && act->sa_sigaction == go.sa_sigaction)
		memset(&_wherry_urgent.other, 0, sizeof go);
	else if (act != NULL) {
		_wherry_urgent.other = *act;
		_wherry_urgent.other.sa_flags |= go.sa_flags & 0x4000000; // SA_RESTORER, which headers do not name and C is shown too
	}
	if (old != NULL)
		*old = was.sa_handler == SIG_DFL ? go : was;
	return 0;
}

// _wherry_gives_up_urgent: C is about to say what becomes of SIGURG in a way that cannot be had
// beside our handler. So it finds what it believes to be there, and wherry does without.
SHARED void _wherry_gives_up_urgent(void) {
	if (!_wherry_urgent.started || _wherry_urgent.deaf)
		return;
	struct sigaction seen = _wherry_urgent.other.sa_handler == SIG_DFL ? _wherry_urgent.go : _wherry_urgent.other;
	int saved = errno;
	turn_now(BY_BLOCKING);
	go_deaf("C has sigset, sigignore, sysv_signal or siginterrupt change SIGURG");
	REAL_SIGACTION(SIGURG, &seen, NULL);
	errno = saved;
}

// _wherry_is_unseen: a library is opened that finds the C library before the program.
SHARED void _wherry_is_unseen(void) {
	_wherry_urgent.unseen = 1;
	if (_wherry_urgent.started && !_wherry_urgent.off)
		stay_on_cgo(unseen);
}

// _wherry_keeps_urgent reports whether SIGURG is to be left out of a change of the thread's mask.
// A call that is turned needs no signal, so C may block SIGURG until its end, and wait for it.
// After a call through cgo wherry could not unblock it, and nobody could ask for the thread.
SHARED int _wherry_keeps_urgent(int how, const sigset_t *set) {
	if (_wherry_urgent.off)
		return 0;
	thread *t = &_wherry_thread;
	int named = sigismember(set, SIGURG) == 1, saved = errno, keeps = 0;
	if (how == SIG_UNBLOCK || !named) {
		if (t->masked && (named || how == SIG_SETMASK))
			t->masked = 0;
	} else if (!lends_no_more() && in_c()) {
		if (turn_now(BY_BLOCKING) || t->turned != NULL)
			t->masked = 1;
		else
			keeps = 1;
	}
	errno = saved;
	return keeps;
}
#else
#define REAL_SIGACTION sigaction
#endif

// look_after_handler notices, now and then, that another handler of SIGURG was
// installed in a way that does not come by our sigaction: by a host program, or by the
// system call.
static void look_after_handler(void) {
	struct sigaction now;
	if (++_wherry_thread.looked % 64 != 1 || _wherry_urgent.deaf || !_wherry_urgent.started)
		return;
	if (REAL_SIGACTION(SIGURG, NULL, &now) == 0 && now.sa_sigaction != on_urgent)
		go_deaf("another handler of SIGURG has taken the place of wherry's");
}

// Where errno is from the thread pointer, for the twins of internal/build/accel. The C
// library has it in each thread's static storage, so that is the same in all.
SHARED long _wherry_errno_place;

static char *thread_pointer(void) {
	char *pointer;
#if defined(__x86_64__)
	__asm__("mov {%%fs:0, %0|%0, QWORD PTR fs:0}" : "=r"(pointer));
#else
	__asm__("mrs %0, tpidr_el0" : "=r"(pointer));
#endif
	return pointer;
}

// check_setg sees whether the thread's g is where _wherry_setg puts it. A handler that came
// meanwhile would find none.
static void check_setg(void) {
	unsigned long all = ~0ul, before; // as the kernel has them
	char *g = _wherry_getg();
	syscall(SYS_rt_sigprocmask, SIG_SETMASK, &all, &before, sizeof all);
	_wherry_setg(NULL);
	char *none = _wherry_getg();
	_wherry_setg(g);
	if (none != NULL || _wherry_getg() != g)
		bug("wherry: BUG: runtime.load_g does not show where Go keeps g\n");
	syscall(SYS_rt_sigprocmask, SIG_SETMASK, &before, NULL, sizeof before);
}

// can_ask reports whether the runtime's signals come: a filter of system calls may refuse to send
// them, and the runtime does not look.
static int can_ask(void) {
	return syscall(SYS_tgkill, syscall(SYS_getpid), syscall(SYS_gettid), 0) == 0;
}

// _wherry_start runs when the runtime has installed its handler, before the first
// package that calls C is initialized.
SHARED void _wherry_start(void) {
	while (__atomic_exchange_n(&_wherry_urgent.lock, 1, __ATOMIC_ACQUIRE))
		sched_yield();
	if (!_wherry_urgent.started) {
		int saved = errno;
		_wherry_urgent.started = 1;
		_wherry_thread.busy++; // nothing turns this call, in which there is no handler at first
		check_setg();
		watch_tracebacks();
		_wherry_errno_place = (char *)&errno - thread_pointer();
		if (*_wherry_bindm != NULL) {
			_wherry_urgent.bind = *_wherry_bindm;
			*_wherry_bindm = bind_thread;
		}
#if LENDS // before C can save a handler and put it back
		stand_before(FAULTS);
#endif
		if (is_switched_off()) {
			_wherry_urgent.deaf = 1;
			switch_off("WHERRY=off");
		} else if (preemption_is_off()) {
			go_deaf("GODEBUG=asyncpreemptoff=1: Go's runtime sends no signals");
		} else if (!can_ask()) {
			go_deaf("Go's runtime may not send signals to its threads");
		} else if (REAL_SIGACTION(SIGURG, NULL, &_wherry_urgent.go) != 0 || !(_wherry_urgent.go.sa_flags & SA_SIGINFO)) {
			go_deaf("Go's handler of SIGURG is not there");
		} else {
			struct sigaction ours = _wherry_urgent.go;
			ours.sa_sigaction = on_urgent;
			ours.sa_flags |= SA_ONSTACK | SA_RESTART;
			sigfillset(&ours.sa_mask); // while Go code runs in it, no other signal may come
			REAL_SIGACTION(SIGURG, &ours, NULL);
#if LENDS
			for (int sig = 1; _wherry_urgent.early && sig < NSIG; sig++) // what a constructor has installed, and Go has left
				if (REAL_SIGACTION(sig, NULL, &ours) == 0 && before_handler(sig, ours.sa_handler) != ours.sa_handler)
					_wherry_sigaction(sig, &ours, NULL);
#endif
			if (_wherry_urgent.unseen)
				stay_on_cgo(unseen);
		}
		close_slots();
		_wherry_thread.busy--;
		errno = saved;
	}
	__atomic_store_n(&_wherry_urgent.lock, 0, __ATOMIC_RELEASE);
}
_Static_assert(offsetof(record, go_sp) == 0, "REC_GOSP");
_Static_assert(offsetof(record, go_fp) == 8, "REC_GOFP");
_Static_assert(offsetof(record, go_lr) == 16, "REC_GOLR");
_Static_assert(offsetof(record, g) == 24, "REC_G");
_Static_assert(offsetof(record, c_sp) == 32, "REC_CSP");
_Static_assert(offsetof(record, deeper) == 40, "REC_DEEPER");
_Static_assert(offsetof(record, outer) == 48, "REC_OUTER");
_Static_assert(offsetof(record, system) == 56, "REC_SYSTEM");
_Static_assert(offsetof(record, go_on) == 72, "REC_CONTINUE");
_Static_assert(offsetof(record, order) == 80, "REC_ORDER");
_Static_assert(offsetof(record, call) == 88, "REC_CALL");
_Static_assert(offsetof(record, surplus) == 96, "REC_SURPLUS");
_Static_assert(offsetof(record, from) == 104, "REC_FROM");
_Static_assert(offsetof(record, span) == 112, "REC_SPAN");
_Static_assert(sizeof(record) == 128, "REC_SIZE");
_Static_assert(offsetof(thread, active) == 0, "THREAD_ACTIVE");
_Static_assert(offsetof(thread, handler_sp) == 32, "THREAD_HANDLER");
_Static_assert(offsetof(thread, lent) == 256, "THREAD_LENT");
_Static_assert(offsetof(thread, lent_sp) == 384, "THREAD_LENTSP");
_Static_assert(offsetof(call, target) == 8, "CALL_TARGET");
_Static_assert(offsetof(call, twin) == 16, "CALL_TWIN");
_Static_assert(offsetof(call, order) == 44, "CALL_ORDER");
_Static_assert(offsetof(call, turns) == 48, "CALL_TURNS");
_Static_assert(offsetof(call, by_cgo) == 56, "CALL_BYCGO");
_Static_assert(offsetof(call, patience) == 76, "CALL_PATIENCE");
_Static_assert(offsetof(call, waited) == 80, "CALL_WAITED");
_Static_assert(offsetof(call, off) == 112, "CALL_OFF");
_Static_assert(sizeof(call) == 128, "CALL_SIZE");
