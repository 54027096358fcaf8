/* SPDX-License-Identifier: BSD-3-Clause
 *
 * wherry_event.h: C threads post records to Go. Part of
 * github.com/wherrygo/wherry, package event, which makes the queue.
 *
 * C99 and C++17, gcc or clang, 64-bit; there is nothing to link.
 *
 *     int result = wherry_event_post(queue, &record, sizeof record);
 *
 * queue is what (*event.Queue).Pointer returns. A post copies the record and
 * returns 0 or one of the negative codes below. It takes no lock, allocates
 * nothing, and makes no system call, except:
 *   - one write to an eventfd, when the Go side sleeps (never with
 *     WHERRY_EVENT_NOWAKE);
 *   - one gettid in a thread's first post (never with WHERRY_EVENT_NOWAKE);
 *   - when the queue was made with Full: event.Wait and is full, the thread
 *     yields and waits in a futex (never with WHERRY_EVENT_NOWAIT).
 * Memory that no record has used yet is given by the kernel at the first touch. A
 * real-time thread calls wherry_event_thread before it begins, which sees to both.
 * Any number of threads may post at once. A signal handler may post too, also
 * one that interrupted a post; with event.Wait it must use WHERRY_EVENT_NOWAIT.
 *
 * A thread that ends in mid-post (pthread_cancel, pthread_exit from a handler)
 * loses the record that it was posting and nothing else. Do not leave a post by
 * longjmp or a C++ exception out of a signal handler. A child process after fork
 * has no queue: there a post returns WHERRY_EVENT_BAD_QUEUE (on Linux).
 *
 * How it works, and why each atomic access has its order: event/DESIGN.md.
 */
#ifndef WHERRY_EVENT_H
#define WHERRY_EVENT_H

#include <errno.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#if defined(__linux__)
#include <sys/syscall.h>
#else
#include <time.h>
#include <unistd.h>
#endif

#if !defined(__GNUC__)
#error "wherry_event.h needs the atomics of gcc or clang"
#elif UINTPTR_MAX < UINT64_MAX
#error "wherry_event.h needs a 64-bit system"
#endif

