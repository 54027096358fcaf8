// Threads that call Go so often that they hold their P, in many ways, and end in many.

#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <link.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
#ifdef __GLIBC__ // musl has no coroutines
#include <ucontext.h>
#endif
#include "_cgo_export.h"

enum { CHAINED = 1000 };
enum { ADDS, ALLOCATES, SENDS, NESTS, GROWS, COLLECTS, CALLS_C, ERRNO, RECOVERS, LOCKS, RESUMES, KINDS };
// how a thread ends, or what it does meanwhile
enum { RETURNS, EXITS, CANCELLED, DETACHED, DESTRUCTOR, SIGNALS_BLOCKED, COROUTINE, BLOCKS_NOW_AND_THEN, FORKS, SLEEPS };

extern long _wherry_hold_count(void) __attribute__((weak, visibility("hidden")));
long holds(void) { return _wherry_hold_count ? _wherry_hold_count() : 0; }

long nest(long n) { return n == 0 ? 1 : goNest(n) + 1; }
long touch(long kb) { volatile char b[1024]; b[0] = 1; return kb == 0 ? 0 : touch(kb - 1) + b[0]; }

static void expect(int ok) { if (!ok) abort(); }

static void call(int kind, long i) {
	switch (kind) {
	case ADDS: expect(goAdd(i, i + 1, 0.5) == 2 * i + 1); break;
	case ALLOCATES: goAlloc(); break;
	case SENDS: goSend(); break;
	case NESTS: expect(nest(i % 5) == 2 * (i % 5) + 1); break;
	case GROWS: goGrow(i % 300); break;
	case COLLECTS: goCollect(i); break;
	case CALLS_C: expect(goCallsC(i) == i % 60); break; // musl gives threads 128 KB
	case ERRNO: errno = 7; expect(goAdd(1, 2, 3) == 6 && errno == 7); break;
	case RECOVERS: goRecover(); break;
	case LOCKS: goLock(); break;
	case RESUMES: expect(goResume(i % 1000) == i % 1000); break;
	}
}

static pthread_key_t key;
static __thread long mine;
static long detached_left;
static void destructor(void *unused) { (void)unused; goCount(5); }
__attribute__((constructor)) static void start(void) { pthread_key_create(&key, destructor); }

#ifdef __GLIBC__
struct coroutine { ucontext_t back, there; };
static void coroutine_main(unsigned low, unsigned high) {
	struct coroutine *c = (struct coroutine *)((uintptr_t)low | (uintptr_t)high << 32);
	for (long i = 0;; i++) {
		call(i % KINDS == COLLECTS || i % KINDS == RESUMES ? ADDS : i % KINDS, i);
		if (i % 50 == 49) swapcontext(&c->there, &c->back);
	}
}
static void begin_coroutine(struct coroutine *c, char *stack, size_t size) {
	getcontext(&c->there);
	c->there.uc_stack.ss_sp = stack, c->there.uc_stack.ss_size = size, c->there.uc_link = NULL;
	makecontext(&c->there, (void (*)(void))coroutine_main, 2, (unsigned)(uintptr_t)c, (unsigned)((uintptr_t)c >> 32));
}
static void resume(struct coroutine *c) { swapcontext(&c->back, &c->there); }
#else
struct coroutine { int unused; };
static void begin_coroutine(struct coroutine *c, char *stack, size_t size) { (void)c, (void)stack, (void)size; }
static void resume(struct coroutine *c) { (void)c; }
#endif

