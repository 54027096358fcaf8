//go:build ignore

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
	stack_t stack;
	if (sigaltstack(NULL, &stack) != 0 || is_small(&stack)) {
		lends_not(&t->lending, "its stack for signal handlers is smaller than Go's");
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
