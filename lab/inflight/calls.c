#define _GNU_SOURCE
#include "calls.h"
#include <errno.h>
#include <fcntl.h>
#include <linux/futex.h>
#include <poll.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/select.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

extern void goCallback(void);
extern void goVisit(int);
extern int goCompare(int *, int *);

unsigned compute(unsigned x, unsigned rounds) {
	for (unsigned i = 0; i < rounds; i++) x = x * 1664525u + 1013904223u;
	return x ^ x >> 16;
}
int add(int a, int b) { return a + b; }
pair exchange(pair p) { return (pair){(long)p.b, (double)p.a}; }
int fails(int error) { errno = error; return error == 0 ? 0 : -1; }
void call_back(int n) { while (n-- > 0) goCallback(); }
void visit(visitor f, int n) { while (n-- > 0) f(n); }
visitor go_visitor(void) { return goVisit; }
static int compare(const void *a, const void *b) { return goCompare((int *)a, (int *)b); }
void sort_ints(int *values, int n) { qsort(values, (size_t)n, sizeof *values, compare); }
int rarely(int i) {
	if (i % 1000 == 0) goCallback();
	return i;
}
void sleep_for(int microseconds) {
	struct timespec t = {microseconds / 1000000, microseconds % 1000000 * 1000L};
	nanosleep(&t, NULL);
}

const char *way_name(int way) {
	static const char *const names[WAYS] = {"nanosleep", "clock_nanosleep", "usleep", "poll", "ppoll", "select", "pselect", "epoll_wait",
		"read-pipe", "recv-socketpair", "recv-timeout",
		"accept-timeout", "sem_timedwait", "sigtimedwait", "pthread_cond_timedwait", "pthread_mutex_lock", "flock", "vfork", "page-faults",
			"raw-futex", "spinning"};
	return way >= 0 && way < WAYS ? names[way] : NULL;
}

static int from_pipe, to_pipe, from_pair, to_pair, listener, epoller, file_mine, file_other;
static int orders, answers[2]; // to the helper and back
static sem_t semaphore;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER, other_mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
static volatile int word;

static void check(int ok, const char *what) {
	if (!ok) {
		perror(what);
		exit(1);
	}
}

static struct timespec after(clockid_t clock, int microseconds) {
	struct timespec t;
	clock_gettime(clock, &t);
	t.tv_nsec += microseconds % 1000000 * 1000L;
	t.tv_sec += microseconds / 1000000 + t.tv_nsec / 1000000000;
	t.tv_nsec %= 1000000000;
	return t;
}

typedef struct { int way, microseconds; } order;

static long raw_call(long number, long a, long b, long c, long d) {
#if defined(__x86_64__)
	long result;
	register long r10 __asm__("r10") = d;
	__asm__ volatile("syscall" : "=a"(result) : "0"(number), "D"(a), "S"(b), "d"(c), "r"(r10) : "rcx", "r11", "memory");
	return result;
#else
	register long x8 __asm__("x8") = number, x0 __asm__("x0") = a, x1 __asm__("x1") = b, x2 __asm__("x2") = c, x3 __asm__("x3") = d;
	__asm__ volatile("svc 0" : "+r"(x0) : "r"(x8), "r"(x1), "r"(x2), "r"(x3) : "memory");
	return x0;
#endif
}
// The reader of machine code, which keeps functions with such instructions on cgo, does not see
// through it: code made at run time looks like that.
static long (*volatile raw)(long, long, long, long, long) = raw_call;

// helper ends waits that have no end of their own. No Go runs on it.
static void *helper(void *in) {
	order o;
	sigset_t all;
	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, NULL);
	while (read((int)(intptr_t)in, &o, sizeof o) == sizeof o) {
		if (o.way == MUTEX_LOCK) pthread_mutex_lock(&mutex);
		if (o.way == FLOCK) check(flock(file_other, LOCK_EX) == 0, "flock");
		check(write(answers[1], "", 1) == 1, "write");
		sleep_for(o.microseconds);
		switch (o.way) {
		case READ: check(write(to_pipe, "", 1) == 1, "write"); break;
		case RECV: check(write(to_pair, "", 1) == 1, "write"); break;
		case MUTEX_LOCK: pthread_mutex_unlock(&mutex); break;
		case FLOCK: check(flock(file_other, LOCK_UN) == 0, "flock"); break;
		case SPIN: word = 1; break;
		}
	}
	return NULL;
}

