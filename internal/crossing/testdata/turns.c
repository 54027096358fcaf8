// A world that is like that of Go's runtime; watching.c follows.

#include <dlfcn.h>
#include <fcntl.h>
#include <poll.h>
#include <semaphore.h>
#include <stdarg.h>

// A sanitizer's locks and streams are its own, which wherry does not try.
#ifdef __SANITIZE_ADDRESS__
enum { FREE_TURNS = 1 };
#else
enum { FREE_TURNS = 0 };
#endif

static real_function *address_of(const char *name) {
	for (size_t i = 0; _wherry_real_names[i].name[0] != 0; i++)
		if (strcmp(_wherry_real_names[i].name, name) == 0 && _wherry_real_names[i].before == 0) return &_wherry_reals[i];
	fprintf(stderr, "%s is not in the table\n", name);
	exit(1);
}

// Names resolve to what stands behind this program: the C library, or a sanitizer.
static void names(void) {
	Dl_info own, at;
	expect("dladdr", dladdr((void *)address_of, &own) != 0, 1);
	static const char *const some[] = {"nanosleep", "read", "write", "open", "poll", "pthread_mutex_lock",
		"pthread_cond_wait", "pthread_join", "sem_wait", "signal", "pthread_getattr_np"};
	for (size_t i = 0; i < sizeof some / sizeof some[0]; i++) {
		void *real = _wherry_real(address_of(some[i]));
		expect(some[i], real != NULL && real == *address_of(some[i]), 1);
		expect(some[i], dladdr(real, &at) != 0 && at.dli_fbase != own.dli_fbase, 1);
	}
	close_reals();
	for (size_t i = 0; strcmp(_wherry_real_names[i].name, "no_such_function") != 0; i++) {
		if (_wherry_real_names[i].before != 0) continue; // it may not be tried
		_wherry_real(&_wherry_reals[i]); // or the program ends
		expect(_wherry_real_names[i].name, dladdr(_wherry_reals[i], &at) != 0 && at.dli_fbase != own.dli_fbase, 1);
	}
	int ends[2];
	expect("pipe", pipe(ends), 0);
	expect("write", write(ends[1], ends, sizeof ends), sizeof ends);
	expect("read into the reals", read(ends[0], _wherry_reals, sizeof ends), -1);
	expect("the reals are read-only", errno, EFAULT);
	real_name other[] = {{"nanosleep", "NONE", 0}, {"nanosleep", "", 0}};
	void *reals[2] = {NULL, NULL};
	fill_reals(other, reals, 2);
	expect("a version that the libraries of the program do not have", reals[0] == *address_of("nanosleep"), 1);
	expect("no version", reals[1] == *address_of("nanosleep"), 1);
}

// A function that the C library at hand does not have ends the program.
static void lacking(void) {
	close_reals();
	_wherry_real(address_of("no_such_function"));
}

// A call in flight, as its stub leaves it.
static char *fly(int number) {
	static char *stack[64];
	char *g = world(), **top = stack + 32;
	top = (char **)((size_t)top & ~(size_t)15);
	AT(char **, world_g0, G_SCHED_SP) = top;
	AT(char *, world_g0, G_STACK_LO) = (char *)__builtin_frame_address(0) - (1 << 20);
	AT(char *, world_g0, G_STACK_HI) = (char *)__builtin_frame_address(0) + (1 << 20);
#if defined(__x86_64__)
	top[-1] = (char *)calls[number].returns;
#else
	top[-1] = (char *)&calls[number];
#endif
	mark();
	current_g = g;
	__asm__ volatile("" ::: "memory"); // signals come
	return g;
}

static void land(char *g) {
	AT(char *, world_m, M_VDSOSP) = NULL;
	_wherry_turn_over(g);
	current_g = NULL;
}

static void *posts(void *semaphore) {
	syscall(SYS_nanosleep, &(struct timespec){0, 10000000}, NULL);
	sem_post(semaphore);
	return NULL;
}