typedef struct { int kind, end; long n; } job;
static void *run(void *p) {
	job *j = p;
	sigset_t some, old;
	sigemptyset(&some);
	sigaddset(&some, SIGURG);
	mine = j->n;
	struct coroutine c;
	char *stack = NULL;
	if (j->end == DESTRUCTOR) pthread_setspecific(key, j);
	if (j->end == SIGNALS_BLOCKED) {
		sigset_t all;
		sigfillset(&all);
		pthread_sigmask(SIG_BLOCK, &all, NULL);
	}
	if (j->end == COROUTINE) {
		stack = malloc(1 << 18);
		begin_coroutine(&c, stack, 1 << 18);
	}
	for (long i = 0; i < j->n; i++) {
		call(j->kind == KINDS ? (int)(i / 1000 % KINDS) : j->kind, i);
		if (j->end == COROUTINE && i % 400 == 399) resume(&c);
		if (j->end == SLEEPS && i % 700 == 699) usleep(50);
		if (j->end == SIGNALS_BLOCKED && i == j->n / 2) pthread_sigmask(SIG_UNBLOCK, &some, NULL);
		if (j->end == BLOCKS_NOW_AND_THEN && i % 1000 == 999) {
			pthread_sigmask(SIG_BLOCK, &some, &old);
			expect(goAdd(1, 2, 3) == 6);
			pthread_sigmask(SIG_SETMASK, &old, &some);
			expect(sigismember(&some, SIGURG) == 1);
		}
		if (j->end == FORKS && i % 3000 == 2999) {
			// In a fork, Go's handler of SIGCHLD would wait for a thread that enters Go the first
			// time; that one waits in malloc for the fork, in plain cgo too. A thread's first
			// callback unblocks SIGCHLD.
			int status;
			sigset_t died, old;
			sigemptyset(&died);
			sigaddset(&died, SIGCHLD);
			pthread_sigmask(SIG_BLOCK, &died, &old);
			pid_t child = fork();
			if (child == 0) _exit(3);
			expect(waitpid(child, &status, 0) == child && WEXITSTATUS(status) == 3 && system("exit 4") >> 8 == 4);
			pthread_sigmask(SIG_SETMASK, &old, NULL);
		}
	}
	expect(mine == j->n);
	goCount(1);
	free(stack);
	if (j->end == EXITS) pthread_exit(NULL);
	if (j->end == CANCELLED) {
		pthread_cancel(pthread_self());
		pthread_testcancel();
	}
	return p;
}
static void *run_detached(void *p) {
	run(p);
	free(p);
	__atomic_fetch_sub(&detached_left, 1, __ATOMIC_RELEASE);
	return NULL;
}

void threads(int n, int kind, int end, long count) {
	pthread_t t[64];
	job j = {kind, end, count};
	for (int i = 0; i < n; i++) {
		if (end != DETACHED) {
			expect(pthread_create(&t[i], NULL, run, &j) == 0);
			continue;
		}
		job *own = malloc(sizeof *own);
		*own = j;
		__atomic_fetch_add(&detached_left, 1, __ATOMIC_RELEASE);
		expect(pthread_create(&t[i], NULL, run_detached, own) == 0);
		pthread_detach(t[i]);
	}
	for (int i = 0; i < n && end != DETACHED; i++) pthread_join(t[i], NULL);
	while (__atomic_load_n(&detached_left, __ATOMIC_ACQUIRE)) usleep(100);
}

// A device asks for 512 frames every 5 ms, at real-time priority where that is allowed.
static void *device(void *n) {
	struct sched_param priority = {.sched_priority = 10};
	pthread_setschedparam(pthread_self(), SCHED_FIFO, &priority);
	float frames[512];
	for (int i = 0; i < *(int *)n; i++) {
		struct timespec t = {0, 5000000};
		clock_nanosleep(CLOCK_MONOTONIC, 0, &t, NULL);
		goFrames(frames, 512);
		expect(frames[0] == 0 && frames[511] == 511);
	}
	return NULL;
}
void audio(int n) {
	pthread_t t;
	expect(pthread_create(&t, NULL, device, &n) == 0);
	pthread_join(t, NULL);
}

// Once C handles SIGURG, no thread holds its P.
static void on_signal(int sig) { (void)sig; }
void handle(void) {
	struct sigaction act;
	memset(&act, 0, sizeof act);
	act.sa_handler = on_signal;
	act.sa_flags = SA_ONSTACK;
	expect(sigaction(SIGURG, &act, NULL) == 0);
}

// Nor when a library is loaded that calls crosscall2.
void load(char *path) { expect(dlopen(path, RTLD_LAZY) != NULL); }

