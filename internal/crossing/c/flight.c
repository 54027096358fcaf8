//go:build ignore

// Where C runs: the call in flight on this thread, not turned yet, and what is not that call though it
// looks like it: handlers, other processes that have the thread's memory, and Go.

#define AT(type, base, offset) (*(type *)((char *)(base) + (offset)))

extern char *_wherry_getg(void) HIDDEN;
extern void _wherry_setg(char *g) HIDDEN;
extern void _wherry_unturn(void) HIDDEN;
extern const char __start_wherry_text[] HIDDEN, __stop_wherry_text[] HIDDEN;

#if defined(__x86_64__)
#define PC_OF(u) ((const char *)(u)->uc_mcontext.gregs[REG_RIP])
#define SP_OF(u) ((const char *)(u)->uc_mcontext.gregs[REG_RSP])
#else
#define PC_OF(u) ((const char *)(u)->uc_mcontext.pc)
#define SP_OF(u) ((const char *)(u)->uc_mcontext.sp)
#endif

static int is_ours(size_t pc) { return pc >= (size_t)__start_wherry_text && pc < (size_t)__stop_wherry_text; }

#if defined(__x86_64__)
// called_by returns the call whose stub a Go function has called, by a call instruction with the distance.
// Package direct's are called by a register: the last bytes of that are no distance to our text.
static call *called_by(const char *returns) {
	call *found = NULL;
	int distance;
	memcpy(&distance, returns - 4, 4);
	const char *stub = returns + distance;
	if (returns[-5] == '\xe8' && is_ours((size_t)stub))
		for (call *c = __start_wherry_calls; c < __stop_wherry_calls; c++)
			if (c->returns > stub && (found == NULL || c->returns < found->returns))
				found = c;
	return found;
}
#endif

// call_of finds the call in flight on a system stack: package direct's is in the two words at its end.
// Sections of one object follow each other in the order of its calls, and so do objects.
//
// A function in assembly that C has come to by a jump may have another word in the place of the stub's
// return address, until it returns: purego's have. Then the caller shows which call it is.
static call *call_of(const char *m) {
	char **word = (char **)(AT(size_t, AT(char *, m, M_G0), G_SCHED_SP) & ~(size_t)15) - 1;
#if defined(__x86_64__)
	if (!is_ours((size_t)*word)) {
		call *c = called_by(*AT(const char **, m, M_VDSOSP));
		return c != NULL || word[0] != word[-1] ? c : (call *)*word;
	}
	call *low = __start_wherry_calls, *high = __stop_wherry_calls;
	while (low < high) {
		call *middle = low + (high - low) / 2;
		if (middle->returns < *word)
			low = middle + 1;
		else
			high = middle;
	}
	if (low < __stop_wherry_calls && low->returns == *word)
		return low;
	for (call *c = __start_wherry_calls; c < __stop_wherry_calls; c++)
		if (c->returns == *word)
			return c;
	return NULL;
#else
	return *(call **)word;
#endif
}

// is_marked reports whether m.vdsoSP and m.vdsoPC are a call's in flight. A vDSO call of Go's has
// an address of Go code there.
static int is_marked(const char *m) {
	size_t pc = AT(volatile size_t, m, M_VDSOPC);
#if defined(__x86_64__)
	return AT(volatile size_t, m, M_VDSOSP) != 0 && pc == 0;
#else
	return AT(volatile size_t, m, M_VDSOSP) != 0 && (pc & 3) == 4 - TAG;
#endif
}

// in_flight returns the goroutine whose call C runs in on this thread, not turned
// yet, and the record of its C stack, if it has one.
static char *in_flight(record **r) {
	*r = _wherry_thread.active;
	if ((*r)->c_sp == NULL)
		return (*r)->g;
	*r = NULL;
	char *g = _wherry_getg(), *m = g != NULL ? AT(char *, g, G_M) : NULL;
	return m != NULL && g == AT(char *, m, M_CURG) && is_marked(m) ? g : NULL;
}

// is_of_goroutine reports whether an address is on a goroutine's own stack, where C does not run in a
// call in flight. A vDSO call of Go's looks like one for an instruction.
static int is_of_goroutine(const char *g, const char *sp) { return sp >= AT(char *, g, G_STACK_LO) && sp < AT(char *, g, G_STACK_HI); }

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

// in_handler reports whether an address is on the stack of signal handlers, so that a
// handler of C's runs there. It may have interrupted anything, also our assembly.
static int in_handler(const char *sp, const stack_t *stack) {
	return !(stack->ss_flags & SS_DISABLE) && sp >= (char *)stack->ss_sp && sp < (char *)stack->ss_sp + stack->ss_size;
}

// is_this_thread reports whether the thread's data is its own, and not that of the one which
// has started this process by clone with CLONE_VM. The number of a thread's clock is
// made of what the C library has noted (~id << 3 | bits, as Linux has it); the functions that ask
// the kernel are interposed.
static int is_this_thread(void) {
	clockid_t clock;
	return pthread_getcpuclockid(pthread_self(), &clock) == 0 && ~(clock >> 3) == ask_kernel(SYS_gettid, 0, 0, 0, 0, 0, 0);
}

// may_turn reports whether C runs in the call in flight, not a handler above it or another process.
static int may_turn(char *g, record *r) {
	const char *here = __builtin_frame_address(0);
	char *g0 = AT(char *, AT(char *, g, G_M), M_G0);
	if (is_of_goroutine(g, here))
		return 0;
	if (r != NULL && r != &_wherry_thread.held ? here > r->low && here < (char *)r : here > AT(char *, g0, G_STACK_LO) &&
		here <= AT(char *, g0, G_STACK_HI))
		return 1;
	stack_t stack;
	return is_this_thread() && sigaltstack(NULL, &stack) == 0 && !in_handler(here, &stack);
}
