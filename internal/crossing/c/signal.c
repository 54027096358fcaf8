//go:build ignore

// The signal by which Go's runtime asks a thread to stop its goroutine, SIGURG. Our
// handler stands before Go's. Once C, or Go, has something else become of the signal, that is in the
// kernel as they say it, and wherry does without.

// in_system_call reports whether a thread was interrupted in a system call: before it
// is entered again, or after it was ended. What is beside the page may not be there.
static int in_system_call(const char *pc) {
#if defined(__x86_64__)
	static const char instruction[] = {0x0f, 0x05}; // syscall
#else
	static const char instruction[] = {0x01, 0x00, 0x00, (char)0xd4}; // svc #0
#endif
	size_t n = sizeof instruction, in_page = (size_t)pc & 4095;
	return (in_page >= n && memcmp(pc - n, instruction, n) == 0) || (in_page <= 4096 - n && memcmp(pc, instruction, n) == 0);
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
	return !_wherry_thread.busy && !is_ours((size_t)PC_OF(u)) && !in_handler(SP_OF(u), &u->uc_stack);
}

// interrupted_call is in_flight, of the call whose C a signal has interrupted where it may be turned.
static char *interrupted_call(const ucontext_t *u, record **r) {
	char *g = may_interrupt(u) ? in_flight(r) : NULL;
	return g != NULL && !is_of_goroutine(g, SP_OF(u)) ? g : NULL;
}

// on_urgent comes with Go's handler, which goes first: somebody wants this
// thread's goroutine to stop. Our own assembly it lets end; the runtime asks again.
static void on_urgent(int sig, siginfo_t *info, void *context) {
	check_no_alignment();
	int saved = errno;
	to_go(sig, info, context);
	acknowledge();
	const ucontext_t *u = context;
	record *r;
	char *g;
	if ((g = interrupted_call(u, &r)) != NULL) {
		turn(g, r, BY_SIGNAL);
		call *c = _wherry_thread.turned;
		int waits = in_system_call(PC_OF(u)); // of C's own, perhaps: the signal ends that
		if (waits && r == &_wherry_thread.held) {
			hold_was_wrong(&_wherry_thread.holding, "C waits by a system call of its own");
		} else if (waits && c != NULL) {
			c->suspicion = CONVINCED;
			suspect(c);
		}
	}
	errno = saved;
}