// Functions of the C library do what they do, with all arguments and errno, outside
// of a call, and turn one once.
static void blocking(void) {
	char text[8] = "";
	int ends[2], fd = open("/dev/null", O_WRONLY | O_CREAT, 0600);
	struct timespec moment = {0, 1};
	_wherry_urgent.started = 1;
	for (int flying = 0; flying < 2; flying++) {
		int before = entered;
		char *g = flying ? fly(1) : NULL;
		expect("pipe", pipe(ends), 0);
		expect("write", write(ends[1], "abc", 3), 3);
		expect("read", read(ends[0], text, sizeof text), 3);
		expect("what was read", memcmp(text, "abc", 3), 0);
		expect("open", open("/dev/null", O_WRONLY | O_CREAT, 0600) > fd, 1);
		struct pollfd p = {ends[0], POLLIN, 0};
		expect("poll", poll(&p, 1, 0), 0);
		expect("nanosleep", nanosleep(&moment, NULL), 0);
		errno = 0;
		expect("read of nothing", read(-1, text, 1), -1);
		expect("its errno", errno, EBADF);
		expect("turns", entered - before, flying);
		if (g != NULL) land(g);
	}
	pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
	_wherry_errno_place = (char *)&errno - thread_pointer();
	close_reals(); // as the start does
	int before = entered;
	char *g = fly(1);
	errno = ERANGE;
	expect("a free mutex", pthread_mutex_lock(&mutex), 0);
	expect("turns by a free mutex", entered - before, FREE_TURNS);
	pthread_mutexattr_t kind;
	pthread_mutexattr_init(&kind);
	pthread_mutexattr_settype(&kind, PTHREAD_MUTEX_ERRORCHECK);
	pthread_mutex_t held;
	pthread_mutex_init(&held, &kind);
	expect("a mutex", pthread_mutex_lock(&held), 0);
	expect("a held mutex", pthread_mutex_lock(&held), EDEADLK);
	expect("turns by a held mutex", entered - before, 1);
	expect("errno", errno, ERANGE);
	land(g);
	sem_t semaphore;
	sem_init(&semaphore, 0, 1);
	before = entered;
	g = fly(1);
	expect("a semaphore", sem_wait(&semaphore), 0);
	expect("turns by a semaphore", entered - before, FREE_TURNS);
	pthread_t poster;
	pthread_create(&poster, NULL, posts, &semaphore);
	expect("a semaphore that is taken", sem_wait(&semaphore), 0);
	expect("turns by a semaphore that is taken", entered - before, 1);
	expect("errno after the semaphore", errno, ERANGE);
	pthread_join(poster, NULL);
	land(g);
}

#ifdef __GLIBC__
// What a format writes at most is at least what it writes.
static __attribute__((noinline)) void formats(void) {
	static char seen[6000];
	struct { const char *format; long least; } known[] = {
		{"", 0}, {"abc\n", 4}, {"%%", 1}, {"%5d", snprintf(seen, sizeof seen, "%5d", 1)},
		{"%d", snprintf(seen, sizeof seen, "%d", -2147483647 - 1)}, {"%+.30lld", snprintf(seen, sizeof seen, "%+.30lld", -9223372036854775807ll)},
		{"%#llo", snprintf(seen, sizeof seen, "%#llo", ~0ull)}, {"%#.25lx", snprintf(seen, sizeof seen, "%#.25lx", ~0ul)},
		{"%300hhu", 300}, {"%p", snprintf(seen, sizeof seen, "%p", (void *)~0ul)}, {"%c%lc", 17}, {"%.7s", 7}, {"%-90.3s|", 91},
		{"%f", snprintf(seen, sizeof seen, "%f", -1.7976931348623157e308)}, {"%+.40F", snprintf(seen, sizeof seen, "%+.40F", 1e308)},
		{"%e", snprintf(seen, sizeof seen, "%e", -1e-308)}, {"%.50g", snprintf(seen, sizeof seen, "%.50g", -1.0 / 3e-5)},
		{"%a", snprintf(seen, sizeof seen, "%a", -4.9e-324)}, {"%#.60G", snprintf(seen, sizeof seen, "%#.60G", 0.0001)},
	};
	for (size_t i = 0; i < sizeof known / sizeof known[0]; i++)
		expect(known[i].format, most(known[i].format) >= known[i].least, 1);
	static const char *const unknown[] = {"%s", "%*d", "%.*f", "%n", "%m", "%1$d", "%'d", "%Lf", "%llf", "%S", "%y", "%", "%2000000d", "a%5"};
	for (size_t i = 0; i < sizeof unknown / sizeof unknown[0]; i++)
		expect(unknown[i], most(unknown[i]), -1);
}

