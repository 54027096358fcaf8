// Functions of the C library that may block. The program defines each of them
// itself, as a weak symbol that shared libraries find too: it turns the call in
// flight and goes on to the C library's own. A thread that C does not run on in a
// call in flight goes there at once. internal/crossing/blocking has the names.

#if INTERPOSES
#include <dlfcn.h>
#include <sys/syscall.h>

typedef struct slot { // the assembly reads real
	void *real;
	const char *name, *version;
} slot;
SHARED slot _wherry_slots[] = { {NULL, "sigaction", NULL}, {NULL, "pthread_getattr_np", NULL}, SLOTS };

// What stands for a function that the C library at hand does not have.
static long missing(void) {
	errno = ENOSYS;
	return -1;
}

static void *real_of(slot *s) {
	if (s->real == NULL) {
		void *real = NULL;
		real = dlsym(RTLD_NEXT, s->name);
#ifdef __GLIBC__
		// What dlsym finds in the C library may be an old version. A library that is
		// preloaded has none.
		Dl_info found, versioned;
		void *right = s->version != NULL ? dlvsym(RTLD_NEXT, s->name, s->version) : NULL;
		if (right != NULL && (real == NULL || dladdr(real, &found) == 0 || dladdr(right, &versioned) == 0 ||
			found.dli_fbase == versioned.dli_fbase))
			real = right;
#endif
		if (real == NULL && s == _wherry_slots) {
			static const char text[] = "wherry: this program is linked with a static C library, which wherry did not see "
				"when it built it: say -ldflags='-extldflags=-static', or set CGO_LDFLAGS=-static\n";
			syscall(SYS_write, 2, text, sizeof text - 1);
			syscall(SYS_exit_group, 2);
		}
		__atomic_store_n(&s->real, real != NULL ? real : (void *)missing, __ATOMIC_RELAXED);
	}
	return s->real;
}
#else
typedef struct slot { void *real; } slot;
static void real_of(slot *s) { (void)s; }
#endif

// _wherry_block turns the call in flight. first: its C function has not begun, and
// c is that function's.
SHARED void _wherry_block(slot *s, call *c, int first) {
	int saved = errno;
	if (first) {
		through_cgo(c);
		turn_now(AT_ONCE);
	} else {
		real_of(s);
		turn_now(BY_BLOCKING);
	}
	errno = saved;
}

#if INTERPOSES
__attribute__((weak VISIBLE)) int pthread_getattr_np(pthread_t thread, pthread_attr_t *attributes) {
	bounds_asked();
	return ((int (*)(pthread_t, pthread_attr_t *))real_of(&_wherry_slots[1]))(thread, attributes);
}

// A lock is tried first: the call is turned only when another thread has it. Where the
// C library may refuse an argument before it tries, the lock is not tried: it decides.
static int valid_time(long time) {
	const struct timespec *t = (const struct timespec *)time;
	return t != NULL && t->tv_sec >= 0 && t->tv_nsec >= 0 && t->tv_nsec < 1000000000;
}

static int valid_clock(long clock) { return (clockid_t)clock == CLOCK_REALTIME || (clockid_t)clock == CLOCK_MONOTONIC; }

#define TRIES(name, slot_try, slot_lock, busy, may_try) \
	__attribute__((weak VISIBLE)) int _wherry_tries_##name(void *lock, long a, long b, long c) __asm__(#name); \
	int _wherry_tries_##name(void *lock, long a, long b, long c) { \
		int saved = errno; \
		int result = (may_try) ? ((int (*)(void *))real_of(slot_try))(lock) : busy; \
		if (result == busy) { \
			turn_now(BY_BLOCKING); \
			errno = saved; \
			result = ((int (*)(void *, long, long, long))real_of(slot_lock))(lock, a, b, c); \
		} \
		return result; \
	}
#endif