static pthread_once_t once = PTHREAD_ONCE_INIT;
static void start(void) {
	int p[2];
	struct timeval millisecond = {0, 1000};
	struct sockaddr_un name = {.sun_family = AF_UNIX};
	check(pipe(p) == 0, "pipe"), from_pipe = p[0], to_pipe = p[1];
	check(socketpair(AF_UNIX, SOCK_STREAM, 0, p) == 0, "socketpair"), from_pair = p[0], to_pair = p[1];
	check((listener = socket(AF_UNIX, SOCK_STREAM, 0)) >= 0, "socket");
	check(bind(listener, (struct sockaddr *)&name, sizeof name.sun_family) == 0 && listen(listener, 1) == 0, "listen");
	setsockopt(listener, SOL_SOCKET, SO_RCVTIMEO, &millisecond, sizeof millisecond);
	check((epoller = epoll_create1(0)) >= 0, "epoll_create1");
	char path[] = "/tmp/inflightXXXXXX";
	check((file_mine = mkstemp(path)) >= 0, "mkstemp");
	check((file_other = open(path, O_RDWR)) >= 0, "open");
	unlink(path);
	sem_init(&semaphore, 0, 0);
	check(pipe(answers) == 0 && pipe(p) == 0, "pipe"), orders = p[1];
	pthread_t thread;
	check(pthread_create(&thread, NULL, helper, (void *)(intptr_t)p[0]) == 0, "pthread_create");
}

// read_from_disk reads pages of a file that the page cache does not have.
static void read_from_disk(int microseconds) {
	enum { SIZE = 64 << 20, PAGE = 4096 };
	static int file = -1;
	static char *pages;
	static unsigned next;
	if (file < 0) {
		char path[] = "/var/tmp/inflightXXXXXX";
		check((file = mkstemp(path)) >= 0, "mkstemp");
		unlink(path);
		char *some = calloc(1, 1 << 20);
		for (int i = 0; i < SIZE >> 20; i++) check(write(file, some, 1 << 20) == 1 << 20, "write");
		free(some);
		check(fsync(file) == 0, "fsync");
		check((pages = mmap(NULL, SIZE, PROT_READ, MAP_SHARED, file, 0)) != MAP_FAILED, "mmap");
		madvise(pages, SIZE, MADV_RANDOM);
	}
	struct timespec end = after(CLOCK_MONOTONIC, microseconds), t;
	do {
		if (next % 1024 == 0) {
			madvise(pages, SIZE, MADV_DONTNEED);
			posix_fadvise(file, 0, SIZE, POSIX_FADV_DONTNEED);
		}
		word = pages[(size_t)(next++ * 7919u % (SIZE / PAGE)) * PAGE];
		clock_gettime(CLOCK_MONOTONIC, &t);
	} while (t.tv_sec < end.tv_sec || (t.tv_sec == end.tv_sec && t.tv_nsec < end.tv_nsec));
}

void prepare(int way, int microseconds) {
	char answer;
	pthread_once(&once, start);
	word = 0;
	order o = {way, microseconds};
	if (way == READ || way == RECV || way == MUTEX_LOCK || way == FLOCK || way == SPIN) {
		check(write(orders, &o, sizeof o) == sizeof o, "write");
		while (read(answers[0], &answer, 1) != 1) {}
	}
}

int wait_in(int way, int microseconds) {
	struct timespec t = {microseconds / 1000000, microseconds % 1000000 * 1000L}, until;
	struct timeval v = {microseconds / 1000000, microseconds % 1000000};
	struct pollfd p = {from_pipe, POLLIN, 0};
	struct epoll_event e;
	sigset_t set;
	char byte;
	int milliseconds = microseconds / 1000, result = 0;
	errno = 0;
	switch (way) {
	case NANOSLEEP: result = nanosleep(&t, NULL); break;
	case CLOCK_NANOSLEEP: return clock_nanosleep(CLOCK_MONOTONIC, 0, &t, NULL);
	case USLEEP: result = usleep((unsigned)microseconds); break;
	case POLL: result = poll(&p, 1, milliseconds); break;
	case PPOLL: result = ppoll(&p, 1, &t, NULL); break;
	case SELECT: result = select(0, NULL, NULL, NULL, &v); break;
	case PSELECT: result = pselect(0, NULL, NULL, NULL, &t, NULL); break;
	case EPOLL_WAIT: result = epoll_wait(epoller, &e, 1, milliseconds); break;
	case READ: result = read(from_pipe, &byte, 1) == 1 ? 0 : -1; break;
	case RECV: result = recv(from_pair, &byte, 1, 0) == 1 ? 0 : -1; break;
	case RECV_TIMEOUT:
		setsockopt(to_pair, SOL_SOCKET, SO_RCVTIMEO, &v, sizeof v);
		result = (int)recv(to_pair, &byte, 1, 0);
		break;
	case ACCEPT_TIMEOUT:
		setsockopt(listener, SOL_SOCKET, SO_RCVTIMEO, &v, sizeof v);
		result = accept(listener, NULL, NULL);
		break;
	case SEM_TIMEDWAIT:
		until = after(CLOCK_REALTIME, microseconds);
		result = sem_timedwait(&semaphore, &until);
		break;
	case SIGTIMEDWAIT:
		sigemptyset(&set);
		sigaddset(&set, SIGRTMAX);
		result = sigtimedwait(&set, NULL, &t);
		break;
	case COND_TIMEDWAIT:
		pthread_mutex_lock(&other_mutex);
		until = after(CLOCK_REALTIME, microseconds);
		result = pthread_cond_timedwait(&condition, &other_mutex, &until);
		pthread_mutex_unlock(&other_mutex);
		return result;
	case MUTEX_LOCK:
		result = pthread_mutex_lock(&mutex);
		pthread_mutex_unlock(&mutex);
		return result;
	case FLOCK:
		result = flock(file_mine, LOCK_EX);
		flock(file_mine, LOCK_UN);
		break;
	case VFORK: {
		pid_t child = vfork();
		if (child == 0) {
			raw(SYS_nanosleep, (long)&t, 0, 0, 0);
			_exit(0);
		}
		result = waitpid(child, NULL, 0) == child ? 0 : -1;
		break;
	}
	case PAGE_FAULTS: read_from_disk(microseconds); break;
	}
	return result < 0 ? errno : 0;
}