static __attribute__((noinline)) int by_list(FILE *f, const char *format, ...) {
	va_list list;
	va_start(list, format);
	int result = vfprintf(f, format, list);
	va_end(list);
	return result;
}

// What fits into a stream's buffer is written without a turn, with all arguments; what may not is not.
static __attribute__((noinline)) void prints(void) {
	_wherry_urgent.started = 1;
	close_reals();
	formats();
	static char text[5000], want[5000];
	FILE *f = tmpfile();
	expect("a stream", f != NULL && fputc('>', f) == '>', 1);
	static const char format[] = "%d %d %d %d %d %d %.1f %.1f %.1f %.1f %.1f %.1f %.1f %.1f %.1f %c\n";
#define ARGUMENTS_OF_FORMAT format, 1, 2, 3, 4, 5, 6, .1, .2, .3, .4, .5, .6, .7, .8, .9, 'x'
	int before = entered, n = snprintf(want, sizeof want, ARGUMENTS_OF_FORMAT);
	char *g = fly(1);
	expect("fprintf", fprintf(f, ARGUMENTS_OF_FORMAT), n);
	expect("vfprintf", by_list(f, ARGUMENTS_OF_FORMAT), n);
	expect("turns by what fits", entered - before, FREE_TURNS);
	land(g);
	before = entered;
	g = fly(1);
	expect("a string", fprintf(f, "%s", want), n);
	expect("turns by a string", entered - before, 1);
	const char *volatile none = NULL;
	if (!FREE_TURNS) // the sanitizer does not take it
		expect("no format", fprintf(f, none, 1) == -1 && by_list(f, none, 1) == -1 && errno == EINVAL, 1);
	land(g);
	setvbuf(stdout, NULL, _IONBF, 0);
	g = fly(1);
	expect("an unbuffered stream", printf("%s", ""), 0);
	expect("turns by an unbuffered stream", entered - before, 2);
	land(g);
	memset(text, 'a', sizeof text);
	fwrite(text, 1, (size_t)(f->_IO_write_end - f->_IO_write_ptr) - 2, f);
	g = fly(1);
	expect("more than fits", fprintf(f, "%d", 12), 2);
	expect("turns by more than fits", entered - before, 3);
	land(g);
	rewind(f);
	for (int i = 0; i < 3; i++) {
		size_t first = i == 0, got = fread(text, 1, (size_t)n + first, f);
		// This world's _wherry_blocks keeps no vector registers.
		expect("what was written", got == (size_t)n + first && ((first && FREE_TURNS) || memcmp(text + first, want, (size_t)n) == 0), 1);
	}
	fclose(f);
}
#else // whose streams nobody looks into
static void prints(void) {}
#endif

