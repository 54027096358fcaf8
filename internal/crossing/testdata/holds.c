// A world with a clock of its own.

#include <poll.h>
#include <setjmp.h>
long simulated; // the time, ns
int clock_gettime(clockid_t clock, struct timespec *t) {
	(void)clock;
	t->tv_sec = simulated / 1000000000, t->tv_nsec = simulated % 1000000000;
	return 0;
}

static void go_handler(int sig, siginfo_t *info, void *context) { (void)sig, (void)info, (void)context; }
static void nothing(void *unused) { (void)unused; }

// begin has this thread be one of C's that has called Go once.
static thread *begin(void) {
	thread *t = &_wherry_thread;
	char *here = __builtin_frame_address(0);
	world();
	AT(char *, world_g0, G_M) = world_m;
	AT(char *, world_g0, G_STACK_LO) = here - (1 << 20), AT(char *, world_g0, G_STACK_HI) = here + (1 << 12);
	struct sigaction go = {.sa_sigaction = go_handler, .sa_flags = SA_SIGINFO};
	sigaction(SIGURG, &go, NULL);
	static char place[32 << 10]; // the runtime has set this
	sigaltstack(&(stack_t){.ss_sp = place, .ss_size = sizeof place}, NULL);
	_wherry_start();
	simulated = 1000;
	current_g = NULL;
	_wherry_callback_frame_slow(nothing, NULL, 0);
	current_g = world_g0;
	return t;
}

// call_back makes a callback so long after the one before, and reports whether the thread held its P at
// its end.
static int call_back(thread *t, long gap) {
	simulated += gap;
	if (t->active->c_sp == NULL && !is_wanted(t->active)) return 1; // straight to Go
	_wherry_callback_frame_slow(nothing, NULL, 0);
	return t->active == &t->held;
}

// calls_until makes them until the thread holds its P, at most so many, and returns how many it took.
static long calls_until(thread *t, long gap, long most) {
	for (long n = 1; n <= most; n++)
		if (call_back(t, gap)) return n;
	return 0;
}

// ask turns the thread's call, as the runtime's signal does; block as C does.
static void ask(thread *t) { turn(t->held.g, &t->held, BY_SIGNAL); }
static void block(void) { turn_now(BY_BLOCKING); }

// What it takes for a thread to hold its P, and to hold it again.
static void rule(void) {
	thread *t = begin();
	expect("callbacks until the first hold", calls_until(t, 60, 10000), FIRST + 1);
	expect("threads that hold a P", _wherry_holding.held, 1);
	expect("roots", roots, 1);
	expect("g0.stack", AT(char *, world_g0, G_STACK_LO) == t->own_low, 1);
	simulated += 10000000; // a long hold
	ask(t);
	expect("m.ncgo of the turned call", AT(int, world_m, M_NCGO), 1);
	expect("the next callback", call_back(t, 60), 0);
	expect("roots over", roots_over, 1);
	expect("threads that hold a P at the end", _wherry_holding.held, 0);
	expect("m.ncgo", AT(int, world_m, M_NCGO), 0);
	expect("the thread's record", t->active == &t->base, 1);
	expect("g0.stack at the end", AT(char *, world_g0, G_STACK_LO) == t->own_low, 1);
	expect("callbacks until the second", calls_until(t, 60, 10000), FIRST);
	long want = FIRST;
	for (int i = 0; i < 8; i++) { // asked for at once: four times as long until the next
		simulated += RETURNED - 1000;
		ask(t);
		call_back(t, 60);
		want = want * 4 < MOST ? want * 4 : MOST;
		expect("callbacks after a hold that was asked for", calls_until(t, 60, 2 * MOST), want);
	}
	for (; want > FIRST; want /= 2) { // and half as long after one that lasted
		simulated += RETURNED;
		ask(t);
		call_back(t, 60);
		expect("callbacks after a long hold", calls_until(t, 60, 2 * MOST), want / 2);
	}
	simulated += PAID; // C blocks soon, but not too soon
	block();
	call_back(t, 60);
	expect("callbacks after a hold until C blocks", calls_until(t, 60, 10000), FIRST);
	simulated += PAID - 100;
	block();
	call_back(t, 60);
	expect("callbacks after a short one", calls_until(t, 60, 10000), 4 * FIRST);
}

