#define _GNU_SOURCE
#include <signal.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
#include "cthread.h"

static uint64_t next(uint64_t *x) { // xorshift
	*x ^= *x << 13; *x ^= *x >> 7; *x ^= *x << 17;
	return *x;
}

static int post(job *j, uint32_t producer, uint64_t number, uint32_t size, unsigned flags) {
	unsigned char record[4096];
	mark m = {producer, size, number};
	memcpy(record, &m, sizeof m);
	for (uint32_t i = sizeof m; i < size; i++)
		record[i] = (unsigned char)(producer + number + i);
	return wherry_event_post_with(j->queue, (uint64_t)producer << 48 | number, record, size, flags);
}

static __thread job *interrupted;
static __thread uint64_t handled;
static __thread uint64_t handler_full, handler_posted, handler_other;

static void on_signal(int number) {
	(void)number;
	job *j = interrupted;
	if (j == NULL)
		return;
	int result = post(j, j->producer + 1, handled, sizeof(mark) + 8, j->flags | WHERRY_EVENT_NOWAIT);
	if (result == 0) { handled++; handler_posted++; }
	else if (result == WHERRY_EVENT_FULL) handler_full++;
	else handler_other++;
}

static void *run(void *arg) {
	job *j = arg;
	uint64_t random = j->producer * UINT64_C(0x9E3779B97F4A7C15) + 1;
	timer_t timer;
	if (j->signals) {
		struct sigaction action = {0};
		action.sa_handler = on_signal;
		action.sa_flags = SA_RESTART | SA_ONSTACK; // Go demands SA_ONSTACK
		sigaction(SIGUSR2, &action, NULL);
		interrupted = j;
		struct sigevent event = {0};
		event.sigev_notify = SIGEV_THREAD_ID;
		event.sigev_signo = SIGUSR2;
		event._sigev_un._tid = (int)syscall(SYS_gettid);
		struct itimerspec every = {{0, 20000}, {0, 20000}};
		timer_create(CLOCK_MONOTONIC, &event, &timer);
		timer_settime(timer, 0, &every, NULL);
	}
	for (uint64_t i = 0; i < j->count || (j->signals && handler_posted < (uint64_t)j->signals); i++) {
		uint32_t size = j->min + (uint32_t)(next(&random) % (j->max - j->min + 1));
		for (;;) {
			errno = 1234;
			int result = post(j, j->producer, j->first + i, size, i < j->early ? WHERRY_EVENT_NOWAKE : j->flags);
			if (errno != 1234) j->last_errno = (uint64_t)errno;
			if (result == 0) { j->posted++; break; }
			if (result != WHERRY_EVENT_FULL) { j->other++; goto end; }
			j->full++;
			if (!j->again) break;
			if (j->full % 64 == 0) sched_yield();
		}
		if (j->pause && next(&random) % j->pause == 0) {
			struct timespec t = {0, (long)(next(&random) % 50000)};
			nanosleep(&t, NULL);
		}
	}
end:
	if (j->signals) {
		timer_delete(timer);
		sigset_t set;
		sigemptyset(&set); sigaddset(&set, SIGUSR2);
		pthread_sigmask(SIG_BLOCK, &set, NULL);
		interrupted = NULL;
		j->posted += handler_posted; j->full += handler_full; j->other += handler_other;
	}
	return NULL;
}

int  cthread_start(job *j) { return pthread_create(&j->thread, NULL, run, j); }
void cthread_join(job *j) { pthread_join(j->thread, NULL); }

int cthread_post(void *queue, uint64_t tag, const void *data, size_t size, unsigned flags) {
	return wherry_event_post_with(queue, tag, data, size, flags);
}

int cthread_post_many(void *queue, uint64_t first, uint64_t count) {
	for (uint64_t i = 0; i < count; i++) {
		uint64_t n = first + i;
		int result = wherry_event_post_tag(queue, n, &n, sizeof n);
		if (result != 0) return result;
	}
	return 0;
}

int cthread_post_in_child(void *queue) {
	int status = 0;
	pid_t child = fork();
	if (child == 0)
		_exit(-wherry_event_post(queue, "x", 1));
	if (child < 0 || waitpid(child, &status, 0) != child || !WIFEXITED(status))
		return 1;
	return -WEXITSTATUS(status);
}

uint64_t cthread_layout(int i) {
	switch (i) {
	case 0: return offsetof(struct wherry_event_queue, shift);
	case 1: return offsetof(struct wherry_event_queue, closed);
	case 2: return offsetof(struct wherry_event_queue, ring);
	case 3: return offsetof(struct wherry_event_ring, head);
	case 4: return offsetof(struct wherry_event_queue, sleep);
	case 5: return offsetof(struct wherry_event_queue, wakers);
	case 6: return offsetof(struct wherry_event_ring, space);
	case 7: return offsetof(struct wherry_event_queue, dropped);
	case 8: return offsetof(struct wherry_event_queue, wakeups);
	case 9: return sizeof(struct wherry_event_queue);
	case 10: return offsetof(struct wherry_event_cell, tag);
	case 11: return sizeof(struct wherry_event_cell);
	case 12: return WHERRY_EVENT_MAGIC;
	case 13: return WHERRY_EVENT_LAP;
	case 14: return WHERRY_EVENT_FREE | WHERRY_EVENT_READY << 4 | WHERRY_EVENT_WRITING << 8 | WHERRY_EVENT_READING << 12 |
		WHERRY_EVENT_LATE_WRITING << 16 | WHERRY_EVENT_LATE_READY << 20 | WHERRY_EVENT_VOID << 24 | WHERRY_EVENT_SHUT << 28;
	case 15: return WHERRY_EVENT_MODE_DROP | WHERRY_EVENT_MODE_OVERWRITE << 4 | WHERRY_EVENT_MODE_WAIT << 8;
	case 16: return WHERRY_EVENT_SIZE_SHIFT;
	case 17: return offsetof(struct wherry_event_queue, fd);
	case 18: return offsetof(struct wherry_event_queue, lanes);
	case 19: return offsetof(struct wherry_event_queue, threads);
	case 20: return sizeof(struct wherry_event_ring);
	case 21: return offsetof(struct wherry_event_ring, waiting);
	case 22: return WHERRY_EVENT_OPEN | WHERRY_EVENT_CLOSING << 4 | WHERRY_EVENT_GONE << 8 |
		WHERRY_EVENT_ASLEEP << 12 | WHERRY_EVENT_SEALED << 16 | WHERRY_EVENT_FENCE << 20;
	case 23: return offsetof(struct wherry_event_ring, room);
	case 24: return offsetof(struct wherry_event_ring, owner);
	case 25: return offsetof(struct wherry_event_queue, first);
	case 26: return offsetof(struct wherry_event_queue, stride);
	case 27: return offsetof(struct wherry_event_ring, cells);
	case 28: return offsetof(struct wherry_event_ring, shift);
	}
	return 0;
}