// A turned call is in the state of a cgo call, and out of it when it is over.
static void turns(void) {
	char *g = fly(2);
	AT(char *, world_g0, G_STACK_LO) = (char *)1000, AT(char *, world_g0, G_STACK_HI) = (char *)9000;
	AT(char *, world_g0, G_STACKGUARD0) = AT(char *, world_g0, G_STACKGUARD1) = (char *)1928;
	char *sched_sp = AT(char *, world_g0, G_SCHED_SP), *caller = AT(char *, world_m, M_VDSOSP);
	int before = entered;
	expect("which call", call_of(world_m) == &calls[2], 1);
	expect("turned", turn_now(BY_CALLBACK), 1);
	expect("turned again", turn_now(BY_CALLBACK), 0);
	expect("entersyscall", entered - before, 1);
	expect("the goroutine's stack pointer", go_stack == caller, 1);
	expect("m.ncgo", AT(int, world_m, M_NCGO), 1);
	expect("m.incgo", AT(char, world_m, M_INCGO), 1);
	expect("m.vdsoSP", AT(long, world_m, M_VDSOSP), 0);
	expect("g.nocgocallback", AT(char, g, G_NOCGOCALLBACK), 1);
	expect("the thread's g", current_g == world_g0, 1);
	expect("g0.sched.sp", AT(char *, world_g0, G_SCHED_SP) == sched_sp, 1);
	expect("g0.stack.lo meanwhile", system_stack != (char *)1000 && (size_t)&g - (size_t)system_stack < 1 << 20, 1);
	expect("g0.stack.lo", AT(long, world_g0, G_STACK_LO), 1000);
	expect("g0.stack.hi", AT(long, world_g0, G_STACK_HI), 9000);
	expect("g0.stackguard0", AT(long, world_g0, G_STACKGUARD0), 1928);
	expect("g0.stackguard1", AT(long, world_g0, G_STACKGUARD1), 1928);
	land(g);
	expect("m.ncgo at the end", AT(int, world_m, M_NCGO), 0);
	expect("m.incgo at the end", AT(char, world_m, M_INCGO), 0);
	expect("g.nocgocallback at the end", AT(char, g, G_NOCGOCALLBACK), 0);
	g = fly(0);
	_wherry_thread.busy = 1;
	expect("turned while the pool is locked", turn_now(BY_CALLBACK), 0);
	_wherry_thread.busy = 0;
	expect("which other call", call_of(world_m) == &calls[0], 1);
	call *bound = _wherry_bind(code, "a pointer", NO_CALLBACK);
	char **word = (char **)((size_t)sched_sp & ~(size_t)15);
	word[-1] = word[-2] = (char *)bound;
	__asm__ volatile("" ::: "memory");
	expect("which call of package direct", call_of(world_m) == bound && bound->target == code && bound->flags == NO_CALLBACK, 1);
	free(bound);
#if defined(__x86_64__)
	word[-1] = (char *)1; // a function in assembly has put it there
	expect("another word", call_of(world_m) == NULL, 1);
	static char go_code[16] = {0, 0, 0, '\xe8'};
	const char *returns = go_code + 8, *call_instruction = calls[1].returns - 1;
	int distance = (int)(call_instruction - returns);
	memcpy(go_code + 4, &distance, 4);
	char **go_sp = AT(char **, world_m, M_VDSOSP), *was = *go_sp;
	*go_sp = (char *)returns;
	expect("the call that the Go code shows", call_of(world_m) == &calls[1], 1);
	*go_sp = was;
#endif
	AT(char *, world_m, M_VDSOPC) = code; // a vDSO call of Go's
	expect("turned where no call is", turn_now(BY_CALLBACK), 0);
	mark();
	current_g = world_g0;
	expect("turned where the runtime runs", turn_now(BY_CALLBACK), 0);
	current_g = g;
	char *here = __builtin_frame_address(0);
	AT(char *, g, G_STACK_LO) = here - 4096, AT(char *, g, G_STACK_HI) = here + 4096;
	expect("turned on the goroutine's own stack", turn_now(BY_CALLBACK), 0);
	AT(char *, world_m, M_VDSOSP) = NULL;
	current_g = NULL;
#if defined(__x86_64__)
	word[-1] = code;
	expect("no call", call_of(world_m) == NULL, 1);
#endif
}

static void judging(void), learning(void), watching(void);

// Go's handler, and C's.
static volatile int order, came;
static void go_handler(int sig, siginfo_t *info, void *context) {
	if (sig == SIGURG && info->si_signo == SIGURG && context != NULL) order = order * 10 + 1, came++;
}
static void c_handler(int sig) { if (sig == SIGURG) order = order * 10 + 2, came++; }
static void arrives(const char *what, int want) {
	order = 0;
	errno = ERANGE;
	raise(SIGURG);
	expect("errno", errno, ERANGE);
	expect(what, order, want);
}