// Another thread sends a signal to one that holds its P, as a watchdog does.
static volatile int watched;
static void *watch(void *thread) {
	while (!watched) {
		usleep(1000);
		pthread_kill(*(pthread_t *)thread, SIGABRT);
	}
	return NULL;
}
void watchdog(int n) {
	pthread_t t, dog;
	job j = {ADDS, RETURNS, n};
	expect(pthread_create(&t, NULL, run, &j) == 0 && pthread_create(&dog, NULL, watch, &t) == 0);
	pthread_join(t, NULL);
	watched = 1;
	pthread_join(dog, NULL);
}

// A signal comes to a thread between its callbacks, also by a pipe that nobody reads, and by a handler
// that goes on to the one that it has replaced.
static struct sigaction replaced;
static void chain(int sig, siginfo_t *info, void *context) { replaced.sa_sigaction(sig, info, context); }
static void *signalled_thread(void *sig) {
	for (long i = 0; i < 6000; i++) call(ADDS, i);
	if (*(int *)sig > CHAINED) {
		struct sigaction act;
		memset(&act, 0, sizeof act);
		act.sa_sigaction = chain;
		act.sa_flags = SA_ONSTACK | SA_SIGINFO;
		*(int *)sig -= CHAINED;
		expect(sigaction(*(int *)sig, &act, &replaced) == 0);
	}
	int ends[2];
	expect(pipe(ends) == 0 && close(ends[0]) == 0);
	if (*(int *)sig == SIGPIPE) expect(write(ends[1], sig, 1) == -1);
	else raise(*(int *)sig);
	call(ADDS, 1);
	return NULL;
}
void signalled(int sig) {
	pthread_t t;
	expect(pthread_create(&t, NULL, signalled_thread, &sig) == 0 && pthread_join(t, NULL) == 0);
}

// A thread looks at the libraries, as unwinders do, and meanwhile another one calls Go, for which the
// first one waits.
static struct { int looking, called; long held; } libraries;
static int wait_for_calls(struct dl_phdr_info *library, size_t size, void *unused) {
	(void)library, (void)size, (void)unused;
	__atomic_store_n(&libraries.looking, 1, __ATOMIC_RELEASE);
	while (!__atomic_load_n(&libraries.called, __ATOMIC_ACQUIRE)) usleep(100);
	return 1;
}
static void *look(void *unused) {
	expect(dl_iterate_phdr(wait_for_calls, unused) == 1);
	return NULL;
}
static void *call_meanwhile(void *unused) {
	while (!__atomic_load_n(&libraries.looking, __ATOMIC_ACQUIRE)) usleep(100);
	for (long i = 0; i < 6000; i++) call(ADDS, i);
	libraries.held = holds();
	__atomic_store_n(&libraries.called, 1, __ATOMIC_RELEASE);
	return unused;
}
long looked_at(void) {
	pthread_t looks, calls;
	expect(pthread_create(&looks, NULL, look, NULL) == 0 && pthread_create(&calls, NULL, call_meanwhile, NULL) == 0);
	expect(pthread_join(calls, NULL) == 0 && pthread_join(looks, NULL) == 0);
	threads(1, ADDS, RETURNS, 60000); // nobody looks any more
	return libraries.held;
}

static void *die(void *how) {
	struct sigaction act, old;
	memset(&act, 0, sizeof act);
	act.sa_handler = on_signal;
	act.sa_flags = SA_ONSTACK;
	long before = holds();
	if (*(int *)how == 8) { // C has a handler for a while
		sigaction(SIGSEGV, &act, &old);
		for (int i = 0; i < 3000; i++) goAdd(1, 2, 3);
		sigaction(SIGSEGV, &old, NULL);
	}
	for (int i = 0; i < 20000 && (i < 600 || holds() == before); i++) goAdd(1, 2, 3);
	switch (*(int *)how) {
	case 0: *(volatile int *)8 = 1;
	case 1: abort();
	case 2: __builtin_trap();
	case 3: goPanic();
	case 4: goExit();
	case 5: raise(SIGTERM);
	case 6: exit(9);
	case 7: goNil(); break;
	case 8: *(volatile int *)8 = 1;
	}
	return NULL;
}
void dies(int how) {
	pthread_t t;
	pthread_create(&t, NULL, die, &how);
	pthread_join(t, NULL);
}
