/* Eight threads post, and a receiver in C that does what receiver.go does, for
 * ThreadSanitizer, which does not see Go. Arguments: mode, records, cells,
 * lanes; none with mode 1. */
#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/eventfd.h>
#include <unistd.h>
#include "wherry_event.h"

enum { THREADS = 8, MAX = 40 };
typedef struct { uint64_t thread, number; unsigned char rest[MAX - 16]; } record;

static wherry_event_queue *q;
static uint64_t count, posted[THREADS], next_number[THREADS], received;
static int running = THREADS;

static void *run(void *arg) {
	uint64_t me = (uint64_t)(uintptr_t)arg, n = 0;
	record r;
	memset(&r, (int)me, sizeof r);
	r.thread = me;
	while (n < count) {
		r.number = n;
		int result = wherry_event_post(q, &r, sizeof r - n % 20);
		if (result == 0) { n++; posted[me]++; }
		else if (result == WHERRY_EVENT_FULL) sched_yield();
		else { fprintf(stderr, "post: %d\n", result); exit(1); }
	}
	__atomic_fetch_sub(&running, 1, __ATOMIC_SEQ_CST);
	return NULL;
}

/* The lane that the receiver is at. */
static uint32_t at;
static struct { uint64_t scan, late[1 << 10], nlate; } sides[1 + WHERRY_EVENT_LANES];
#define scan (sides[at].scan)
#define late (sides[at].late)
#define nlate (sides[at].nlate)

static struct wherry_event_cell *cell(uint64_t i) { return wherry_event_at(q, at, i); }

static void take(struct wherry_event_cell *s) {
	record r;
	uint64_t size = (__atomic_load_n(&s->state, __ATOMIC_RELAXED) & ~WHERRY_EVENT_LAP) >> WHERRY_EVENT_SIZE_SHIFT;
	memset(&r, 0, sizeof r);
	memcpy(&r, s + 1, size);
	int gaps = q->mode == WHERRY_EVENT_MODE_OVERWRITE;
	if (r.thread >= THREADS || size != sizeof r - r.number % 20 || r.rest[0] != r.thread ||
	    r.number < next_number[r.thread] || (!gaps && r.number != next_number[r.thread])) {
		fprintf(stderr, "thread %d: got record %d, want %d\n", (int)r.thread, (int)r.number, (int)next_number[r.thread]);
		exit(1);
	}
	next_number[r.thread] = r.number + 1;
	received++;
}

static void take_late(void) {
	for (uint64_t i = 0; i < nlate;) {
		struct wherry_event_cell *s = cell(late[i]);
		uint64_t v = __atomic_load_n(&s->state, __ATOMIC_SEQ_CST);
		if ((v & WHERRY_EVENT_KIND) != WHERRY_EVENT_LATE_READY) { i++; continue; }
		take(s);
		uint64_t lap = scan >> q->shift;
		if ((late[i] & q->mask) < (scan & q->mask)) lap++;
		__atomic_store_n(&s->state, lap << WHERRY_EVENT_LAP_SHIFT | WHERRY_EVENT_FREE, __ATOMIC_SEQ_CST);
		memmove(late + i, late + i + 1, (nlate - i - 1) * sizeof *late);
		nlate--;
	}
}

/* The same in a lane: no thread has to be passed. */
static int step_lane(void) {
	struct wherry_event_cell *s = cell(scan);
	uint64_t v = __atomic_load_n(&s->state, __ATOMIC_ACQUIRE);
	if ((v & WHERRY_EVENT_KIND) != WHERRY_EVENT_READY || !wherry_event_used(scan >> q->shift << WHERRY_EVENT_LAP_SHIFT, v)) return 0;
	take(s);
	scan++;
	__atomic_store_n(&q->ring[at].head, scan, __ATOMIC_SEQ_CST);
	return 1;
}

static int step(void) { /* one look; 0: nothing there */
	if (at > 0) return step_lane();
	struct wherry_event_cell *s = cell(scan);
	uint64_t v = __atomic_load_n(&s->state, __ATOMIC_SEQ_CST), kind = v & WHERRY_EVENT_KIND;
	uint64_t lap = scan >> q->shift << WHERRY_EVENT_LAP_SHIFT;
	int64_t laps = (int64_t)(lap - (v & WHERRY_EVENT_LAP));
	int overwrite = q->mode == WHERRY_EVENT_MODE_OVERWRITE;
	if (kind == WHERRY_EVENT_READY && (laps == 0 || (overwrite && laps > 0))) {
		take_late();
		if (overwrite) {
			uint64_t reading = (v & ~WHERRY_EVENT_KIND) | WHERRY_EVENT_READING;
			if (!__atomic_compare_exchange_n(&s->state, &v, reading, 0, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST)) return 1;
		}
		take(s);
		scan++;
		if (overwrite)
			__atomic_store_n(&s->state, lap + (UINT64_C(1) << WHERRY_EVENT_LAP_SHIFT) + WHERRY_EVENT_FREE, __ATOMIC_SEQ_CST);
		__atomic_store_n(&q->ring[at].head, scan, __ATOMIC_SEQ_CST);
		return 1;
	}
	uint64_t tail = __atomic_load_n(&q->ring[at].tail, __ATOMIC_SEQ_CST);
	if (laps < 0) { scan++; return 1; }
	if (kind == WHERRY_EVENT_WRITING) {
		if ((int64_t)(tail - scan) <= 1) return 0;
		uint64_t mark = (v & ~WHERRY_EVENT_KIND) | WHERRY_EVENT_LATE_WRITING;
		if (!__atomic_compare_exchange_n(&s->state, &v, mark, 0, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST)) return 1;
		late[nlate++] = scan & q->mask;
	} else {
		if ((int64_t)(tail - scan) <= 0) return 0;
		if (kind == WHERRY_EVENT_FREE || kind == WHERRY_EVENT_READY) {
			uint64_t gone = lap + (UINT64_C(1) << WHERRY_EVENT_LAP_SHIFT) + WHERRY_EVENT_FREE;
			if (!__atomic_compare_exchange_n(&s->state, &v, gone, 0, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST)) return 1;
		}
	}
	scan++;
	__atomic_store_n(&q->ring[at].head, scan, __ATOMIC_SEQ_CST);
	return 1;
}

