//go:build ignore

// Faults in C. Go's own handler takes what comes while a goroutine runs for a fault of
// Go's, and makes a panic of it. Ours comes first and says whose it is.

static const int faults[FAULTS] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP, SIGABRT};

// What g.throwsplit holds after a fault in C: not a call in flight, not the runtime's own 1,
// and true to the runtime, which looks at the lowest bit alone on arm64.
enum { FATAL = 5 };

static void fault_of_c_thread(int sig, const siginfo_t *info, const ucontext_t *u);
static void look_like_cgo(int sig, const ucontext_t *u, disguise *l), stop_looking_like_cgo(const disguise *l),
	end_walk(const siginfo_t *info, const ucontext_t *u);

// is_handed_on reports whether Go hands on a fault in C: C had a handler before Go came.
static int is_handed_on(int sig) {
#if BY_GO_BUILD // nobody shows where
	return (void)sig, 0;
#else
	extern void *_wherry_fwd_sig[] HIDDEN; // runtime.fwdSig
	return (size_t)_wherry_fwd_sig[sig] > (size_t)SIG_IGN;
#endif
}

static char *turn_for_handler(const ucontext_t *u);

// check_no_alignment is for handlers: where C has its alignment checked, the kernel leaves that on.
static void check_no_alignment(void) {
#if defined(__x86_64__)
	enum { AC = 1 << 18 };
	__builtin_ia32_writeeflags_u64(__builtin_ia32_readeflags_u64() & ~(unsigned long long)AC);
#endif
}

// on_fault comes before Go's own handler. While C runs it says that the fault is
// fatal, or Go would make a panic of it, on the wrong stack; and what Go cannot
// know about it. Where a handler of C's stands between the two and makes the fault
// good, or leaves by siglongjmp, the assembly takes the word back.
static void on_fault(int sig, siginfo_t *info, void *context) {
	check_no_alignment();
	end_walk(info, context);
	if (info->si_code > 0 && is_handed_on(sig)) { // Go hands on what happens in a call of cgo's
		int saved = errno;
		turn_for_handler(context);
		errno = saved;
	}
	record *r = _wherry_thread.active;
	char *at = info->si_addr;
	int in_c = r->c_sp == NULL && info->si_code > 0; // and the kernel says so, not kill
	int held = r == &_wherry_thread.held;
	if (held)
		fault_of_c_thread(sig, info, context);
	else if (in_c)
		((char *)r->g)[G_THROWSPLIT] = FATAL;
	if (in_c && !held && sig == SIGSEGV && ((at >= r->low - GUARD && at < r->low) ||
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
	disguise l = {0};
	if (!held)
		look_like_cgo(sig, context, &l);
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
	stop_looking_like_cgo(&l);
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
