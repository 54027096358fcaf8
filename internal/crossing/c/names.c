//go:build ignore

// What the program defines of the C library: the functions that may block, each as a weak
// symbol that shared libraries find too, and those that can block SIGURG, install handlers, go
// through the libraries, or tell a stack's bounds. This is an object of its own, the last of the link: a definition
// of the program's own, or of an archive that it is linked with, comes first, as if ours
// were the C library's. internal/libc has the names; REALS are those that the C
// library of the build has.

#ifndef SHARED
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include <dlfcn.h>
#include <errno.h>
#include <link.h>
#include <pthread.h>
#include <signal.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#define HIDDEN __attribute__((visibility("hidden")))
typedef void *real_function;
typedef struct {
	char name[28], version[16];
	int before;
} real_name;
extern void *_wherry_real(real_function *s) HIDDEN;
extern void _wherry_waits(void) HIDDEN;
extern long _wherry_errno_place HIDDEN;
extern void _wherry_bounds_asked(void) HIDDEN;
extern int _wherry_sigaction(int sig, const struct sigaction *act, struct sigaction *old) HIDDEN;
typedef void (*handler)(int);
extern handler _wherry_to_install(int sig, handler f) HIDDEN;
extern handler _wherry_installed(handler f) HIDDEN;
extern int _wherry_keeps_urgent(int how, const sigset_t *set) HIDDEN;
extern void _wherry_gives_up_urgent(void) HIDDEN;
extern void _wherry_is_unseen(void) HIDDEN;
extern void _wherry_cancels(void) HIDDEN;
extern void _wherry_may_end(void) HIDDEN;
extern int _wherry_looks_at_none HIDDEN;
extern void _wherry_reads_libraries(void) HIDDEN;
extern void _wherry_has_read_libraries(void) HIDDEN;
extern int _wherry_sigaltstack(int (*real)(const stack_t *, stack_t *), const stack_t *stack, stack_t *old) HIDDEN;
#endif

static inline void *real_of(real_function *s) { return *s != NULL ? *s : _wherry_real(s); }

// Where C need not wait, a function is a few instructions and a call; the rest stands elsewhere.
// cached is NULL until the program starts: before that no call is in flight, which could be turned.
#define LIKELY(x) __builtin_expect(!!(x), 1)
static inline void *cached(real_function *s) { return __atomic_load_n(s, __ATOMIC_RELAXED); }
#define WAITS(result, name, real, params, args) \
	static __attribute__((noinline, cold)) result waits_##name params { \
		_wherry_waits(); \
		return ((result (*) params)real_of(real)) args; \
	}

// DEFINES declares a function of a name of the C library's.
#define DEFINES(result, name, prefix, params) \
	__attribute__((weak VISIBLE)) result _wherry_##prefix##_##name params __asm__(#name); \
	result _wherry_##prefix##_##name params

// The largest pages that the system may have.
#if defined(__x86_64__)
#define PAGE_OF_REALS 4096
#else
#define PAGE_OF_REALS 65536
#endif
#define PAGES_OF(size) (((size) + PAGE_OF_REALS - 1) / PAGE_OF_REALS)