static void make_room(void) {
	if (!__atomic_load_n(&q->ring[at].waiting, __ATOMIC_SEQ_CST)) return;
	__atomic_store_n(&q->ring[at].waiting, 0, __ATOMIC_SEQ_CST);
	__atomic_fetch_add(&q->ring[at].space, 1, __ATOMIC_SEQ_CST);
	wherry_event_syscall(SYS_futex, &q->ring[at].space, 129L, 1L << 30, NULL, NULL, 0L);
}

int main(int argc, char **argv) {
	if (argc != 5) return 2;
	uint64_t cells = (uint64_t)atoll(argv[3]), stride = 128;
	uint32_t lanes = atoi(argv[1]) == WHERRY_EVENT_MODE_OVERWRITE ? 0 : (uint32_t)atoi(argv[4]);
	count = (uint64_t)atoll(argv[2]) / THREADS;
	uint64_t size = (4096 + (1 + lanes) * cells * stride + WHERRY_EVENT_ALIGN - 1) / WHERRY_EVENT_ALIGN * WHERRY_EVENT_ALIGN;
	q = (wherry_event_queue *)aligned_alloc(WHERRY_EVENT_ALIGN, size);
	memset(q, 0, size);
	q->sleep = WHERRY_EVENT_FENCE; /* no membarrier here */
	q->lanes = lanes; q->mask = cells - 1; q->first = 4096; q->next = cells * stride; q->stride = stride; q->max = MAX;
	q->shift = (uint32_t)__builtin_ctzll(cells); q->mode = (uint32_t)atoi(argv[1]);
	q->fd = eventfd(0, EFD_NONBLOCK);
	for (uint32_t i = 1; i <= lanes; i++) {
		struct wherry_event_ring *r = &q->ring[i];
		r->cells = (uint64_t)(uintptr_t)q + q->first + i * q->next;
		r->mask = q->mask; r->stride = stride; r->shift = q->shift; r->room = MAX + 1;
		at = i;
		r->tail = r->head = scan = cells;
		r->limit = 2 * cells;
	}
	q->magic = WHERRY_EVENT_MAGIC ^ (uint64_t)(uintptr_t)q;
	pthread_t threads[THREADS];
	for (uint64_t i = 0; i < THREADS; i++) pthread_create(&threads[i], NULL, run, (void *)(uintptr_t)i);
	for (;;) {
		int over = __atomic_load_n(&running, __ATOMIC_SEQ_CST) == 0;
		uint64_t left = 0;
		for (at = 0; at <= lanes; at++) {
			take_late();
			while (step()) {}
			make_room();
			left += nlate;
		}
		if (over && left == 0) break;
		/* Sleep as the receiver does. */
		uint64_t n, e = (__atomic_load_n(&q->sleep, __ATOMIC_SEQ_CST) & ~(uint64_t)WHERRY_EVENT_ASLEEP) + 8 + WHERRY_EVENT_ASLEEP;
		__atomic_store_n(&q->sleep, e, __ATOMIC_SEQ_CST);
		int any = 0;
		for (at = 0; at <= lanes; at++) { take_late(); any |= step(); }
		if (!any) usleep(20);
		if (read(q->fd, &n, sizeof n) < 0) {}
		__atomic_store_n(&q->sleep, e & ~(uint64_t)WHERRY_EVENT_ASLEEP, __ATOMIC_SEQ_CST);
	}
	uint64_t sum = 0;
	for (int i = 0; i < THREADS; i++) { pthread_join(threads[i], NULL); sum += posted[i]; }
	if (sum != received + q->overwritten) {
		fprintf(stderr, "%lu posted, %lu received, %lu overwritten\n", sum, received, q->overwritten);
		return 1;
	}
	printf("%lu received, %lu overwritten, %lu full\n", received, q->overwritten, q->dropped);
	return 0;
}
