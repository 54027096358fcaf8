#define _GNU_SOURCE
#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <semaphore.h>
#include <setjmp.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <ucontext.h>
#include <unistd.h>
#include "_cgo_export.h"

enum { COUNTS, WAITS, WAITS_MASKED, LEAVES, LEAVES_READ, CALLS_GO, BLOCKS, CALLED };

extern long _wherry_hold_count(void) __attribute__((weak, visibility("hidden")));
long holds(void) { return _wherry_hold_count ? _wherry_hold_count() : 0; }

static void expect(int ok) { if (!ok) abort(); }

// A handler asks a goroutine for a collection, and waits for it.
static sem_t wanted;
static volatile int asked, collected;
void serve(void) {
	for (;;) {
		while (sem_wait(&wanted) != 0) {}
		goCollects();
		__atomic_store_n(&collected, asked, __ATOMIC_RELEASE);
	}
}
__attribute__((constructor)) static void start(void) { sem_init(&wanted, 0, 0); }
static void collect(void) {
	int n = asked + 1;
	asked = n;
	sem_post(&wanted);
	while (__atomic_load_n(&collected, __ATOMIC_ACQUIRE) != n) __asm__ volatile("" ::: "memory");
}

static int what;
static volatile long came, wants, over;
static sigjmp_buf away;
static __thread int here; // where siglongjmp leads

static void handler(int sig, siginfo_t *info, void *context) {
	ucontext_t *u = context;
	int saved = errno;
	expect(info->si_signo == sig);
	came = came + 1;
	switch (what) {
	case WAITS: case WAITS_MASKED: case CALLED: collect(); break;
	case LEAVES: case LEAVES_READ:
		if (here) siglongjmp(away, 1);
		break;
	case CALLS_GO: expect(goAdd(40, 2) == 42 && goGrow(50) == 0); break;
	case BLOCKS: sigaddset(&u->uc_sigmask, SIGURG); break;
	}
	errno = saved;
}

// Another thread sends what this one wants, or sends all the time.
static void *sends(void *to) {
	unsigned random = 1;
	while (!over) {
		if (what != COUNTS && what != LEAVES_READ && !wants) continue;
		if (what == COUNTS) usleep(300);
		if (what == LEAVES_READ) for (random = random * 1103515245 + 12345; random >> 20; random -= 1 << 20) __asm__ volatile("" : "+r"(random));
		if (wants) pthread_kill(*(pthread_t *)to, wants), wants = what == COUNTS ? wants : 0;
	}
	return NULL;
}

// signalled has a signal come while C runs here.
static void signalled(int sig) {
	long before = came;
	here = 1;
	if (sigsetjmp(away, 1) == 0) {
		wants = sig;
		while (came == before) __asm__ volatile("" ::: "memory");
	}
	here = 0;
	while (wants) {}
}

// A signal ends a read, wherever it comes.
static void reads(int sig, int *ends) {
	char byte;
	if (sigsetjmp(away, 1) == 0) {
		here = 1;
		wants = sig;
		for (;;) expect(read(ends[0], &byte, 1) < 0);
	}
	here = 0;
	while (wants) {}
}

static void install(int sig, int flags) {
	struct sigaction act, old;
	memset(&act, 0, sizeof act);
	act.sa_sigaction = handler;
	act.sa_flags = flags | SA_SIGINFO;
	if (what == WAITS_MASKED) sigfillset(&act.sa_mask);
	expect(sigaction(sig, &act, NULL) == 0 && sigaction(sig, NULL, &old) == 0);
	expect(old.sa_sigaction == handler && (old.sa_flags & (SA_SIGINFO | SA_ONSTACK)) == (act.sa_flags & (SA_SIGINFO | SA_ONSTACK)));
	expect(sigismember(&old.sa_mask, SIGURG) == sigismember(&act.sa_mask, SIGURG));
}

static void *calls(void *unused) {
	int ends[2];
	expect(pipe(ends) == 0);
#ifdef WHERRY_NEAR // an emulator takes longer
	long rounds = what == COUNTS ? 50 : 10;
#else
	long rounds = what == COUNTS ? 200 : 40;
#endif
	for (long round = 0; round < rounds; round++) {
		int sig = round % 2 ? SIGUSR1 : SIGALRM;
		for (long i = 0; i < 20000; i++) expect(goAdd(i, round) == i + round);
		if (what == COUNTS) wants = sig;
		else if (what == LEAVES_READ) for (int i = 0; i < 50; i++) reads(sig, ends);
		else for (int i = 0; i < 3; i++) signalled(sig);
		for (long i = 0; i < 100; i++) expect(goGrow(i) == 0);
		if (what == BLOCKS) {
			sigset_t urgent;
			sigemptyset(&urgent), sigaddset(&urgent, SIGURG);
			pthread_sigmask(SIG_UNBLOCK, &urgent, NULL);
		}
	}
	wants = 0;
	return NULL;
}

// run returns what the signals have made of it.
long run(int n) {
	pthread_t t, sender;
	what = n;
	install(SIGUSR1, what == CALLS_GO || what == LEAVES_READ ? 0 : SA_ONSTACK);
	install(SIGALRM, what == CALLS_GO ? 0 : SA_ONSTACK | SA_RESTART);
	t = pthread_self();
	if (what != CALLED) expect(pthread_create(&t, NULL, calls, NULL) == 0);
	expect(pthread_create(&sender, NULL, sends, &t) == 0);
	if (what != CALLED) pthread_join(t, NULL);
	else {
		goAdd(1, 2);
		signalled(SIGUSR1);
	}
	over = 1;
	pthread_join(sender, NULL);
	return what == COUNTS || what == LEAVES_READ ? came > 0 : came;
}