// Wherry's handler stays as long as it is Go's that is installed again. What else is installed is so
// in the kernel, and nothing of wherry's or Go's stands before it.
static void installing(void) {
	struct sigaction go = {.sa_sigaction = go_handler, .sa_flags = SA_SIGINFO | SA_ONSTACK}, c = {.sa_handler = c_handler}, old;
	expect("sigaction before the start", sigaction(SIGURG, &go, NULL), 0);
	arrives("Go's handler alone", 1);
	_wherry_start();
	_wherry_start();
	expect("on", _wherry_urgent.off, 0);
	arrives("Go's handler after the start", 1);
	expect("query", sigaction(SIGURG, NULL, &old), 0);
	expect("Go's handler is found", old.sa_sigaction == go_handler && old.sa_flags & SA_SIGINFO, 1);
	expect("sigaction", sigaction(SIGURG, &old, &old), 0);
	expect("Go's handler was there", old.sa_sigaction == go_handler && !(old.sa_flags & SA_RESTART), 1);
	expect("still on", _wherry_urgent.off | _wherry_urgent.deaf, 0);
	expect("sigaction", sigaction(SIGURG, &c, &old), 0);
	expect("Go's handler was there", old.sa_sigaction == go_handler, 1);
	expect("off", _wherry_urgent.off && _wherry_urgent.deaf, 1);
	arrives("C's handler alone", 2);
	expect("query", sigaction(SIGURG, NULL, &old), 0);
	expect("C's handler is found", old.sa_handler == c_handler && !(old.sa_flags & SA_SIGINFO), 1);
	expect("signal", signal(SIGURG, SIG_IGN) == c_handler, 1);
	arrives("ignored", 0);
	expect("query", sigaction(SIGURG, NULL, &old), 0);
	expect("SIG_IGN is found", old.sa_handler == SIG_IGN, 1);
	expect("signal", signal(SIGURG, c_handler) == SIG_IGN, 1);
	arrives("signal's", 2);
	expect("Go's again", sigaction(SIGURG, &go, &old), 0);
	expect("signal's was there", old.sa_handler == c_handler && old.sa_flags & SA_RESTART, 1);
	arrives("Go's again", 1);
	expect("another signal", sigaction(SIGUSR1, &c, NULL), 0);
	expect("query of another signal", sigaction(SIGUSR1, NULL, &old), 0);
	expect("another signal's handler", old.sa_handler == c_handler, 1);
}

// Another thread sends the signal until the call is turned.
static void *sends(void *to) {
	for (int before = entered; entered == before;) {
		pthread_kill(*(pthread_t *)to, SIGURG);
		sched_yield();
	}
	return NULL;
}

// sends_itself is a system call that does not come by the C library.
static void sends_itself(long sig) {
	static long process, thread;
	if (thread == 0) {
		process = getpid();
		thread = gettid();
	}
#if defined(__x86_64__)
	long result = SYS_tgkill;
	__asm__ volatile("syscall" : "+a"(result) : "D"(process), "S"(thread), "d"(sig) : "rcx", "r11", "memory");
#else
	register long number __asm__("x8") = SYS_tgkill, result __asm__("x0") = process, x1 __asm__("x1") = thread, x2 __asm__("x2") = sig;
	__asm__ volatile("svc #0" : "+r"(result) : "r"(number), "r"(x1), "r"(x2) : "memory");
#endif
	expect("tgkill", result, 0);
}

static int in_flight_there; // what a handler of C's found on the stack of signals
static void blocks_there(int sig) {
	(void)sig;
	int before = entered;
	poll(NULL, 0, 0);
	raise(SIGURG);
	in_flight_there = entered == before;
}

// A signal turns the call that C runs in, and nothing else.
static void signals(void) {
	struct sigaction go = {.sa_sigaction = go_handler, .sa_flags = SA_SIGINFO | SA_ONSTACK};
	sigaction(SIGURG, &go, NULL);
	_wherry_start();
	world();
	int before = entered;
	raise(SIGURG);
	expect("turns where no call is", entered, before);
	pthread_t self = pthread_self(), other;
	expect("pthread_create", pthread_create(&other, NULL, sends, &self), 0);
	char *g = fly(0);
	while (entered == before) __asm__ volatile("" ::: "memory");
	land(g);
	expect("pthread_join", pthread_join(other, NULL), 0);
	expect("turns", entered - before, 1);
	expect("still fast, or timed where a machine is slow", calls[0].target == calls[0].twin || calls[0].timed == TRIAL, 1);
	calls[0].target = calls[0].twin, calls[0].timed = calls[0].suspicion = 0;
	// C itself makes a system call: it would see the signal.
	g = fly(1);
	sends_itself(SIGURG);
	expect("turns in a system call", entered - before, 2);
	expect("to cgo", calls[1].target == _wherry_turn_first, 1);
	land(g);
	// C's handler runs on the stack of signals.
	static char place[1 << 17];
	stack_t alternative = {.ss_sp = place, .ss_size = sizeof place};
	expect("sigaltstack", sigaltstack(&alternative, NULL), 0);
	struct sigaction c = {.sa_handler = blocks_there, .sa_flags = SA_ONSTACK};
	expect("sigaction", sigaction(SIGUSR1, &c, NULL), 0);
	g = fly(0);
	sends_itself(SIGUSR1);
	expect("not turned in a handler", in_flight_there, 1);
	poll(NULL, 0, 0);
	expect("turned after it", entered - before, 3);
	land(g);
}