#ifdef __cplusplus
extern "C" {
#endif

typedef struct wherry_event_queue wherry_event_queue;

/* What a post returns. */
enum {
	WHERRY_EVENT_OK = 0,
	WHERRY_EVENT_FULL = -1,      /* dropped, and counted */
	WHERRY_EVENT_TOO_BIG = -2,   /* more than Options.MaxSize bytes */
	WHERRY_EVENT_CLOSED = -3,    /* after (*event.Queue).Close */
	WHERRY_EVENT_BAD_QUEUE = -4, /* NULL, not a queue, or one of another version of this header */
	WHERRY_EVENT_BAD_DATA = -5   /* data is NULL, and size is not 0 */
};

/* Flags of wherry_event_post_with. */
enum {
	WHERRY_EVENT_NOWAKE = 1, /* no system call: Go sees the record when it next looks (Options.Poll) */
	WHERRY_EVENT_NOWAIT = 2  /* WHERRY_EVENT_FULL instead of waiting for space */
};

/* ---- The memory that C and Go share; ring_unsafe.go has its twin. ---- */

#define WHERRY_EVENT_MAGIC UINT64_C(0x3474657665776872) /* with the layout's version: 4 */

struct wherry_event_cell {
	uint64_t state;
	uint64_t tag;
	/* the record; at the end, if posts are stamped, the time */
};

/* What threads write and what Go writes lies 128 bytes apart, for processors fetch
 * cache lines in pairs. */
struct wherry_event_ring {
	uint64_t tail; /* the next position, by threads */
	/* A lane: what a post needs, in the line that the thread has anyway. */
	uint64_t limit;  /* positions below it were free when the thread last looked at head */
	uint64_t owner;  /* the id of the thread that posts */
	uint64_t room;   /* records below so many bytes take the short way; 0: none does */
	uint64_t cells;  /* the first one's address */
	uint64_t mask;   /* as in the queue, like the next two */
	uint64_t stride;
	uint64_t shift;
	uint64_t pad0[8];
	uint64_t head;    /* positions below are consumed, by Go */
	uint32_t space;   /* futex: counts up when Go has made room for a waiting thread */
	uint32_t waiting; /* 1: somebody waits for space */
	uint64_t pad1[14];
};

#define WHERRY_EVENT_LANES 8 /* at most */
#define WHERRY_EVENT_ALIGN 4096

struct wherry_event_queue {
	uint64_t magic;  /* WHERRY_EVENT_MAGIC ^ address, a multiple of WHERRY_EVENT_ALIGN */
	uint64_t mask;   /* cells of a ring - 1 */
	uint64_t first;  /* bytes from here to the first ring's cells */
	uint64_t next;   /* bytes from a ring's cells to the next ring's */
	uint64_t stride; /* bytes from a cell to the next */
	uint64_t max;    /* bytes of a record */
	uint32_t shift;  /* log2 of a ring's cells */
	uint32_t mode;   /* WHERRY_EVENT_MODE_ */
	uint32_t stamp;  /* bytes from a cell to the time of its post; 0: posts are not stamped */
	int32_t fd;      /* to wake Go */
	uint32_t closed; /* WHERRY_EVENT_OPEN .. */
	uint32_t lanes;  /* 0, or a power of two */
	uint32_t pad0[14];
	uint64_t sleep; /* what a post looks at when its record is complete: epoch * 8 + WHERRY_EVENT_ASLEEP .. */
	uint64_t pad1[15];
	uint32_t wakers; /* threads between a look at sleep and the end of a write to fd */
	uint32_t pad2;
	uint64_t dropped, overwritten, wakeups;
	uint64_t pad3[12];
	uint64_t threads[WHERRY_EVENT_LANES]; /* who took a lane first, for good */
	uint64_t pad4[8];
	struct wherry_event_ring ring[1 + WHERRY_EVENT_LANES]; /* the shared one, the lanes */
};

/* A cell's state: kind, thread or size, lap. Position p lies in cell p & mask, in
 * lap p >> shift. 0 is a cell that was never used. */
#define WHERRY_EVENT_KIND UINT64_C(7)
#define WHERRY_EVENT_SIZE_SHIFT 3
#define WHERRY_EVENT_LAP_SHIFT 25
#define WHERRY_EVENT_LAP (~((UINT64_C(1) << WHERRY_EVENT_LAP_SHIFT) - 1))

enum {
	WHERRY_EVENT_FREE = 0,         /* to be had, from the lap on */
	WHERRY_EVENT_READY = 1,        /* a record, of the size */
	WHERRY_EVENT_WRITING = 2,      /* by the thread */
	WHERRY_EVENT_READING = 3,      /* Go has it, in mode overwrite and in an unusual moment of a lane */
	WHERRY_EVENT_LATE_WRITING = 4, /* Go went past while it was being written */
	WHERRY_EVENT_LATE_READY = 5,
	WHERRY_EVENT_VOID = 6,         /* a lane: the thread ended in mid-post */
	WHERRY_EVENT_SHUT = 7          /* the queue is closed; a lane: the post came too late */
};

enum {
	WHERRY_EVENT_MODE_DROP = 0,
	WHERRY_EVENT_MODE_OVERWRITE = 1,
	WHERRY_EVENT_MODE_WAIT = 2
};

/* How far closing is. */
enum {
	WHERRY_EVENT_OPEN = 0,
	WHERRY_EVENT_CLOSING = 1, /* new posts fail */
	WHERRY_EVENT_GONE = 2     /* the cells' memory goes back */
};

/* The word sleep. */
enum {
	WHERRY_EVENT_ASLEEP = 1, /* Go sleeps */
	WHERRY_EVENT_SEALED = 2, /* Go takes the lanes' last records */
	WHERRY_EVENT_FENCE = 4   /* Go cannot make other threads' stores visible: see wherry_event_end */
};

#define WHERRY_EVENT_AHEAD 1280 /* bytes, see wherry_event_soon */

/* Tests put code between the steps of a post. */
#ifndef WHERRY_EVENT_STEP
#define WHERRY_EVENT_STEP(name) ((void)0)
#endif

/* Names without the headers' feature macros, which -std=c99 would hide. */
#define WHERRY_EVENT_STRING_(x) #x
#define WHERRY_EVENT_STRING(x) WHERRY_EVENT_STRING_(x)
#define WHERRY_EVENT_LIBC(name) __asm__(WHERRY_EVENT_STRING(__USER_LABEL_PREFIX__) #name)
#if defined(__linux__)
struct wherry_event_timespec { int64_t sec; long nsec; };
extern long wherry_event_syscall(long number, ...) WHERRY_EVENT_LIBC(syscall);
extern int wherry_event_clock(int clock, struct wherry_event_timespec *t) WHERRY_EVENT_LIBC(clock_gettime);
#endif

/* ---- Inside a post ---- */

/* Paths that are seldom taken stay out of the others. */
#define WHERRY_EVENT_SELDOM static __attribute__((noinline, cold, unused))
#define WHERRY_EVENT_APART static __attribute__((noinline, unused))
#define WHERRY_EVENT_OFTEN static inline __attribute__((always_inline))
#define WHERRY_EVENT_LIKELY(x) __builtin_expect(!!(x), 1)

/* What a thread knows of itself. */
struct wherry_event_poster {
	uint64_t id;    /* by which Go asks the kernel whether a thread that has not finished a post is still there; 0: unknown */
	uintptr_t lane; /* the ring in which it posted last, or WHERRY_EVENT_NOLANE */
	uint64_t greedy; /* until then it gives no way */
};
#define WHERRY_EVENT_NOLANE (~(uintptr_t)0) /* in the page of no queue, not of NULL either */

static inline struct wherry_event_poster *wherry_event_me(void) {
#if defined(__linux__)
	/* initial-exec: no allocation on first use, so fit for signal handlers. */
	static __thread struct wherry_event_poster me __attribute__((tls_model("initial-exec"))) = {0, WHERRY_EVENT_NOLANE, 0};
#else
	static struct wherry_event_poster me = {0, WHERRY_EVENT_NOLANE, 0};
#endif
	return &me;
}

static inline uint32_t wherry_event_id(int may_call) {
#if defined(__linux__)
	struct wherry_event_poster *me = wherry_event_me();
	if (__builtin_expect(me->id == 0, 0) && may_call)
		me->id = (uint32_t)wherry_event_syscall(SYS_gettid);
	return (uint32_t)me->id;
#else
	(void)may_call;
	return 0;
#endif
}

/* What tells running threads apart, the same in all libraries of a process. */
static inline uint64_t wherry_event_self(void) {
#if defined(__linux__) && defined(__x86_64__)
	uint64_t self;
	__asm__("movq %%fs:0, %0" : "=r"(self));
	return self;
#elif defined(__linux__) && defined(__aarch64__)
	uint64_t self;
	__asm__("mrs %0, tpidr_el0" : "=r"(self));
	return self;
#else
	return (uint64_t)(uintptr_t)&errno;
#endif
}

static inline uint64_t wherry_event_now(void) {
#if defined(__linux__)
	struct wherry_event_timespec t;
	wherry_event_clock(1 /* CLOCK_MONOTONIC */, &t); /* the vDSO, not the kernel */
	return (uint64_t)t.sec * UINT64_C(1000000000) + (uint64_t)t.nsec;
#else
	struct timespec t;
	clock_gettime(CLOCK_REALTIME, &t);
	return (uint64_t)t.tv_sec * UINT64_C(1000000000) + (uint64_t)t.tv_nsec;
#endif
}

/* Wakes Go if it sleeps. The write comes before the mark "woken": a thread that
 * dies in between leaves one wake-up too many, not one too few. The epoch keeps
 * a slow thread from marking a later sleep. */
WHERRY_EVENT_SELDOM void wherry_event_wake_up(wherry_event_queue *q, uint64_t e) {
	WHERRY_EVENT_STEP("wake");
	/* Close waits for wakers to be 0 before it gives the descriptor back. */
	__atomic_fetch_add(&q->wakers, 1, __ATOMIC_SEQ_CST);
	if (__atomic_load_n(&q->sleep, __ATOMIC_SEQ_CST) == e) {
		int saved = errno;
		uint64_t one = 1;
#if defined(__linux__)
		/* Not write(2), which is a cancellation point. */
		wherry_event_syscall(SYS_write, (long)q->fd, &one, sizeof one);
#else
		if (write(q->fd, &one, sizeof one) < 0) { /* full: awake already */ }
#endif
		errno = saved;
		__atomic_compare_exchange_n(&q->sleep, &e, e & ~(uint64_t)WHERRY_EVENT_ASLEEP, 0, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);
		__atomic_fetch_add(&q->wakeups, 1, __ATOMIC_RELAXED);
	}
	__atomic_fetch_sub(&q->wakers, 1, __ATOMIC_SEQ_CST);
}

static inline void wherry_event_wake(wherry_event_queue *q) {
	uint64_t e = __atomic_load_n(&q->sleep, __ATOMIC_SEQ_CST);
	if (__builtin_expect((e & WHERRY_EVENT_ASLEEP) != 0, 0))
		wherry_event_wake_up(q, e);
}

/* A position's cell. */
static inline struct wherry_event_cell *wherry_event_at(wherry_event_queue *q, uint32_t ring, uint64_t p) {
	return (struct wherry_event_cell *)((char *)q + q->first + ring * q->next + (p & q->mask) * q->stride);
}

/* Asks for the cache lines of a cell that a post will soon write. Go read them
 * last: without this a post waits for each to come from Go's processor. */
static inline void wherry_event_soon(struct wherry_event_cell *s) {
	char *lines = (char *)s;
#if defined(__x86_64__)
	/* gcc makes a prefetch for reading of __builtin_prefetch. */
	__asm__ volatile("prefetchw %0\n\tprefetchw %1" : : "m"(lines[0]), "m"(lines[64]));
#else
	__builtin_prefetch(lines, 1);
	__builtin_prefetch(lines + 64, 1);
#endif
}

/* What is posted, and how. */
struct wherry_event_record {
	uint64_t tag;
	const void *data;
	size_t size;
	unsigned flags;
	uint64_t stamp; /* the time, or 0 */
};

WHERRY_EVENT_OFTEN void wherry_event_write(wherry_event_queue *q, struct wherry_event_cell *s, const struct wherry_event_record *record) {
	size_t size = record->size;
	s->tag = record->tag;
	if (record->stamp != 0)
		*(uint64_t *)((char *)s + q->stamp) = record->stamp;
	if (__builtin_constant_p(size) && size != 0 && size <= 64) {
		/* Word by word: a wider load of words that were just written waits until
		 * they have left the store buffer. */
		const char *from = (const char *)record->data;
		char *to = (char *)(s + 1);
		size_t i;
		_Pragma("GCC unroll 8")
		for (i = 0; i < size / 8; i++) {
			uint64_t word;
			memcpy(&word, from + 8 * i, 8);
			__asm__("" : "+r"(word)); /* or the compiler joins them */
			memcpy(to + 8 * i, &word, 8);
		}
		memcpy(to + 8 * i, from + 8 * i, size % 8);
		return;
	}
	/* gcc would make "rep movs" of a constant size, which takes longer than the
	 * C library's memcpy. */
	__asm__("" : "+r"(size));
	memcpy(s + 1, size == 0 ? s : record->data, size); /* it wants a pointer */
}

/* ---- A lane: a ring in which one thread posts ---- */

/* The thread's lane, or 0, the shared ring. Always the same one, for the order of
 * its records: an entry of the table never changes again, so a signal handler in
 * mid-search finds what the thread finds. A thread whose id is unknown has none. */
WHERRY_EVENT_SELDOM uint32_t wherry_event_find_ring(wherry_event_queue *q, uint64_t me, uint32_t first) {
	uint32_t i;
	for (i = 0; i < q->lanes; i++) {
		uint32_t k = (first + i) & (q->lanes - 1);
		uint64_t seen = __atomic_load_n(&q->threads[k], __ATOMIC_RELAXED);
		if (seen == 0 && __atomic_compare_exchange_n(&q->threads[k], &seen, me, 0, __ATOMIC_RELAXED, __ATOMIC_RELAXED))
			seen = me;
		if (seen == me)
			return 1 + k;
	}
	return 0;
}

static inline uint32_t wherry_event_ring_of(wherry_event_queue *q, uint32_t id) {
	uint64_t me = wherry_event_self();
	/* Threads' memory lies whole pages apart: a multiplicative hash. */
	uint32_t first = (uint32_t)(me * UINT64_C(0x9E3779B97F4A7C15) >> 61);
	if (__builtin_expect(id == 0 || q->lanes == 0, 0))
		return 0;
	first = wherry_event_find_ring(q, me, first & (q->lanes - 1));
	if (first != 0)
		__atomic_store_n(&wherry_event_me()->lane, (uintptr_t)&q->ring[first], __ATOMIC_RELAXED);
	return first;
}

/* A lane's cell of a position. */
static inline struct wherry_event_cell *wherry_event_cell_of(struct wherry_event_ring *r, uint64_t p) {
	return (struct wherry_event_cell *)(uintptr_t)(r->cells + (p & r->mask) * r->stride);
}

/* Whether a cell of a lane is used for a position of the lap, or for a later one. A
 * lane begins with lap 1, so one that was never used is in a lap before. */
static inline int wherry_event_used(uint64_t lap, uint64_t state) { return (int64_t)(state - lap) >= 0; }

/* The thread that had the lane is gone, for this one has its memory. If it was in
 * mid-post, its position stays without a record. */
WHERRY_EVENT_SELDOM void wherry_event_take_over(struct wherry_event_ring *r, uint32_t id) {
	uint64_t tail = __atomic_load_n(&r->tail, __ATOMIC_RELAXED), p;
	for (p = __atomic_load_n(&r->head, __ATOMIC_ACQUIRE); (int64_t)(tail - p) > 0; p++) {
		struct wherry_event_cell *s = wherry_event_cell_of(r, p);
		uint64_t v = __atomic_load_n(&s->state, __ATOMIC_RELAXED), lap = (p >> r->shift) << WHERRY_EVENT_LAP_SHIFT;
		/* By compare-and-swap, for a handler may come here first. */
		if (!wherry_event_used(lap, v))
			__atomic_compare_exchange_n(&s->state, &v, lap | WHERRY_EVENT_VOID, 0, __ATOMIC_RELEASE, __ATOMIC_RELAXED);
	}
	__atomic_store_n(&r->owner, id, __ATOMIC_RELAXED);
}

/* The post ends after Go began to take the last records: either Go has taken this
 * one, or it is withdrawn. */
WHERRY_EVENT_SELDOM int wherry_event_withdraw(struct wherry_event_ring *r, uint64_t p, uint64_t v) {
	struct wherry_event_cell *s = wherry_event_cell_of(r, p);
	uint64_t withdrawn = (v & WHERRY_EVENT_LAP) | WHERRY_EVENT_SHUT;
	if ((int64_t)(p - __atomic_load_n(&r->head, __ATOMIC_SEQ_CST)) < 0)
		return WHERRY_EVENT_OK;
	WHERRY_EVENT_STEP("withdraw");
	if (__atomic_compare_exchange_n(&s->state, &v, withdrawn, 0, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST))
		return WHERRY_EVENT_CLOSED;
	/* When the memory has gone back, head tells. */
	if ((v & WHERRY_EVENT_KIND) == WHERRY_EVENT_READING || (int64_t)(p - __atomic_load_n(&r->head, __ATOMIC_SEQ_CST)) < 0)
		return WHERRY_EVENT_OK;
	return WHERRY_EVENT_CLOSED;
}

/* The record is complete, and something is to be done. */
WHERRY_EVENT_SELDOM int wherry_event_end(wherry_event_queue *q, struct wherry_event_ring *r, uint64_t p, uint64_t v, unsigned flags) {
	int result = WHERRY_EVENT_OK;
	__atomic_thread_fence(__ATOMIC_SEQ_CST);
	if (__atomic_load_n(&q->sleep, __ATOMIC_SEQ_CST) & WHERRY_EVENT_SEALED)
		result = wherry_event_withdraw(r, p, v);
	if ((flags & WHERRY_EVENT_NOWAKE) == 0)
		wherry_event_wake(q);
	return result;
}

/* Posts in the thread's lane. Nobody else writes there, except this thread's signal
 * handlers; so plain loads and stores do. TAKEN: a handler came first, try again. */
#define WHERRY_EVENT_TAKEN 1
WHERRY_EVENT_OFTEN int wherry_event_try_lane(wherry_event_queue *q, struct wherry_event_ring *r, const struct wherry_event_record *record) {
	uint64_t look = WHERRY_EVENT_SEALED | WHERRY_EVENT_FENCE;
	struct wherry_event_cell *s;
	uint64_t p, lap, v;
	if ((record->flags & WHERRY_EVENT_NOWAKE) == 0)
		look |= WHERRY_EVENT_ASLEEP;
	WHERRY_EVENT_STEP("enter");
	p = __atomic_load_n(&r->tail, __ATOMIC_RELAXED);
	if (__builtin_expect((int64_t)(p - __atomic_load_n(&r->limit, __ATOMIC_RELAXED)) >= 0, 0))
		return WHERRY_EVENT_FULL;
	s = wherry_event_cell_of(r, p);
	lap = (p >> r->shift) << WHERRY_EVENT_LAP_SHIFT;
	WHERRY_EVENT_STEP("look");
	__atomic_store_n(&r->tail, p + 1, __ATOMIC_RELAXED);
	__atomic_signal_fence(__ATOMIC_SEQ_CST);
	/* From here on a handler takes a later position. One that came before has
	 * taken this one, and completed its record. */
	if (__builtin_expect(wherry_event_used(lap, __atomic_load_n(&s->state, __ATOMIC_ACQUIRE)), 0))
		return WHERRY_EVENT_TAKEN;
	/* A cell whose memory has gone back looks as if it had never been used. */
	if (__builtin_expect(__atomic_load_n(&q->closed, __ATOMIC_RELAXED) == WHERRY_EVENT_GONE, 0))
		return WHERRY_EVENT_CLOSED;
	wherry_event_soon((struct wherry_event_cell *)((char *)s + WHERRY_EVENT_AHEAD));
	WHERRY_EVENT_STEP("write");
	wherry_event_write(q, s, record);
	v = lap | (uint64_t)record->size << WHERRY_EVENT_SIZE_SHIFT | WHERRY_EVENT_READY;
	WHERRY_EVENT_STEP("publish");
	__atomic_store_n(&s->state, v, __ATOMIC_RELEASE);
	WHERRY_EVENT_STEP("published");
	/* Between that store and this load there has to be a barrier: Go has either
	 * stored there, or does not see the record yet, not both. Go pays for it, by
	 * membarrier before it sleeps or seals; here it is enough that the compiler
	 * keeps the order. */
	__atomic_signal_fence(__ATOMIC_SEQ_CST);
	if (__builtin_expect((__atomic_load_n(&q->sleep, __ATOMIC_RELAXED) & look) != 0, 0))
		return wherry_event_end(q, r, p, v, record->flags);
	return WHERRY_EVENT_OK;
}

/* The same, whatever the lane's state. */
WHERRY_EVENT_APART int wherry_event_lane(wherry_event_queue *q, struct wherry_event_ring *r, uint32_t id,
		const struct wherry_event_record *record) {
	int result;
	if (__atomic_load_n(&r->owner, __ATOMIC_RELAXED) != id)
		wherry_event_take_over(r, id);
	do {
		if ((int64_t)(__atomic_load_n(&r->tail, __ATOMIC_RELAXED) - __atomic_load_n(&r->limit, __ATOMIC_RELAXED)) >= 0)
			__atomic_store_n(&r->limit, __atomic_load_n(&r->head, __ATOMIC_SEQ_CST) + q->mask + 1, __ATOMIC_RELAXED);
		result = wherry_event_try_lane(q, r, record);
	} while (result == WHERRY_EVENT_TAKEN);
	return result;
}

/* ---- The shared ring, for threads that found no lane ---- */

/* Moves the tail to p, if it is not there yet. A post that finds the ring full does
 * it for the threads whose cells it passed: had all of them died before they could,
 * the receiver would not look at those cells. */
static inline void wherry_event_advance(struct wherry_event_ring *r, uint64_t p) {
	uint64_t t = __atomic_load_n(&r->tail, __ATOMIC_RELAXED);
	while ((int64_t)(t - p) < 0 && !__atomic_compare_exchange_n(&r->tail, &t, p, 0, __ATOMIC_ACQ_REL, __ATOMIC_RELAXED)) {
	}
}

/* Claims the next position that can be had, and gives its cell, or an error. */
static inline struct wherry_event_cell *wherry_event_claim(wherry_event_queue *q, uint64_t owner, uint64_t *writing, int *error) {
	const uint64_t mask = q->mask;
	const uint32_t shift = q->shift, mode = q->mode;
	struct wherry_event_ring *r = &q->ring[0];
	uint64_t blocked = 0, behind = 0, p, t;
	struct wherry_event_cell *s;
	owner <<= WHERRY_EVENT_SIZE_SHIFT;
	p = __atomic_load_n(&r->tail, __ATOMIC_ACQUIRE);
	for (;;) {
		s = wherry_event_at(q, 0, p);
		uint64_t lap = (p >> shift) << WHERRY_EVENT_LAP_SHIFT;
		WHERRY_EVENT_STEP("look");
		uint64_t v = __atomic_load_n(&s->state, __ATOMIC_ACQUIRE);
		uint64_t kind = v & WHERRY_EVENT_KIND;
		int64_t laps = (int64_t)(lap - (v & WHERRY_EVENT_LAP)); /* since that state, in units of a lap */
		if (kind == WHERRY_EVENT_SHUT) {
			*error = WHERRY_EVENT_CLOSED;
			return NULL;
		}
		if (laps < 0) { /* p is long gone */
			p++;
			t = __atomic_load_n(&r->tail, __ATOMIC_ACQUIRE);
			if ((int64_t)(t - p) > 0)
				p = t;
			continue;
		}
		if (laps == 0 && kind != WHERRY_EVENT_FREE) { /* p is taken */
			p++;
			if (blocked == 0)
				behind = p;
			continue;
		}
		if (kind == WHERRY_EVENT_READY && mode != WHERRY_EVENT_MODE_OVERWRITE) {
			uint64_t position = p - (((uint64_t)laps >> WHERRY_EVENT_LAP_SHIFT) << shift);
			if ((int64_t)(position - __atomic_load_n(&r->head, __ATOMIC_ACQUIRE)) >= 0) {
				*error = WHERRY_EVENT_FULL;
				wherry_event_advance(r, behind);
				return NULL;
			}
		} else if (kind != WHERRY_EVENT_FREE && kind != WHERRY_EVENT_READY) {
			/* Somebody is slow, or dead, in this cell: pass. */
			if (++blocked > mask || (mode != WHERRY_EVENT_MODE_OVERWRITE && p - __atomic_load_n(&r->head, __ATOMIC_ACQUIRE) > mask)) {
				*error = WHERRY_EVENT_FULL;
				wherry_event_advance(r, behind);
				return NULL;
			}
			p++;
			continue;
		}
		*writing = lap | owner | WHERRY_EVENT_WRITING;
		WHERRY_EVENT_STEP("claim");
		if (__atomic_compare_exchange_n(&s->state, &v, *writing, 0, __ATOMIC_ACQ_REL, __ATOMIC_RELAXED)) {
			if (kind == WHERRY_EVENT_READY && mode == WHERRY_EVENT_MODE_OVERWRITE)
				__atomic_fetch_add(&q->overwritten, 1, __ATOMIC_RELAXED);
			break;
		}
	}
	/* A cell whose memory has gone back looks as if it had never been used. */
	if (__atomic_load_n(&q->closed, __ATOMIC_SEQ_CST) == WHERRY_EVENT_GONE) {
		*error = WHERRY_EVENT_CLOSED;
		return NULL;
	}
	wherry_event_soon(wherry_event_at(q, 0, p + 6));
	WHERRY_EVENT_STEP("claimed");
	/* Before the record is ready the tail is past it. */
	wherry_event_advance(r, p + 1);
	return s;
}

WHERRY_EVENT_SELDOM int wherry_event_try_shared(wherry_event_queue *q, uint32_t id, const struct wherry_event_record *record) {
	uint64_t writing = 0;
	int error = WHERRY_EVENT_OK;
	struct wherry_event_cell *s = wherry_event_claim(q, id, &writing, &error);
	if (s == NULL)
		return error;
	WHERRY_EVENT_STEP("write");
	wherry_event_write(q, s, record);
	WHERRY_EVENT_STEP("publish");
	uint64_t v = writing, complete = (writing & WHERRY_EVENT_LAP) | (uint64_t)record->size << WHERRY_EVENT_SIZE_SHIFT;
	/* Sequentially consistent, like the load of sleep that follows: either this
	 * thread sees that Go sleeps, or Go sees the record before it sleeps. */
	if (!__atomic_compare_exchange_n(&s->state, &v, complete | WHERRY_EVENT_READY, 0, __ATOMIC_SEQ_CST, __ATOMIC_RELAXED)) {
		if (v != ((writing & ~WHERRY_EVENT_KIND) | WHERRY_EVENT_LATE_WRITING))
			return WHERRY_EVENT_CLOSED; /* and the memory was given back */
		WHERRY_EVENT_STEP("late");
		if (!__atomic_compare_exchange_n(&s->state, &v, complete | WHERRY_EVENT_LATE_READY, 0, __ATOMIC_SEQ_CST, __ATOMIC_RELAXED))
			return WHERRY_EVENT_CLOSED;
	}
	WHERRY_EVENT_STEP("published");
	return WHERRY_EVENT_OK;
}

/* ---- A post ---- */

/* One attempt, which does not wait. */
static inline int wherry_event_try(wherry_event_queue *q, uint32_t ring, uint32_t id, const struct wherry_event_record *record) {
	if (WHERRY_EVENT_LIKELY(ring != 0))
		return wherry_event_lane(q, &q->ring[ring], id, record);
	return wherry_event_try_shared(q, id, record);
}

/* Lets time pass, about 50 ns, for another processor to make progress. */
static inline void wherry_event_pause(void) {
#if defined(__x86_64__)
	__builtin_ia32_pause();
#elif defined(__aarch64__)
	__asm__ volatile("isb");
#endif
}

/* Lets Go run, if it waits for this processor. If the processor is long in coming
 * back, others took it: for a while it is not given away then. */
static inline void wherry_event_give_way(void) {
#if defined(__linux__)
	struct wherry_event_poster *me = wherry_event_me();
	uint64_t now = wherry_event_now();
	int saved = errno;
	if (now < __atomic_load_n(&me->greedy, __ATOMIC_RELAXED))
		return;
	wherry_event_syscall(SYS_sched_yield);
	if (wherry_event_now() - now > 1000000)
		__atomic_store_n(&me->greedy, now + 100000000, __ATOMIC_RELAXED);
	errno = saved;
#endif
}

/* Waits until Go has made room, if the queue is still full. For a receiver that is
 * at work, or could be on this processor, it looks a while, which takes less than to
 * sleep and to be woken. */
WHERRY_EVENT_SELDOM int wherry_event_wait(wherry_event_queue *q, uint32_t ring, uint32_t id, const struct wherry_event_record *record) {
	struct wherry_event_ring *r = &q->ring[ring];
	const int wake = (record->flags & WHERRY_EVENT_NOWAKE) == 0;
	int result;
	uint64_t full = __atomic_load_n(&r->head, __ATOMIC_RELAXED) + (q->mask < 2048 ? q->mask / 4 : 512);
	if (wake)
		wherry_event_wake(q);
	for (int i = 0; i < 200 && (int64_t)(__atomic_load_n(&r->head, __ATOMIC_RELAXED) - full) <= 0; i++) {
		wherry_event_pause();
		if (i % 50 == 10)
			wherry_event_give_way();
	}
	result = wherry_event_try(q, ring, id, record);
	while (result == WHERRY_EVENT_FULL) {
		uint32_t seen = __atomic_load_n(&r->space, __ATOMIC_SEQ_CST);
		__atomic_store_n(&r->waiting, 1, __ATOMIC_SEQ_CST);
		result = wherry_event_try(q, ring, id, record);
		if (result != WHERRY_EVENT_FULL)
			break;
		if (__atomic_load_n(&q->closed, __ATOMIC_SEQ_CST))
			return WHERRY_EVENT_CLOSED;
		if (wake)
			wherry_event_wake(q);
#if defined(__linux__)
		int saved = errno;
		wherry_event_syscall(SYS_futex, &r->space, 128L /* FUTEX_WAIT_PRIVATE */, (long)seen, NULL, NULL, 0L);
		errno = saved;
#else
		struct timespec pause = {0, 200000};
		if (__atomic_load_n(&r->space, __ATOMIC_SEQ_CST) == seen)
			nanosleep(&pause, NULL);
#endif
	}
	return result;
}

/* ---- What C calls ---- */

static inline int wherry_event_known(const wherry_event_queue *q) {
	return q != NULL && ((uintptr_t)q & (WHERRY_EVENT_ALIGN - 1)) == 0 && q->magic == (WHERRY_EVENT_MAGIC ^ (uint64_t)(uintptr_t)q);
}

/* The long way: for a thread's first post, an error, a full queue, timestamps, the
 * shared ring. */
WHERRY_EVENT_APART int wherry_event_post_slowly(wherry_event_queue *q, uint64_t tag, const void *data, size_t size, unsigned flags) {
	if (!wherry_event_known(q))
		return WHERRY_EVENT_BAD_QUEUE;
	if (size > q->max)
		return WHERRY_EVENT_TOO_BIG;
	if (data == NULL && size != 0)
		return WHERRY_EVENT_BAD_DATA;
	if (__atomic_load_n(&q->closed, __ATOMIC_RELAXED))
		return WHERRY_EVENT_CLOSED;
	const struct wherry_event_record record = {tag, data, size, flags, q->stamp != 0 ? wherry_event_now() : 0};
	uint32_t id = wherry_event_id((flags & WHERRY_EVENT_NOWAKE) == 0);
	uint32_t ring = wherry_event_ring_of(q, id);
	int result = wherry_event_try(q, ring, id, &record);
	if (__builtin_expect(result == WHERRY_EVENT_FULL, 0)) {
		if (q->mode == WHERRY_EVENT_MODE_WAIT && (flags & WHERRY_EVENT_NOWAIT) == 0)
			result = wherry_event_wait(q, ring, id, &record);
		if (result == WHERRY_EVENT_FULL)
			__atomic_fetch_add(&q->dropped, 1, __ATOMIC_RELAXED);
	}
	if ((flags & WHERRY_EVENT_NOWAKE) == 0)
		wherry_event_wake(q); /* also when full: Go may have to clear up after dead threads */
	return result;
}

/* Posts a record with a tag and flags (WHERRY_EVENT_NOWAKE | WHERRY_EVENT_NOWAIT, or 0). */
WHERRY_EVENT_OFTEN int wherry_event_post_with(wherry_event_queue *q, uint64_t tag, const void *data, size_t size, unsigned flags) {
	struct wherry_event_poster *me = wherry_event_me();
	uintptr_t lane = __atomic_load_n(&me->lane, __ATOMIC_RELAXED);
	struct wherry_event_ring *r = (struct wherry_event_ring *)lane;
	/* The lane is one of this queue, this thread's, and the queue is open. NULL is no
	 * lane's page, but a compiler that sees NULL does not know. */
	if (WHERRY_EVENT_LIKELY(!(__builtin_constant_p(q == NULL) && q == NULL) &&
			(lane & ~(uintptr_t)(WHERRY_EVENT_ALIGN - 1)) == (uintptr_t)q &&
			__atomic_load_n(&r->owner, __ATOMIC_RELAXED) == me->id &&
			size < __atomic_load_n(&r->room, __ATOMIC_RELAXED) && (data != NULL || size == 0))) {
		const struct wherry_event_record record = {tag, data, size, flags, 0};
		int result = wherry_event_try_lane(q, r, &record);
		if (WHERRY_EVENT_LIKELY(result == WHERRY_EVENT_OK) || result == WHERRY_EVENT_CLOSED)
			return result;
	}
	return wherry_event_post_slowly(q, tag, data, size, flags);
}

/* Posts a record with tag 0. */
WHERRY_EVENT_OFTEN int wherry_event_post(wherry_event_queue *q, const void *data, size_t size) {
	return wherry_event_post_with(q, 0, data, size, 0);
}

/* Posts a record with a tag, which may say what the record is. */
WHERRY_EVENT_OFTEN int wherry_event_post_tag(wherry_event_queue *q, uint64_t tag, const void *data, size_t size) {
	return wherry_event_post_with(q, tag, data, size, 0);
}

/* Posts without any system call and without waiting, for real-time threads. */
WHERRY_EVENT_OFTEN int wherry_event_post_nowake(wherry_event_queue *q, uint64_t tag, const void *data, size_t size) {
	return wherry_event_post_with(q, tag, data, size, WHERRY_EVENT_NOWAKE | WHERRY_EVENT_NOWAIT);
}

/* Gets a thread ready for posts without a system call: makes it known, finds its
 * lane, and touches the lane's memory; of the ring that threads without one share the
 * words by which they agree. A thread that posts from several libraries calls it in
 * each. Of a queue that is closed, or is none, nothing is touched. */
static inline void wherry_event_thread(wherry_event_queue *q) {
	uint32_t id, ring;
	uint64_t i;
	uintptr_t page = 0;
	volatile uint64_t nothing = 0; /* LLVM makes a load of a constant 0, which gets no page */
	if (!wherry_event_known(q) || __atomic_load_n(&q->closed, __ATOMIC_RELAXED))
		return;
	id = wherry_event_id(1), ring = wherry_event_ring_of(q, id);
	if (ring != 0) {
		char *cells = (char *)wherry_event_at(q, ring, 0);
		if (__atomic_load_n(&q->ring[ring].owner, __ATOMIC_RELAXED) != id)
			wherry_event_take_over(&q->ring[ring], id);
		for (i = 0; i < (q->mask + 1) * q->stride; i += 4096)
			__atomic_fetch_or(cells + i, (char)nothing, __ATOMIC_RELAXED);
		return;
	}
	for (i = 0; i <= q->mask; i++) {
		struct wherry_event_cell *s = wherry_event_at(q, 0, i);
		if ((uintptr_t)s / 4096 != page)
			__atomic_fetch_or(&s->state, nothing, __ATOMIC_RELAXED);
		page = (uintptr_t)s / 4096;
	}
}

/* What a result means. */
static inline const char *wherry_event_error(int result) {
	switch (result) {
	case WHERRY_EVENT_OK: return "posted";
	case WHERRY_EVENT_FULL: return "the queue is full";
	case WHERRY_EVENT_TOO_BIG: return "the record is larger than Options.MaxSize";
	case WHERRY_EVENT_CLOSED: return "the queue is closed";
	case WHERRY_EVENT_BAD_QUEUE: return "not a queue of this version of wherry_event.h";
	case WHERRY_EVENT_BAD_DATA: return "data is NULL";
	}
	return "unknown result";
}

#ifdef __cplusplus
}
#endif

#endif
