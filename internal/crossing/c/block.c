//go:build ignore

// Functions of the C library that may block. The program defines each of them
// itself (names.c): what stands there turns the call in flight and goes on to the C
// library's own. A thread that C does not run on in a call in flight goes there at once.

typedef void *real_function; // where the C library has it: the assembly reads that

#if INTERPOSES
#include <elf.h>
#include <sys/auxv.h>

// The tables are in names.c. The reals fill pages of their own.
typedef struct {
	const char *name, *version;
} real_name;
extern real_function _wherry_reals[] HIDDEN;
extern const real_name _wherry_real_names[] HIDDEN;
extern const size_t _wherry_reals_size HIDDEN;

// They are filled when they are first needed, and at the start all that are left: then they
// are read-only.
SHARED struct {
	int storing; // threads
	int closed;
} _wherry_reals_state;

static __attribute__((noreturn)) void no_function(const char *why, const char *name, const char *what) {
	char text[512];
	int n = snprintf(text, sizeof text, "wherry: %s%s%s\n", why, name, what);
	if (n > 0)
		write_error(text, (size_t)n);
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
static void *found(const real_name *s) {
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
SHARED void *_wherry_real(real_function *s) {
	if (*s == NULL) {
		static int asked;
		if (!asked && is_static())
			no_function("", "", "this program is linked with a static C library, which wherry did not see when it built it: "
				"say -ldflags='-extldflags=-static', or set CGO_LDFLAGS=-static");
		asked = 1;
		const real_name *name = &_wherry_real_names[s - _wherry_reals];
		void *real = found(name);
		__atomic_add_fetch(&_wherry_reals_state.storing, 1, __ATOMIC_SEQ_CST);
		if (!__atomic_load_n(&_wherry_reals_state.closed, __ATOMIC_SEQ_CST))
			__atomic_store_n(s, real, __ATOMIC_RELAXED);
		__atomic_sub_fetch(&_wherry_reals_state.storing, 1, __ATOMIC_SEQ_CST);
		if (*s == NULL)
			no_function("the C library at hand has no function ", name->name, ": it is older than the one that the program was built with");
	}
	return *s;
}

// close_reals fills them and makes them read-only, where the system's pages are not larger than
// theirs and no filter of system calls refuses.
static void close_reals(void) {
	_wherry_real(&_wherry_reals[0]); // the program is not static, or this was its end
	int all = 1;
	for (size_t i = 0; _wherry_real_names[i].name != NULL; i++)
		if (_wherry_reals[i] == NULL) {
			void *real = found(&_wherry_real_names[i]);
			all &= real != NULL;
			__atomic_store_n(&_wherry_reals[i], real, __ATOMIC_RELAXED);
		}
	if (!all)
		dlerror(); // or C would read there what it did not ask for
	__atomic_store_n(&_wherry_reals_state.closed, 1, __ATOMIC_SEQ_CST);
	while (__atomic_load_n(&_wherry_reals_state.storing, __ATOMIC_SEQ_CST) != 0)
		sched_yield();
	size_t page = getauxval(AT_PAGESZ);
	if (page != 0 && ((size_t)_wherry_reals | _wherry_reals_size) % page == 0)
		ask_kernel(SYS_mprotect, (long)_wherry_reals, (long)_wherry_reals_size, PROT_READ, 0, 0, 0);
}

// What the functions of names.c ask of the call that C runs in.
SHARED void _wherry_waits(void) {
	int saved = errno;
	turn_now(BY_BLOCKING);
	errno = saved;
}

SHARED void _wherry_bounds_asked(void) {
	if (!_wherry_bounds && in_c())
		leave_stacks(BY_USER);
}
#else
static void _wherry_real(real_function *s) { (void)s; }
static void close_reals(void) {}
#endif

// _wherry_block turns the call in flight. first: its C function has not begun, and
// c is that function's.
SHARED void _wherry_block(real_function *s, call *c, int first) {
	int saved = errno;
	if (first) {
		if (!_wherry_urgent.off)
			count_waiting(c);
		turn_now(AT_ONCE);
	} else {
		_wherry_real(s);
		turn_now(BY_BLOCKING);
	}
	errno = saved;
}