// C cannot block the signal on a thread that Go code has called it on.
static void masking(void) {
	sigset_t set, now;
	sigemptyset(&set);
	sigaddset(&set, SIGURG);
	sigaddset(&set, SIGUSR1);
	for (int i = 0; i < 4; i++) {
		char *g = i < 2 ? fly(0) : NULL;
		if (i % 2) expect("pthread_sigmask", pthread_sigmask(SIG_BLOCK, &set, NULL), 0);
		else expect("sigprocmask", sigprocmask(SIG_SETMASK, &set, NULL), 0);
		expect("the mask", pthread_sigmask(SIG_BLOCK, NULL, &now), 0);
		expect("SIGURG is blocked", sigismember(&now, SIGURG), 1);
		expect("the call is turned", g == NULL || _wherry_thread.turned == &calls[0], 1);
		expect("SIGUSR1 is blocked", sigismember(&now, SIGUSR1), 1);
		expect("unblock", pthread_sigmask(SIG_UNBLOCK, &set, NULL), 0);
		expect("the mask", sigprocmask(SIG_BLOCK, NULL, &now), 0);
		expect("something is blocked", sigismember(&now, SIGURG) || sigismember(&now, SIGUSR1), 0);
		if (g != NULL) land(g);
	}
	char *g = fly(0);
	expect("pthread_sigmask", pthread_sigmask(SIG_BLOCK, &set, NULL), 0);
	land(g);
	expect("the mask after the call", pthread_sigmask(SIG_BLOCK, NULL, &now), 0);
	expect("what is blocked after the call", sigismember(&now, SIGURG) * 2 + sigismember(&now, SIGUSR1), 1);
	current_g = world(), AT(int, world_m, M_NCGO) = 1; // in a call through cgo
	expect("pthread_sigmask", pthread_sigmask(SIG_BLOCK, &set, NULL), 0);
	expect("the mask through cgo", pthread_sigmask(SIG_BLOCK, NULL, &now), 0);
	expect("SIGURG is blocked through cgo", sigismember(&now, SIGURG), 0);
	current_g = NULL, AT(int, world_m, M_NCGO) = 0;
}

// C that says where handlers run is turned, and if it leaves them a small stack no other flies.
static void moving(void) {
	struct sigaction go = {.sa_sigaction = go_handler, .sa_flags = SA_SIGINFO | SA_ONSTACK};
	static char place[32 << 10];
	stack_t none = {.ss_flags = SS_DISABLE}, now, small = {.ss_sp = place, .ss_size = 16 << 10},
		large = {.ss_sp = place, .ss_size = sizeof place};
	sigaction(SIGURG, &go, NULL);
	_wherry_start();
	for (int i = 0; i < 4; i++) {
		char *g = fly(0);
		expect("sigaltstack asks", sigaltstack(NULL, &now), 0);
		expect("turned by a question", _wherry_thread.turned != NULL, 0);
		expect("sigaltstack", sigaltstack(i == 0 ? &none : &small, NULL), 0);
		expect("turned", _wherry_thread.turned == &calls[0], 1);
		if (i < 3) expect("sigaltstack", sigaltstack(&large, NULL), 0);
		land(g);
		expect("off", _wherry_urgent.off, i == 3);
	}
	_wherry_urgent.off = 0; // in a call through cgo
	current_g = world(), AT(int, world_m, M_NCGO) = 1;
	expect("sigaltstack", sigaltstack(&large, NULL), 0);
	expect("off", _wherry_urgent.off, 0);
	expect("sigaltstack", sigaltstack(&none, NULL), 0);
	expect("off through cgo", _wherry_urgent.off, 1);
	current_g = NULL, AT(int, world_m, M_NCGO) = 0;
}

