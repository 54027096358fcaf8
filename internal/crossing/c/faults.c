//go:build ignore

// Faults in C. Go's own handler takes what comes while a goroutine runs for a fault of Go's, and
// makes a panic of it, on the wrong stack. So ours comes first, and turns the call: what follows is
// what follows a fault in a call of cgo's.

#include <setjmp.h>

enum { PANICS = 3, FAULTS = 6 }; // Go makes panics of the first three
static const int faults[FAULTS] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP, SIGABRT};
SHARED struct sigaction _wherry_before_faults[FAULTS]; // the handlers that come after ours

static void look_like_cgo(int sig, const ucontext_t *u, disguise *l), stop_looking_like_cgo(const disguise *l);
static int room_to_walk(const stack_t *s);

// UNLESS_FAULT does what may meet a fault, and ends it then. Faults have to come meanwhile: C can
// have blocked them, but then nobody can help.
#define UNLESS_FAULT(does) \
	do { \
		jmp_buf back; \
		void *volatile outer = _wherry_thread.attempt; /* a sample may interrupt who writes a profile */ \
		if (_setjmp(back) == 0) { \
			_wherry_thread.attempt = &back; \
			does; \
		} \
		_wherry_thread.attempt = outer; \
	} while (0)

// end_attempt is of a fault meanwhile: the kernel says so, not kill.
static void end_attempt(const siginfo_t *info, const ucontext_t *u) {
	if (_wherry_thread.attempt == NULL || info->si_code <= 0)
		return;
	change_mask(SIG_SETMASK, (const unsigned long *)&u->uc_sigmask, NULL);
	_longjmp(*(jmp_buf *)_wherry_thread.attempt, 1);
}

// check_no_alignment is for handlers: where C has its alignment checked, the kernel leaves that on.
static void check_no_alignment(void) {
#if defined(__x86_64__)
	enum { TF = 1 << 8, AC = 1 << 18 };
	unsigned long long flags = __builtin_ia32_readeflags_u64();
	if (flags & AC) // else nothing is written: a debugger's step, TF, is not the program's
		__builtin_ia32_writeeflags_u64(flags & ~(unsigned long long)(AC | TF));
#endif
}

// say_overflow says which C stack a fault is beside, and reports whether it could.
static __attribute__((noinline)) int say_overflow(record *r, const char *at) {
	int below = at >= r->low - GUARD && at < r->low;
	if (!below && !(at >= (const char *)(r + 1) && at < (const char *)(r + 1) + GUARD))
		return 1;
	char text[512];
	int n = snprintf(text, sizeof text, "wherry: C stack %s in the call of %s: it has %zu bytes; "
		"set WHERRY_CSTACK_SIZE to more, %s\n", below ? "overflow" : "underflow", name_of(r), size_of(r),
		r->call != NULL && r->call->flags & OWN_STACK ? "or use direct.Bind" : "say reentrant=SIZE in the policy, or fast");
	return n <= 0 || write_error(text, (size_t)n);
}

// turn_for_fault turns the call in flight whose C has met a fault. Where it cannot, Go's handler is
// told that the fault is fatal: the runtime stores 0 and 1 in g.throwsplit, and looks at the lowest
// bit. So in a handler of C's that has interrupted that C, where a handler's stack has too little
// room, or where C has overwritten what turning needs: its faults come then, for UNLESS_FAULT.
static void turn_for_fault(const siginfo_t *info, const ucontext_t *u) {
	enum { FATAL = 5, ROOM = 256 };
	record *r;
	char *g = in_flight(&r), *here = __builtin_frame_address(0);
	if (is_of_goroutine(g, SP_OF(u)))
		return;
	if (info->si_code != SI_USER && info->si_code != SI_TKILL) // so the runtime knows what somebody has sent
		AT(char, g, G_THROWSPLIT) = FATAL;
	if (in_handler(here, &u->uc_stack) && here - (char *)u->uc_stack.ss_sp < ROOM)
		return;
	if (info->si_code > 0)
		set_mask(~(1ul << (SIGSEGV - 1) | 1ul << (SIGBUS - 1)));
	turn_for_handler(u);
}

static __attribute__((noinline)) void turn_unless_fault(const siginfo_t *info, const ucontext_t *u) {
	record *r;
	if (in_flight(&r) == NULL)
		return;
	int saved = errno;
	unsigned long mask = set_mask(~0ul); // a handler of C's may be next, with its own
	UNLESS_FAULT(turn_for_fault(info, u));
	set_mask(mask);
	errno = saved;
}

static void hand_on(int sig, siginfo_t *info, void *context) {
	int i = 0;
	while (faults[i] != sig)
		i++;
	struct sigaction *old = &_wherry_before_faults[i];
	if (old->sa_flags & SA_SIGINFO)
		old->sa_sigaction(sig, info, context);
	else if (old->sa_handler != SIG_DFL && old->sa_handler != SIG_IGN)
		old->sa_handler(sig);
	else
		sigaction(sig, old, NULL); // the fault comes again and is final
}

static __attribute__((noinline)) void hand_on_walked(int sig, siginfo_t *info, void *context) {
	disguise l;
	look_like_cgo(sig, context, &l);
	hand_on(sig, info, context);
	stop_looking_like_cgo(&l);
}

// on_fault comes before Go's own handler. It takes as little of the stack as it can: a handler's may
// be just enough for Go's.
static void on_fault(int sig, siginfo_t *info, void *context) {
	check_no_alignment();
	end_attempt(info, context);
	record *r = _wherry_thread.active;
	int held = r == &_wherry_thread.held;
	if (sig == SIGSEGV && r->c_sp == NULL && info->si_code > 0 && !held && !say_overflow(r, info->si_addr))
		return; // and fault again, with nobody listening
	turn_unless_fault(info, context);
	if (held)
		fault_of_c_thread(context);
	if (held || !room_to_walk(&((ucontext_t *)context)->uc_stack))
		hand_on(sig, info, context);
	else
		hand_on_walked(sig, info, context);
}

#if HOLDS
// stands_before_fault reports whether on_fault is to stand before Go's handler, which Go installs anew, and
// has that come after it.
static int stands_before_fault(int sig) {
	for (int i = 0; i < FAULTS; i++)
		if (faults[i] == sig) {
			_wherry_before_faults[i].sa_sigaction = _wherry_urgent.go.sa_sigaction;
			_wherry_before_faults[i].sa_flags |= SA_SIGINFO;
			return 1;
		}
	return 0;
}
#endif

// stand_before_faults puts on_fault before handlers, and has signals blocked in it as each wants
// them: it may leave by longjmp. Other threads may fault as soon as on_fault is there. In a library
// of Go's what is no panic may be the host's: go is Go's handler.
static void stand_before_faults(const void *go) {
	for (int i = 0; i < FAULTS; i++) {
		struct sigaction *old = &_wherry_before_faults[i];
		if (sigaction(faults[i], NULL, old) != 0 || (i >= PANICS && (void *)old->sa_sigaction != go))
			continue;
		struct sigaction ours = *old;
		ours.sa_sigaction = on_fault;
		ours.sa_flags |= SA_SIGINFO | SA_ONSTACK;
		sigaction(faults[i], &ours, NULL);
	}
}
