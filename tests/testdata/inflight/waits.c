// Waits of C. A thread of C's ends the program when it hangs: goroutines could not tell.

#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/epoll.h>
#include <sys/file.h>
#include <sys/select.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
#include "waits.h"

extern void goCallback(void);

static void *watch(void *unused) {
	sigset_t all;
	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, NULL);
	sleep(60);
	fprintf(stderr, "%s hangs\n", now_at != NULL ? now_at : "the program");
	_exit(3);
	return unused;
}

const char *volatile now_at;
static int in_pipe, out_pipe, in_pair, out_pair, epoller, listener, file[2];
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
static pthread_rwlock_t rwlock = PTHREAD_RWLOCK_INITIALIZER;
static pthread_barrier_t barrier;
static sem_t semaphore, never;
static volatile int said, signalled;

void start(void) {
	int p[2];
	pthread_t thread;
	struct sockaddr_un name = {.sun_family = AF_UNIX};
	struct timeval millisecond = {0, 1000};
	char path[] = "fileXXXXXX";
	struct epoll_event e = {.events = EPOLLIN};
	if (pthread_create(&thread, NULL, watch, NULL) != 0 || pipe(p) != 0) abort();
	in_pipe = p[0], out_pipe = p[1];
	if (socketpair(AF_UNIX, SOCK_STREAM, 0, p) != 0) abort();
	in_pair = p[0], out_pair = p[1];
	if ((epoller = epoll_create1(0)) < 0 || epoll_ctl(epoller, EPOLL_CTL_ADD, in_pipe, &e) != 0) abort();
	if ((file[0] = mkstemp(path)) < 0 || (file[1] = open(path, O_RDWR)) < 0) abort();
	unlink(path);
	if ((listener = socket(AF_UNIX, SOCK_STREAM, 0)) < 0 || bind(listener, (struct sockaddr *)&name, sizeof name.sun_family) != 0 ||
		listen(listener, 1) != 0) abort();
	setsockopt(listener, SOL_SOCKET, SO_RCVTIMEO, &millisecond, sizeof millisecond);
	setsockopt(out_pair, SOL_SOCKET, SO_RCVTIMEO, &millisecond, sizeof millisecond);
	pthread_barrier_init(&barrier, NULL, 2);
	sem_init(&semaphore, 0, 0);
	sem_init(&never, 0, 0);
}

// doze waits for a millisecond and returns the errno of a wait that was interrupted,
// else 0.
static int doze(int way) {
	struct timespec t = {0, 1000000}, until;
	struct timeval v = {0, 1000};
	struct epoll_event e;
	sigset_t set;
	char byte;
	int result = 0;
	clock_gettime(CLOCK_REALTIME, &until);
	if ((until.tv_nsec += 1000000) >= 1000000000) until.tv_nsec -= 1000000000, until.tv_sec++;
	errno = 0;
	switch (way) {
	case 0: result = nanosleep(&t, NULL); break;
	case 1: result = usleep(1000); break;
	case 2: result = poll(NULL, 0, 1); break;
	case 3: result = ppoll(NULL, 0, &t, NULL); break;
	case 4: result = select(0, NULL, NULL, NULL, &v); break;
	case 5: result = pselect(0, NULL, NULL, NULL, &t, NULL); break;
	case 6: result = epoll_wait(epoller, &e, 1, 1); break;
	case 7: result = sem_timedwait(&never, &until); break;
	case 8: result = (int)recv(out_pair, &byte, 1, 0); break;
	case 9: result = accept(listener, NULL, NULL); break;
	case 10:
		sigemptyset(&set);
		sigaddset(&set, SIGRTMAX);
		result = sigtimedwait(&set, NULL, &t);
		break;
	case 11: return clock_nanosleep(CLOCK_MONOTONIC, 0, &t, NULL);
	case 12:
		pthread_mutex_lock(&mutex);
		result = pthread_cond_timedwait(&condition, &mutex, &until);
		pthread_mutex_unlock(&mutex);
		return result;
	}
	return result < 0 ? errno : 0;
}