// When another handler has taken our place without our sigaction, turning ends.
static void displaced(void) {
	struct sigaction go = {.sa_sigaction = go_handler, .sa_flags = SA_SIGINFO | SA_ONSTACK};
	sigaction(SIGURG, &go, NULL);
	_wherry_start();
	call *bound[] = {_wherry_bind(code, "one", 0), _wherry_bind(code, "reentrant", OWN_STACK)};
	static const char by_cgo[1];
	calls[1].off = by_cgo;
	for (int i = 0; i < 2; i++) {
		for (int n = 0; n < 64; n++) {
			char *g = fly(0);
			expect("turned", turn_now(BY_CALLBACK), 1);
			land(g);
		}
		expect("off", _wherry_urgent.off, i);
		expect("turned first", calls[0].target == _wherry_turn_first, i);
		expect("through cgo", calls[1].target == (const void *)by_cgo, i);
		for (int n = 0; n < 2; n++) expect(bound[n]->name, bound[n]->target == _wherry_turn_first, i);
		((int (*)(int, const struct sigaction *, struct sigaction *))_wherry_real(&_wherry_reals[0]))(SIGURG, &go, NULL);
	}
	expect("bound afterwards", _wherry_bind(code, "late", OWN_STACK)->target == _wherry_turn_first, 1);
	expect("calls of package direct are turned", _wherry_turns(), 1);
}

// switched: with WHERRY=off in the environment calls go where stubs have said, or are turned
// before they begin, what a rule calls fast too.
static void switched(void) {
	struct sigaction go = {.sa_sigaction = go_handler, .sa_flags = SA_SIGINFO};
	call *early = _wherry_bind(code, "early", OWN_STACK);
	static const char by_cgo[1];
	sigaction(SIGURG, &go, NULL);
	for (int i = 0; i < 3; i++) calls[i].off = by_cgo;
	_wherry_start();
	for (int i = 0; i < 3; i++) expect(calls[i].name, calls[i].target == (const void *)by_cgo, 1);
	expect("of package direct", early->target == _wherry_turn_first, 1);
	expect("of package direct, bound later", _wherry_bind(code, "late", OWN_STACK)->target == _wherry_turn_first, 1);
	expect("Go's handler alone is there", _wherry_urgent.deaf, 1);
}

int main(int argc, char **argv) {
	const char *what = argc > 1 ? argv[1] : "";
	if (strcmp(what, "names") == 0) names();
	else if (strcmp(what, "lacking") == 0) lacking();
	else if (strcmp(what, "blocking") == 0) blocking();
	else if (strcmp(what, "prints") == 0) prints();
	else if (strcmp(what, "turns") == 0) turns();
	else if (strcmp(what, "judging") == 0) judging();
	else if (strcmp(what, "learning") == 0) learning();
	else if (strcmp(what, "watching") == 0) watching();
	else if (strcmp(what, "installing") == 0) installing();
	else if (strcmp(what, "signals") == 0) signals();
	else if (strcmp(what, "masking") == 0) masking();
	else if (strcmp(what, "moving") == 0) moving();
	else if (strcmp(what, "displaced") == 0) displaced();
	else if (strcmp(what, "switched") == 0) switched();
	else {
		struct sigaction go = {.sa_sigaction = go_handler, .sa_flags = SA_SIGINFO};
		if (strcmp(what, "on") == 0 || strcmp(what, "off") == 0) sigaction(SIGURG, &go, NULL);
		AT(int, _wherry_debug, DEBUG_ASYNCPREEMPTOFF) = strcmp(what, "off") == 0; // as the runtime has read GODEBUG
		_wherry_start();
		expect("off", _wherry_urgent.off, strcmp(what, "on") != 0);
		for (int i = 0; i < 3; i++)
			expect(calls[i].name, calls[i].target == (_wherry_urgent.off && !(calls[i].flags & ALWAYS) ? (void *)_wherry_turn_first : code), 1);
	}
	puts("ok");
	return 0;
}