int wait_raw(int way, int microseconds) {
	struct timespec t = {microseconds / 1000000, microseconds % 1000000 * 1000L};
	if (way == RAW_FUTEX) return (int)-raw(SYS_futex, (long)&word, FUTEX_WAIT_PRIVATE, 0, (long)&t);
	while (!word) {}
	return 0;
}

static pthread_mutex_t crossed = PTHREAD_MUTEX_INITIALIZER, signalled_mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t signalled_condition = PTHREAD_COND_INITIALIZER;
static int spin_lock, signalled;
static volatile int said;

void lock_and_call_back(void) {
	pthread_mutex_lock(&crossed);
	goCallback();
	pthread_mutex_unlock(&crossed);
}
void lock_only(void) {
	pthread_mutex_lock(&crossed);
	pthread_mutex_unlock(&crossed);
}
void spin_only(void) {
	while (__atomic_exchange_n(&spin_lock, 1, __ATOMIC_ACQUIRE)) {}
	__atomic_store_n(&spin_lock, 0, __ATOMIC_RELEASE);
}
void spin_and_call_back(void) {
	while (__atomic_exchange_n(&spin_lock, 1, __ATOMIC_ACQUIRE)) {}
	goCallback();
	__atomic_store_n(&spin_lock, 0, __ATOMIC_RELEASE);
}
void wait_for_signal(void) {
	pthread_mutex_lock(&signalled_mutex);
	while (!signalled) pthread_cond_wait(&signalled_condition, &signalled_mutex);
	signalled = 0;
	pthread_mutex_unlock(&signalled_mutex);
}
void signal_it(void) {
	pthread_mutex_lock(&signalled_mutex);
	signalled = 1;
	pthread_cond_signal(&signalled_condition);
	pthread_mutex_unlock(&signalled_mutex);
}
void spin_for_word(void) {
	while (!said) {}
	said = 0;
}
void say_word(void) { said = 1; }

static void *calls_back(void *unused) {
	goCallback();
	return unused;
}
void thread_calls_back(void) {
	pthread_t thread;
	check(pthread_create(&thread, NULL, calls_back, NULL) == 0, "pthread_create");
	pthread_join(thread, NULL);
}

const char *inside_name(int what) {
	static const char *const names[INSIDE] = {"mutex", "rwlock", "semaphore", "spinlock", "fgetc", "fputc", "write", "fprintf"};
	return what >= 0 && what < INSIDE ? names[what] : NULL;
}

static FILE *zeros, *nothing;
static pthread_rwlock_t rwlock = PTHREAD_RWLOCK_INITIALIZER;
static pthread_mutex_t free_mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_spinlock_t spinlock;
static sem_t one;

__attribute__((constructor)) static void prepare_inside(void) {
	check((zeros = fopen("/dev/zero", "r")) != NULL && (nothing = fopen("/dev/null", "w")) != NULL, "fopen");
	check(pthread_spin_init(&spinlock, 0) == 0 && sem_init(&one, 0, 1) == 0, "sem_init");
}

#define TIMES(wrong) for (int i = 0; i < n; i++) failed += (wrong); break
int inside(int what, int n) {
	int failed = 0;
	switch (what) {
	case MUTEX: TIMES(pthread_mutex_lock(&free_mutex) | pthread_mutex_unlock(&free_mutex));
	case RWLOCK: TIMES(pthread_rwlock_rdlock(&rwlock) | pthread_rwlock_unlock(&rwlock));
	case SEMAPHORE: TIMES(sem_wait(&one) | sem_post(&one));
	case SPINLOCK: TIMES(pthread_spin_lock(&spinlock) | pthread_spin_unlock(&spinlock));
	case FGETC: TIMES(fgetc(zeros) != 0);
	case FPUTC: TIMES(fputc('x', nothing) != 'x');
	case WRITE: TIMES(write(fileno(nothing), "x", 1) != 1);
	case FPRINTF: TIMES(fprintf(nothing, "%d", i % 10) != 1);
	default: return -1;
	}
	return failed;
}