extern const real_name _wherry_real_names[] HIDDEN;
extern const size_t _wherry_reals_size HIDDEN;
extern real_function _wherry_reals[] HIDDEN;
// REFERS declares what a name of a version is to the dynamic linker, if that has one.
#define REFERS(name, version) \
	extern __attribute__((weak, visibility("default"))) char _wherry_next_##name[]; \
	__asm__(".symver _wherry_next_" #name ", " #name "@" #version);
DECLARED
const real_name _wherry_real_names[] = { REALS {"", "", 0} };
#define SIZE_OF_REALS (PAGES_OF(sizeof _wherry_real_names / sizeof(real_name) * sizeof(real_function)) * PAGE_OF_REALS)
real_function _wherry_reals[SIZE_OF_REALS / sizeof(real_function)]
	__attribute__((aligned(PAGE_OF_REALS))) = { REFERENCES NULL };
const size_t _wherry_reals_size = sizeof _wherry_reals;

__attribute__((weak VISIBLE)) int sigaction(int sig, const struct sigaction *act, struct sigaction *old) {
	return _wherry_sigaction(sig, act, old);
}

// Before dlopen and dlmopen, which have to know their caller and so are jumped to: libraries
// that do not find what is defined here.
#ifndef RTLD_DEEPBIND
#define RTLD_DEEPBIND 0
#endif
HIDDEN __attribute__((used)) void _wherry_notes_dlopen(const char *file, int flags) {
	(void)file;
	if (flags & RTLD_DEEPBIND)
		_wherry_is_unseen();
}

HIDDEN __attribute__((used)) void _wherry_notes_dlmopen(long space, const char *file, int flags) {
	if (space != 0) // LM_ID_BASE
		_wherry_is_unseen();
	_wherry_notes_dlopen(file, flags);
}

static int canceled; // a thread may have been
HIDDEN __attribute__((used)) void _wherry_notes_pthread_cancel(void) {
	__atomic_store_n(&canceled, 1, __ATOMIC_SEQ_CST);
	_wherry_cancels();
}
HIDDEN __attribute__((used)) void _wherry_notes_pthread_setcanceltype(int type) {
	if (type == PTHREAD_CANCEL_ASYNCHRONOUS)
		_wherry_may_end();
}

// Around dl_iterate_phdr, which wherry calls only where nobody else is in it.
#define READS_LIBRARIES(name, real) \
	DEFINES(int, name, reads, (int (*look)(struct dl_phdr_info *, size_t, void *), void *of)) { \
		_wherry_reads_libraries(); \
		int result = ((int (*)(int (*)(struct dl_phdr_info *, size_t, void *), void *))real_of(real))(look, of); \
		_wherry_has_read_libraries(); \
		return result; \
	}

#define TELLS_BOUNDS(name, real) \
	DEFINES(int, name, tells, (pthread_t thread, pthread_attr_t *attributes)) { \
		_wherry_bounds_asked(); \
		return ((int (*)(pthread_t, pthread_attr_t *))real_of(real))(thread, attributes); \
	}

#define MOVES_HANDLERS(name, real) \
	DEFINES(int, name, moves, (const stack_t *stack, stack_t *old)) { \
		return _wherry_sigaltstack((int (*)(const stack_t *, stack_t *))real_of(real), stack, old); \
	}

// C that a goroutine has called blocks SIGURG at most until the call ends, or nobody could
// ask for the thread.
#define MASKS(name, real) \
	DEFINES(int, name, masks, (int how, const sigset_t *set, sigset_t *old)) { \
		sigset_t without; \
		if (set != NULL && _wherry_keeps_urgent(how, set)) { \
			without = *set; \
			*(unsigned long *)&without &= ~(1ul << (SIGURG - 1)); \
			set = &without; \
		} \
		return ((int (*)(int, const sigset_t *, sigset_t *))real_of(real))(how, set, old); \
	}

// The old ones have a set of 32 bits, or one signal.
static __attribute__((unused)) sigset_t set_of(int bits) {
	sigset_t set;
	memset(&set, 0, sizeof set);
	*(unsigned long *)&set = (unsigned)bits;
	return set;
}
#define MASKS_BITS(name, real, how) \
	DEFINES(int, name, masks, (int bits)) { \
		sigset_t set = set_of(bits); \
		if (_wherry_keeps_urgent(how, &set)) \
			bits &= ~(1 << (SIGURG - 1)); \
		return ((int (*)(int))real_of(real))(bits); \
	}
#define MASKS_MORE(name, real) MASKS_BITS(name, real, SIG_BLOCK)
#define MASKS_ALL(name, real) MASKS_BITS(name, real, SIG_SETMASK)
#define MASKS_ONE(name, real) \
	DEFINES(int, name, masks, (int sig)) { \
		sigset_t set = set_of(sig == SIGURG ? 1 << (SIGURG - 1) : 0); \
		return _wherry_keeps_urgent(SIG_BLOCK, &set) ? 0 : ((int (*)(int))real_of(real))(sig); \
	}

#define INSTALLS(name, real) \
	DEFINES(handler, name, installs, (int sig, handler f)) { \
		return _wherry_installed(((handler (*)(int, handler))real_of(real))(sig, _wherry_to_install(sig, f))); \
	}

#define CHANGES(name, real) \
	DEFINES(int, name, changes, (int sig, int flag)) { \
		if (sig == SIGURG) \
			_wherry_gives_up_urgent(); \
		return ((int (*)(int, int))real_of(real))(sig, flag); \
	}

// A lock is tried first: the call is turned only when another thread has it. Where the
// C library may refuse an argument before it tries, the lock is not tried: it decides.
static inline int valid_time(long time) {
	const struct timespec *t = (const struct timespec *)time;
	return t != NULL && t->tv_sec >= 0 && t->tv_nsec >= 0 && t->tv_nsec < 1000000000;
}

static inline int valid_clock(long clock) { return (clockid_t)clock == CLOCK_REALTIME || (clockid_t)clock == CLOCK_MONOTONIC; }

// A try is not neutral where a robust mutex has become unusable: glibc's leaves the mutex locked,
// and the next lock is given it. This is the bit of the kind that says so, in each glibc.
#ifdef __GLIBC__
static inline int not_robust(void *mutex) { return (((pthread_mutex_t *)mutex)->__data.__kind & 16) == 0; }
#else // whose lock tries first, too
static inline int not_robust(void *mutex) { return (void)mutex, 1; }
#endif

// errno, without a call. _wherry_start finds its place, as it fills the reals: until it has, no
// function is tried.
static inline int errno_now(void) {
	const char *pointer;
#if defined(__x86_64__)
	__asm__("mov {%%fs:0, %0|%0, QWORD PTR fs:0}" : "=r"(pointer));
#else
	__asm__("mrs %0, tpidr_el0" : "=r"(pointer));
#endif
	return *(const int *)(pointer + _wherry_errno_place);
}

static inline int cancels(real_function *testcancel) {
	void (*tests)(void) = (void (*)(void))cached(testcancel);
	if (tests == NULL || canceled)
		return 0;
	tests();
	return 1;
}

// TAKES is a lock that is free and is locked at once, where it is the C library's: known is where it is
// once more, then. A try costs more. If another thread has it first, this one waits in flight: a signal of
// the runtime turns the call, and such a wait goes on. So none is looked at where no signal comes.
#ifdef __GLIBC__
__attribute__((unused)) static inline int free_mutex(void *lock) { return *(volatile int *)&((pthread_mutex_t *)lock)->__data.__lock == 0; }
__attribute__((unused)) static inline int free_semaphore(void *lock) { return *(volatile int *)lock > 0; } // the count, in each glibc
#define TAKES(name, is_free, known) \
	static __attribute__((noinline)) int tries_##name(void *lock); \
	DEFINES(int, name, takes, (void *lock)) { \
		int (*takes)(void *) = (int (*)(void *))cached(known); \
		return LIKELY(takes != NULL) && LIKELY(is_free(lock)) && LIKELY(!_wherry_looks_at_none) ? takes(lock) : tries_##name(lock); \
	} \
	static int tries_##name(void *lock)
#else
#define TAKES(name, is_free, known) DEFINES(int, name, tries, (void *lock))
#endif

// Of the functions that try only those set errno that return -1 for a lock that another has.
#define TRIES(definition, name, params, args, try, lock_itself, busy, may_try) \
	WAITS(int, name, lock_itself, params, args) \
	definition { \
		int (*tries)(void *); \
		if (LIKELY((tries = (int (*)(void *))cached(try)) != NULL && (busy != -1 || _wherry_errno_place != 0)) && (may_try)) { \
			int saved = busy == -1 ? errno_now() : 0, result = tries(lock); \
			if (LIKELY(result != busy)) \
				return result; \
			if (busy == -1) \
				errno = saved; \
		} \
		return waits_##name args; \
	}
