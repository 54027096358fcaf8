// C functions that the cases call. Those that call back into Go say so.
#pragma once
#include <stdint.h>

typedef struct { long a; double b; } pair;

unsigned compute(unsigned x, unsigned rounds);
int add(int a, int b);
pair exchange(pair p);
int fails(int error);

// What C does inside of a call, so many times; returns how often it went wrong, or -1.
enum { MUTEX, RWLOCK, SEMAPHORE, SPINLOCK, FGETC, FPUTC, WRITE, FPRINTF, INSIDE };
const char *inside_name(int what);
int inside(int what, int n);
void call_back(int n);
typedef void (*visitor)(int);
void visit(visitor f, int n); // whose code does not show that it calls Go
visitor go_visitor(void);
void sort_ints(int *values, int n);
int rarely(int i);

// How C can wait.
enum { NANOSLEEP, CLOCK_NANOSLEEP, USLEEP, POLL, PPOLL, SELECT, PSELECT, EPOLL_WAIT, READ, RECV, RECV_TIMEOUT, ACCEPT_TIMEOUT,
	SEM_TIMEDWAIT, SIGTIMEDWAIT,
	COND_TIMEDWAIT, MUTEX_LOCK, FLOCK, VFORK, PAGE_FAULTS, RAW_FUTEX, SPIN, WAYS };
const char *way_name(int way);
void prepare(int way, int microseconds); // has another thread end the wait after so long, where the call itself does not
int wait_in(int way, int microseconds);  // returns 0, or the errno
int wait_raw(int way, int microseconds); // the same for those without the C library

// Waits that something else has to end.
void lock_and_call_back(void);
void lock_only(void);
void spin_and_call_back(void);
void spin_only(void);
void wait_for_signal(void);
void signal_it(void);
void spin_for_word(void);
void say_word(void);
void thread_calls_back(void);
void sleep_for(int microseconds);

// Threads of C's that call Go, with a gap between two callbacks.
enum { ADDS, ALLOCATES, TASKS };
enum { GAP_NONE, GAP_COMPUTES, GAP_SLEEPS, GAP_RAW };
void start_threads(int n, int gap_kind, long nanoseconds, unsigned rounds, int work);
long callbacks_of_threads(int n);
void end_threads(int n);
void thread_lives(long callbacks);