static const char *const dozes[] = {"nanosleep", "usleep", "poll", "ppoll", "select", "pselect", "epoll_wait", "sem_timedwait", "recv",
	"accept", "sigtimedwait", "clock_nanosleep", "pthread_cond_timedwait"};
const char *doze_name(int way) { return way < (int)(sizeof dozes / sizeof *dozes) ? now_at = dozes[way] : NULL; }

// doze_until_said returns how often it dozed.
int doze_until_said(int way) {
	int n = 0;
	for (; !said; n++) doze(way);
	said = 0;
	return n;
}
void say(void) { said = 1; }
int interrupted(int way) { return doze(way) == EINTR; }

// Waits that another goroutine's call ends.
static const char *const waits[] = {"read", "recv", "epoll_wait until", "sem_wait", "pthread_cond_wait", "pthread_barrier_wait",
	"pthread_mutex_lock", "pthread_rwlock_wrlock", "flock", "waitpid"};
const char *wait_name(int way) { return way < (int)(sizeof waits / sizeof *waits) ? now_at = waits[way] : NULL; }
static pid_t child;
void before(int way) {
	switch (way) {
	case 6: pthread_mutex_lock(&mutex); break;
	case 7: pthread_rwlock_wrlock(&rwlock); break;
	case 8: flock(file[1], LOCK_EX); break;
	case 9:
		if ((child = fork()) == 0)
			for (;;) pause();
	}
}
int wait_in(int way) {
	struct epoll_event e;
	char byte;
	switch (way) {
	case 0: return read(in_pipe, &byte, 1) == 1;
	case 1: return recv(in_pair, &byte, 1, 0) == 1;
	case 2: return epoll_wait(epoller, &e, 1, -1) == 1 && read(in_pipe, &byte, 1) == 1;
	case 3: return sem_wait(&semaphore) == 0;
	case 4:
		pthread_mutex_lock(&mutex);
		while (!signalled) pthread_cond_wait(&condition, &mutex);
		signalled = 0;
		return pthread_mutex_unlock(&mutex) == 0;
	case 5: return pthread_barrier_wait(&barrier) <= 0;
	case 6: return pthread_mutex_lock(&mutex) == 0 && pthread_mutex_unlock(&mutex) == 0;
	case 7: return pthread_rwlock_wrlock(&rwlock) == 0 && pthread_rwlock_unlock(&rwlock) == 0;
	case 8: return flock(file[0], LOCK_EX) == 0 && flock(file[0], LOCK_UN) == 0;
	case 9: return waitpid(child, NULL, 0) == child;
	}
	return 0;
}
void end_it(int way) {
	switch (way) {
	case 0: case 2: if (write(out_pipe, "", 1) != 1) abort(); break;
	case 1: if (write(out_pair, "", 1) != 1) abort(); break;
	case 3: sem_post(&semaphore); break;
	case 4:
		pthread_mutex_lock(&mutex);
		signalled = 1;
		pthread_cond_signal(&condition);
		pthread_mutex_unlock(&mutex);
		break;
	case 5: pthread_barrier_wait(&barrier); break;
	case 6: pthread_mutex_unlock(&mutex); break;
	case 7: pthread_rwlock_unlock(&rwlock); break;
	case 8: flock(file[1], LOCK_UN); break;
	case 9: kill(child, SIGKILL); break;
	}
}

// A lock that is held across a callback, and a thread that waits for Go.
static int spin_lock;
static void spin_in(void) { while (__atomic_exchange_n(&spin_lock, 1, __ATOMIC_ACQUIRE)) {} }
static void spin_out(void) { __atomic_store_n(&spin_lock, 0, __ATOMIC_RELEASE); }
void hold(int spins, int calls_back) {
	if (spins) spin_in(); else pthread_mutex_lock(&mutex);
	if (calls_back) goCallback();
	if (spins) spin_out(); else pthread_mutex_unlock(&mutex);
}
static void *calls_back(void *unused) {
	goCallback();
	return unused;
}
int join_thread(void) {
	pthread_t thread;
	return pthread_create(&thread, NULL, calls_back, NULL) == 0 && pthread_join(thread, NULL) == 0;
}
