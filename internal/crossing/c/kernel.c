//go:build ignore

// System calls, and the clock. Many names of the C library's functions are a program's own to define: its close may
// be about doors, and its clock_gettime may lock what the interrupted code has locked. What C's
// standard does not reserve, nor Go's runtime/cgo calls itself, is not called by wherry's code where
// it need not be.

// ask_kernel returns what the kernel does: an error's number is negative, and errno stays.
static INLINE long ask_kernel(long number, long a, long b, long c, long d, long e, long f) {
#if defined(__x86_64__)
	long result;
	register long r10 __asm__("r10") = d, r8 __asm__("r8") = e, r9 __asm__("r9") = f;
	__asm__ volatile("syscall" : "=a"(result) : "0"(number), "D"(a), "S"(b), "d"(c), "r"(r10), "r"(r8), "r"(r9) : "rcx", "r11", "memory");
	return result;
#else
	register long x8 __asm__("x8") = number, x0 __asm__("x0") = a, x1 __asm__("x1") = b, x2 __asm__("x2") = c, x3 __asm__("x3") = d,
		x4 __asm__("x4") = e, x5 __asm__("x5") = f;
	__asm__ volatile("svc #0" : "+r"(x0) : "r"(x8), "r"(x1), "r"(x2), "r"(x3), "r"(x4), "r"(x5) : "memory");
	return x0;
#endif
}

// write_error reports whether a message could be written.
static int write_error(const char *text, size_t n) { return ask_kernel(SYS_write, 2, (long)text, (long)n, 0, 0, 0) >= 0; }

// Sets of signals are words of 64, of which SIGRTMAX is the last.
static inline int has_signal(const sigset_t *set, int sig) { return *(const unsigned long *)set >> (sig - 1) & 1; }
static inline void remove_signal(sigset_t *set, int sig) { *(unsigned long *)set &= ~(1ul << (sig - 1)); }

// change_mask is rt_sigprocmask as the kernel has it: no function of the C library, which would
// turn, and no errno.
static long change_mask(long how, const unsigned long *in, unsigned long *out) {
	return ask_kernel(SYS_rt_sigprocmask, how, (long)in, (long)out, sizeof *in, 0, 0);
}

// set_mask says which signals are blocked, and returns those that were.
static unsigned long set_mask(unsigned long set) {
	change_mask(SIG_SETMASK, &set, &set);
	return set;
}

// What Go's runtime calls, in a program that wherry has built: clock_gettime may be the program's own.
extern int (*_wherry_read_clock)(clockid_t, struct timespec *) __attribute__((weak, visibility("hidden")));

// now is a time in nanoseconds, by the clock that Go's runtime reads too: reading it is no
// system call. That of a thread's processor time would be one.
static long now(void) {
	struct timespec t;
	if (&_wherry_read_clock == NULL || _wherry_read_clock == NULL || _wherry_read_clock(CLOCK_MONOTONIC, &t) != 0)
		clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec * 1000000000L + t.tv_nsec;
}

// is_limited reports whether the process may not have what it wants of a resource.
static int is_limited(long what) {
	struct rlimit limit;
	return ask_kernel(SYS_prlimit64, 0, what, 0, (long)&limit, 0, 0) == 0 && limit.rlim_cur != RLIM_INFINITY;
}

// map_stack maps a stack between two guards of a size each, and returns its low end, or NULL. Not by
// mprotect, which a filter may refuse that lets mmap through.
static char *map_stack(size_t size, size_t guard) {
	int flags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_STACK;
	char *low = mmap(NULL, size + 2 * guard, PROT_NONE, flags, -1, 0);
	if (low == MAP_FAILED)
		return NULL;
	if (mmap(low + guard, size, PROT_READ | PROT_WRITE, flags | MAP_FIXED, -1, 0) == MAP_FAILED) {
		int error = errno;
		munmap(low, size + 2 * guard);
		errno = error;
		return NULL;
	}
	return low + guard;
}