// What never holds a P: few callbacks, rare ones, bursts with pauses, a single P, a thread that
// has blocked the signal or takes it on a small stack, one too many; and when signals have been given up.
static void never(void) {
	thread *t = begin();
	expect("rare callbacks", calls_until(t, NEAR + 1, 100 * FIRST), 0);
	for (int burst = 0; burst < 100; burst++) {
		simulated += 10000000;
		expect("a short burst", calls_until(t, 60, FIRST / 2), 0);
	}
	_wherry_gomaxprocs = 1;
	expect("one P", calls_until(t, 60, 100 * FIRST), 0);
	_wherry_gomaxprocs = 3;
	_wherry_holding.held = 2;
	expect("two of three P's are held", calls_until(t, 60, 100 * FIRST), 0);
	_wherry_holding.held = 1;
	expect("one of three is", calls_until(t, 60, 100 * FIRST) > 0, 1);
	ask(t);
	call_back(t, 60);
	sigset_t urgent;
	sigemptyset(&urgent), sigaddset(&urgent, SIGURG);
	pthread_sigmask(SIG_BLOCK, &urgent, NULL);
	expect("the signal is blocked", calls_until(t, 60, MOST - 1), 0);
	pthread_sigmask(SIG_UNBLOCK, &urgent, NULL);
	stack_t small = {.ss_size = 16 << 10}, was;
	small.ss_sp = malloc(small.ss_size);
	expect("sigaltstack", sigaltstack(&small, &was), 0);
	expect("a small stack for handlers", calls_until(t, 60, 2 * MOST), 0);
	expect("sigaltstack", sigaltstack(&was, NULL), 0);
	free(small.ss_sp);
	_wherry_urgent.off = 1;
	expect("there are no signals", calls_until(t, 60, 3 * MOST), 0);
	expect("threads that hold a P", _wherry_holding.held, 1);
}

// What ends a hold: a callback when the goroutine is to stop, the thread's wish to block the
// signal, its end.
static void ends(void) {
	thread *t = begin();
	calls_until(t, 60, 10000);
	AT(char *, world_g, G_STACKGUARD0) = (char *)-1314L; // runtime.stackPreempt
	int before = entered;
	expect("the goroutine is to stop", call_back(t, 60), 0);
	expect("the call was turned", entered - before, 1);
	expect("and the callback ended", roots_over, 1);
	calls_until(t, 60, 10000);
	sigset_t urgent, mask;
	sigemptyset(&urgent), sigaddset(&urgent, SIGURG);
	pthread_sigmask(SIG_BLOCK, &urgent, NULL);
	pthread_sigmask(SIG_BLOCK, NULL, &mask);
	expect("the signal is blocked", sigismember(&mask, SIGURG), 1);
	expect("the call is turned", t->held.c_sp == TURNED, 1);
	expect("no hold after that", call_back(t, 60) + calls_until(t, 60, MOST - 1), 0);
	pthread_sigmask(SIG_UNBLOCK, &urgent, NULL);
	expect("after long", calls_until(t, 60, 2 * MOST) > 0, 1);
	expect("the runtime's end of a thread", x_crosscall2_ptr == thread_leaves, 1);
	int over = roots_over;
	x_crosscall2_ptr(nothing, world_g0, 0, 0);
	expect("a thread that holds its P ends", roots_over - over, 1);
	expect("its root", t->root == NULL && _wherry_holding.pooled == 1, 1);
	expect("threads that hold a P", _wherry_holding.held, 0);
	expect("errno", errno, 0);
}

