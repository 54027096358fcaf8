// The header once more, with code between the steps of a post.
#define _GNU_SOURCE
#include <stdatomic.h>
#include <sched.h>
#include <unistd.h>
static void step(void);
#define WHERRY_EVENT_STEP(name) step()
#include "cthread.h"

static __thread victim *me;
static __thread int steps;
static __thread uint64_t stammer; // random, or 0

static void step(void) {
	if (stammer) {
		stammer ^= stammer << 13; stammer ^= stammer >> 7; stammer ^= stammer << 17;
		if (stammer % 16 == 0)
			for (volatile uint64_t i = stammer >> 32 & 8191; i > 0; i--) {}
	}
	if (me == NULL || steps++ != me->stop_at)
		return;
	victim *v = me;
	__atomic_store_n(&v->stopped, 1, __ATOMIC_SEQ_CST);
	if (v->how == 0)
		pthread_exit(NULL);
	if (v->how == 1)
		for (;;) pause();
	while (!__atomic_load_n(&v->go, __ATOMIC_SEQ_CST))
		usleep(100);
}

static void *run(void *arg) {
	victim *v = arg;
	me = v;
	wherry_event_thread(v->queue);
	mark m = {v->producer, sizeof m, v->number};
	v->result = wherry_event_post_with(v->queue, (uint64_t)v->producer << 48 | v->number, &m, sizeof m, v->flags);
	me = NULL;
	__atomic_store_n(&v->done, 1, __ATOMIC_SEQ_CST);
	return NULL;
}

int  cthread_victim(victim *v) { return pthread_create(&v->thread, NULL, run, v); }
int  cthread_stopped(victim *v) {
	return __atomic_load_n(&v->stopped, __ATOMIC_SEQ_CST) | __atomic_load_n(&v->done, __ATOMIC_SEQ_CST) << 1;
}
void cthread_cancel(victim *v) { pthread_cancel(v->thread); }
void cthread_go(victim *v) { __atomic_store_n(&v->go, 1, __ATOMIC_SEQ_CST); }
void cthread_join_victim(victim *v) { pthread_join(v->thread, NULL); }

static void *run_stammer(void *arg) {
	job *j = arg;
	stammer = j->producer + UINT64_C(0x9E3779B97F4A7C15);
	for (uint64_t i = 0; i < j->count; i++) {
		mark m = {j->producer, sizeof m, i};
		int result;
		while ((result = wherry_event_post_tag(j->queue, (uint64_t)j->producer << 48 | i, &m, sizeof m)) == WHERRY_EVENT_FULL)
			j->full++;
		if (result == 0) j->posted++;
		else j->other++;
	}
	return NULL;
}

int cthread_stammer(job *j) { return pthread_create(&j->thread, NULL, run_stammer, j); }
