#define _GNU_SOURCE
#include <sched.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>
#include "threads.h"

extern void goNumber(uint64_t);
extern void goRecord(void *);

// Between two readings lies all of the work that stands there, and nothing else: without
// the fences the processor would do part of a post before the first or after the second.
static inline uint64_t ticks(void) {
#if defined(__x86_64__)
	__builtin_ia32_lfence();
	uint64_t t = __builtin_ia32_rdtsc();
	__builtin_ia32_lfence();
#else
	uint64_t t;
	__asm__ volatile("isb\n\tmrs %0, cntvct_el0\n\tisb" : "=r"(t) : : "memory");
#endif
	return t;
}

uint64_t now_ns(void) {
	struct timespec t;
	clock_gettime(CLOCK_MONOTONIC, &t);
	return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

double tick_ns(void) {
	uint64_t n = now_ns(), t = ticks();
	while (now_ns() - n < 20000000) {}
	return (double)(now_ns() - n) / (double)(ticks() - t);
}

static int compare(const void *a, const void *b) {
	uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
	return (x > y) - (x < y);
}

uint32_t tick_cost(void) {
	static uint32_t cost[10001];
	const size_t n = sizeof cost / sizeof *cost;
	for (size_t i = 0; i < n; i++) {
		uint64_t t = ticks();
		cost[i] = (uint32_t)(ticks() - t);
	}
	qsort(cost, n, sizeof *cost, compare);
	return cost[n / 2];
}

// How a thread sends, and what, is a constant in each of its loops, as where a program
// posts one kind of record: nothing but the sending stands in a loop.
#define CONSTANT static inline __attribute__((always_inline))

// Neither side of a ring follows the other record by record: that would take the
// lines from it that it is at work on.
static void stay_away(void) {
	for (volatile int i = 0; i < 500; i++) {}
	sched_yield(); // it may share the processor with the other
}

CONSTANT void ring_send(ring *r, const record *rec, uint64_t size) {
	uint64_t tail = r->tail;
	if (tail - r->head_seen == RING) // full: until half of it is free
		while (tail - (r->head_seen = __atomic_load_n(&r->head, __ATOMIC_ACQUIRE)) > RING / 2)
			stay_away();
	switch (size) {
	case 8: ((uint64_t *)r->cells)[tail % RING] = rec->number; break;
	case LINE: r->cells[tail % RING].number = rec->number; break;
	default: r->cells[tail % RING] = *rec;
	}
	__atomic_store_n(&r->tail, tail + 1, __ATOMIC_RELEASE);
}

CONSTANT uint64_t receive(ring **rings, int n, uint64_t count, uint64_t size) {
	uint64_t wrong = 0;
	for (int left = n; left > 0; stay_away()) {
		for (int i = 0; i < n; i++) {
			ring *r = rings[i];
			uint64_t head = r->head, tail = __atomic_load_n(&r->tail, __ATOMIC_ACQUIRE);
			if (head == tail) continue;
			for (; head != tail; head++) {
				uint64_t want = NUMBER(i, head);
				switch (size) {
				case 8: wrong += ((uint64_t *)r->cells)[head % RING] != want; break;
				case LINE: wrong += r->cells[head % RING].number != want; break;
				default: wrong += r->cells[head % RING].number != want || r->cells[head % RING].again != want;
				}
			}
			__atomic_store_n(&r->head, head, __ATOMIC_RELEASE);
			left -= head == count;
		}
	}
	return wrong;
}

uint64_t rings_receive(ring **rings, int n, uint64_t count, uint64_t size) {
	switch (size) {
	case 8: return receive(rings, n, count, 8);
	case LINE: return receive(rings, n, count, LINE);
	}
	return receive(rings, n, count, sizeof(record));
}

CONSTANT int send(poster *p, record *r, uint64_t i, int by, uint64_t size) {
	r->number = r->again = NUMBER(p->producer, i);
	switch (by) {
	case BY_CALLBACK: goNumber(r->number); return 0;
	case BY_CHANNEL: goRecord(r); return 0;
	case BY_RING: ring_send(p->ring, r, size); return 0;
	}
	return size == 8 ? wherry_event_post(p->queue, &r->number, 8) : wherry_event_post(p->queue, r, sizeof *r);
}

CONSTANT void send_all(poster *p, int by, uint64_t size) {
	record r = {0};
	for (uint64_t i = 0; i < p->count; i++)
		p->failed += send(p, &r, i, by, size) != 0;
}

CONSTANT void send_timed(poster *p, int by, uint64_t size) {
	record r = {0};
	double tick = p->every_ns ? tick_ns() : 1;
	uint64_t every = (uint64_t)((double)p->every_ns / tick), next = ticks();
	for (uint64_t i = 0; i < p->count; i += p->together) {
		uint64_t t = 0, failed = 0;
		if (p->every_ns) {
			while ((t = ticks()) < next) {}
			next = t + every;
		}
		t = ticks();
		for (uint64_t k = 0; k < p->together; k++)
			failed += send(p, &r, i + k, by, size) != 0;
		t = ticks() - t;
		p->ticks[i] = t > UINT32_MAX ? UINT32_MAX : (uint32_t)t;
		p->failed += failed;
		if (failed != 0) p->ticks[i] = 0; // what it costs to be refused is not asked
	}
}

CONSTANT void send_by(poster *p, int by, uint64_t size) {
	if (p->ticks == NULL)
		send_all(p, by, size);
	else
		send_timed(p, by, size);
}

static void *post(void *arg) {
	poster *p = arg;
	if (p->by == BY_QUEUE)
		wherry_event_thread(p->queue);
	switch (p->by << 8 | (int)p->size) {
	case BY_QUEUE << 8 | 8: send_by(p, BY_QUEUE, 8); break;
	case BY_QUEUE << 8 | 64: send_by(p, BY_QUEUE, 64); break;
	case BY_RING << 8 | 8: send_by(p, BY_RING, 8); break;
	case BY_RING << 8 | LINE: send_by(p, BY_RING, LINE); break;
	case BY_RING << 8 | 64: send_by(p, BY_RING, 64); break;
	case BY_CALLBACK << 8 | 8:
	case BY_CALLBACK << 8 | 64: send_by(p, BY_CALLBACK, 8); break;
	default: send_by(p, BY_CHANNEL, 64);
	}
	return NULL;
}

int  poster_start(poster *p) { return pthread_create(&p->thread, NULL, post, p); }
void poster_join(poster *p) { pthread_join(p->thread, NULL); }

static void *run_ringer(void *arg) {
	ringer *r = arg;
	for (;;) {
		int go;
		while ((go = __atomic_exchange_n(&r->go, 0, __ATOMIC_SEQ_CST)) == 0) usleep(50);
		if (go == 2) return NULL;
		uint64_t one = 1, now = now_ns();
		__atomic_store_n(&r->stamp, now, __ATOMIC_SEQ_CST);
		if (r->by == BY_QUEUE)
			wherry_event_post(r->queue, &now, sizeof now);
		else if (write(r->fd, &one, sizeof one) != sizeof one)
			abort();
	}
}

int  ringer_start(ringer *r) { return pthread_create(&r->thread, NULL, run_ringer, r); }
void ringer_ring(ringer *r) { __atomic_store_n(&r->go, 1, __ATOMIC_SEQ_CST); }
void ringer_stop(ringer *r) { __atomic_store_n(&r->go, 2, __ATOMIC_SEQ_CST); pthread_join(r->thread, NULL); }
uint64_t ringer_stamp(ringer *r) { return __atomic_load_n(&r->stamp, __ATOMIC_SEQ_CST); }