// Before nobody can ask any more a thread that computes is asked to give its P back, and no thread whose
// wait would end. They do not end, since a sanitizer would unmap the stack that they have for handlers.
static int computes, ends_of_pipe[2], turned, waited; // 1: yes, 2: no
static void listed(void) {
	AT(long, world_m, M_PROCID) = syscall(SYS_gettid);
	AT(char *, world_m, M_ALLLINK) = __atomic_exchange_n(&_wherry_allm, world_m, __ATOMIC_ACQ_REL);
}
static void *holder(void *unused) {
	thread *t = begin();
	listed(); // syscall would end a hold
	calls_until(t, 60, 10000);
	mark();
	t->busy = 1; // as if in wherry's own assembly, when it is asked for the first time
	__atomic_store_n(&computes, 1, __ATOMIC_RELEASE);
	while (!__atomic_load_n(&_wherry_urgent.leaving, __ATOMIC_ACQUIRE)) ;
	for (long begun = clock(); clock() - begun < CLOCKS_PER_SEC / 200;) ;
	t->busy = 0;
	while (__atomic_load_n(&computes, __ATOMIC_ACQUIRE)) ;
	__atomic_store_n(&turned, t->held.c_sp == TURNED ? 1 : 2, __ATOMIC_RELEASE);
	for (;;) syscall(SYS_ppoll, NULL, 0, NULL, NULL, 0);
	return unused;
}
static void *waiter(void *unused) {
	struct pollfd poller = {ends_of_pipe[0], POLLIN, 0};
	listed();
	calls_until(begin(), 60, 3);
	int result = (int)syscall(SYS_ppoll, &poller, 1, NULL, NULL, 0); // no handler has it go on
	__atomic_store_n(&waited, result == 1 ? 1 : 2, __ATOMIC_RELEASE);
	for (;;) syscall(SYS_ppoll, NULL, 0, NULL, NULL, 0);
	return unused;
}
static void given_up(void) {
	thread *t = begin();
	struct sigaction own = {.sa_handler = SIG_IGN};
	pthread_t holds, reads;
	expect("pipe", pipe(ends_of_pipe), 0);
	expect("pthread_create", pthread_create(&holds, NULL, holder, NULL) | pthread_create(&reads, NULL, waiter, NULL), 0);
	while (!__atomic_load_n(&computes, __ATOMIC_ACQUIRE)) ;
	usleep(10000); // so that most often the other one waits
	expect("sigaction", sigaction(SIGURG, &own, NULL), 0);
	expect("signals of the runtime's", _wherry_urgent.deaf, 1);
	__atomic_store_n(&computes, 0, __ATOMIC_RELEASE);
	expect("write", write(ends_of_pipe[1], "c", 1), 1);
	while (!__atomic_load_n(&turned, __ATOMIC_ACQUIRE) || !__atomic_load_n(&waited, __ATOMIC_ACQUIRE)) usleep(1000);
	expect("given back", turned, 1);
	expect("the wait's end", waited, 1);
	expect("no hold any more", calls_until(t, 60, 3 * MOST), 0);
}

// A callback from another stack is on that one, and on the thread's own again.
static void stacks(void) {
	thread *t = begin();
	calls_until(t, 60, 10000);
	expect("the thread's own", (size_t)((char *)&t - t->held.from) < t->held.span, 1);
	t->own_low += 1 << 21, t->own_high += 1 << 21; // seems to be elsewhere
	_wherry_callback_frame_slow(nothing, NULL, 0);
	char *here = __builtin_frame_address(0);
	// sanitizers have large frames
	expect("around the stack pointer", here > t->held.from && here - t->held.from <= OTHER_STACK + (16 << 10), 1);
	expect("and for the runtime", AT(char *, world_g0, G_STACK_LO) == t->held.from &&
		AT(char *, world_g0, G_STACKGUARD0) == t->held.from + STACK_GUARD, 1);
	t->own_low -= 1 << 21, t->own_high -= 1 << 21;
	place(t);
	expect("its own again", t->held.from == t->own_low && AT(char *, world_g0, G_STACK_HI) == t->own_high, 1);
	expect("still held", t->active == &t->held, 1);
}

// What a handler of C's finds, by signal: how often it came, the call turned; and the registers and
// the stack that the kernel made.
static int came[NSIG], turned_there[NSIG];
static void note(int sig) {
	came[sig]++;
	turned_there[sig] = _wherry_thread.held.c_sp == TURNED;
}
static void looks(int sig, siginfo_t *info, void *context) {
	note(sig);
	expect("the information", info->si_signo == sig && context != NULL, 1);
#if defined(__x86_64__)
	expect("the frame", (char *)context - (char *)__builtin_frame_address(0), 16);
#endif
}
static sigjmp_buf away;
static void leaves(int sig) { note(sig), siglongjmp(away, 1); }

// C does not see that an entry of ours stands before its handlers, which find the call turned.
static void handlers(void) {
	thread *t = begin();
	calls_until(t, 60, 10000);
	struct sigaction act = {.sa_handler = note, .sa_flags = SA_NODEFER}, old;
	sigaddset(&act.sa_mask, SIGUSR2);
	expect("sigaction", sigaction(SIGUSR1, &act, NULL), 0);
	expect("query", sigaction(SIGUSR1, NULL, &old), 0);
	expect("what is found", old.sa_handler == note && (old.sa_flags & (SA_NODEFER | SA_SIGINFO | SA_ONSTACK)) == SA_NODEFER &&
		sigismember(&old.sa_mask, SIGUSR2) && !sigismember(&old.sa_mask, SIGURG), 1);
	act = (struct sigaction){.sa_sigaction = looks, .sa_flags = SA_SIGINFO | SA_RESETHAND};
	expect("sigaction", sigaction(SIGUSR1, &act, &old), 0);
	expect("what was found", old.sa_handler == note, 1);
	int before = entered;
	raise(SIGUSR1); // which blocks nothing, and turns nothing
	expect("came", came[SIGUSR1] + turned_there[SIGUSR1], 2);
	expect("turned once", entered - before, 1);
	expect("query", sigaction(SIGUSR1, NULL, &old), 0);
	expect("after SA_RESETHAND", old.sa_handler == SIG_DFL, 1);
	call_back(t, 60);
	expect("signal", signal(SIGUSR2, note) == SIG_DFL && signal(SIGUSR2, leaves) == note && signal(SIGUSR2, SIG_DFL) == leaves, 1);
	expect("signal's flags", signal(SIGUSR2, note) == SIG_DFL && sigaction(SIGUSR2, NULL, &old) == 0 && old.sa_flags & SA_RESTART, 1);
	expect("entries", _wherry_handlers[2] == (handler)leaves && _wherry_handlers[3] == NULL, 1);
	// Two at once: the kernel begins the second on the entry of the first.
	static char place[1 << 17];
	stack_t alternative = {.ss_sp = place, .ss_size = sizeof place};
	expect("sigaltstack", sigaltstack(&alternative, NULL), 0);
	calls_until(t, 60, 2 * MOST);
	act = (struct sigaction){.sa_handler = note, .sa_flags = SA_ONSTACK};
	expect("sigaction", sigaction(SIGUSR1, &act, NULL) + sigaction(SIGUSR2, &act, NULL), 0);
	memset(came, 0, sizeof came), memset(turned_there, 0, sizeof turned_there);
	unsigned long both = 1ul << (SIGUSR1 - 1) | 1ul << (SIGUSR2 - 1), mask = set_mask(both);
	t->busy++; // the C library's functions leave the call as it is
	raise(SIGUSR1), raise(SIGUSR2);
	t->busy--;
	before = entered;
	expect("nothing came yet", came[SIGUSR1] + came[SIGUSR2], 0);
	set_mask(mask);
	expect("both came", came[SIGUSR1] + came[SIGUSR2], 2);
	expect("to a call that is turned", turned_there[SIGUSR1] + turned_there[SIGUSR2], 2);
	expect("once", entered - before, 1);
	expect("the mask", set_mask(mask) == mask, 1);
	call_back(t, 60);
	// What leaves while a call is turned: not before it is.
	signal(SIGUSR1, leaves);
	calls_until(t, 60, 2 * MOST);
	if (sigsetjmp(away, 1) == 0) raise(SIGUSR1);
	expect("it left", t->busy, 0);
	expect("threads that hold a P", _wherry_holding.held, 1);
	call_back(t, 60);
	expect("threads that hold a P", _wherry_holding.held, 0);
	for (size_t i = 3; i < ENTRIES; i++) expect("an entry", before_handler(SIGUSR1, (handler)(i << 20)) == entry_of((long)i), 1);
	expect("holding", _wherry_holding.off, 0);
	expect("no entry", before_handler(SIGUSR1, (handler)(99 << 20)) == (handler)(99 << 20), 1);
	expect("no holding", _wherry_holding.off, 1);
}

int main(int argc, char **argv) {
	const char *what = argc > 1 ? argv[1] : "";
	errno = 0;
	if (strcmp(what, "rule") == 0) rule();
	else if (strcmp(what, "never") == 0) never();
	else if (strcmp(what, "ends") == 0) ends();
	else if (strcmp(what, "stacks") == 0) stacks();
	else if (strcmp(what, "given up") == 0) given_up();
	else if (strcmp(what, "handlers") == 0) handlers();
	else return 2;
	puts("ok");
	return 0;
}
