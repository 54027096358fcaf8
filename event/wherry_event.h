/* SPDX-License-Identifier: BSD-3-Clause
 *
 * wherry_event.h: C threads post records to Go. Part of
 * github.com/wherrygo/wherry, package event, which makes the queue.
 *
 * C99 and C++17, gcc or clang, 64-bit; there is nothing to link.
 *
 *     int result = wherry_event_post(queue, &record, sizeof record);
 *
 * queue is what (*event.Queue).Pointer gives. A post copies the record and
 * returns 0 or one of the negative codes below. It takes no lock, allocates
 * nothing, and makes no system call, except:
 *   - one write to an eventfd, when the Go side sleeps (never with
 *     WHERRY_EVENT_NOWAKE);
 *   - one gettid in a thread's first post (never with WHERRY_EVENT_NOWAKE; a
 *     real-time thread calls wherry_event_thread before it begins);
 *   - when the queue was made with Full: event.Wait and is full, the thread
 *     waits in a futex (never with WHERRY_EVENT_NOWAIT).
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

#define WHERRY_EVENT_MAGIC UINT64_C(0x3274657665776872) /* with the layout's version: 2 */

struct wherry_event_slot {
	uint64_t state;
	uint64_t tag;
	uint64_t time;
	uint32_t size;
	uint32_t reserved;
	/* the record */
};

/* A lane is a ring of its own: tail is written by its threads, the rest by Go. The
 * words lie 128 bytes apart, for processors fetch cache lines in pairs. */
struct wherry_event_lane {
	uint64_t tail; /* the next position, by producers */
	uint64_t pad0[15];
	uint64_t head;    /* positions below are consumed, by Go */
	uint32_t space;   /* futex: counts up when Go has made room for a waiting thread */
	uint32_t waiting; /* 1: somebody waits for space */
	uint64_t pad1[14];
};

#define WHERRY_EVENT_LANES 8 /* at most */

struct wherry_event_queue {
	uint64_t magic;  /* WHERRY_EVENT_MAGIC ^ address */
	uint64_t mask;   /* slots of a lane - 1 */
	uint64_t slots;  /* bytes from here to the first; lane after lane */
	uint64_t stride; /* bytes from one to the next */
	uint64_t max;    /* bytes of a record */
	uint32_t shift;  /* log2 of a lane's slots */
	uint32_t mode;   /* WHERRY_EVENT_MODE_ */
	uint32_t stamp;  /* 1: posts are stamped with the time */
	int32_t fd;      /* to wake Go */
	uint32_t closed;
	uint32_t lanes; /* a power of two */
	uint32_t pad0[16];
	uint64_t sleep; /* epoch * 2 + (1: Go sleeps) */
	uint64_t pad1[15];
	uint32_t wakers; /* threads between a look at sleep and the end of a write to fd */
	uint32_t pad2;
	uint64_t dropped, overwritten, wakeups;
	uint64_t pad3[12];
	uint64_t threads[WHERRY_EVENT_LANES]; /* who took a lane first, for good */
	uint64_t pad4[8];
	struct wherry_event_lane lane[WHERRY_EVENT_LANES];
};

/* A slot's state: kind, thread, lap. Position p lies in slot p & mask, in lap
 * p >> shift. 0 is a slot of a closed queue. */
#define WHERRY_EVENT_KIND UINT64_C(7)
#define WHERRY_EVENT_LAP_SHIFT 25
#define WHERRY_EVENT_LAP (~((UINT64_C(1) << WHERRY_EVENT_LAP_SHIFT) - 1))
#define WHERRY_EVENT_OWNER (~WHERRY_EVENT_LAP & ~WHERRY_EVENT_KIND)

enum {
	WHERRY_EVENT_SHUT = 0,         /* the queue is closed */
	WHERRY_EVENT_FREE = 1,         /* to be had, from the lap on */
	WHERRY_EVENT_WRITING = 2,      /* by the thread */
	WHERRY_EVENT_READY = 3,        /* a record */
	WHERRY_EVENT_READING = 4,      /* mode overwrite: Go has it */
	WHERRY_EVENT_LATE_WRITING = 5, /* Go went past while it was being written */
	WHERRY_EVENT_LATE_READY = 6
};

enum {
	WHERRY_EVENT_MODE_DROP = 0,
	WHERRY_EVENT_MODE_OVERWRITE = 1,
	WHERRY_EVENT_MODE_WAIT = 2
};

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

/* The thread's id, known to Go's receiver, which asks the kernel whether a
 * thread that has not finished a post is still there. 0: unknown. */
static inline uint32_t wherry_event_owner(int may_call) {
#if defined(__linux__)
	/* initial-exec: no allocation on first use, so fit for signal handlers. */
	static __thread uint32_t tid __attribute__((tls_model("initial-exec")));
	if (tid == 0 && may_call)
		tid = (uint32_t)wherry_event_syscall(SYS_gettid);
	return tid;
#else
	(void)may_call;
	return 0;
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
static inline void wherry_event_wake(wherry_event_queue *q) {
	uint64_t e = __atomic_load_n(&q->sleep, __ATOMIC_SEQ_CST);
	if (__builtin_expect((e & 1) == 0, 1))
		return;
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
		__atomic_compare_exchange_n(&q->sleep, &e, e & ~UINT64_C(1), 0, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);
		__atomic_fetch_add(&q->wakeups, 1, __ATOMIC_RELAXED);
	}
	__atomic_fetch_sub(&q->wakers, 1, __ATOMIC_SEQ_CST);
}

/* The thread's lane, always the same one, for the order of its records: the first
 * that it finds untaken, or if there is none one by chance. An entry of the table
 * never changes again, so a signal handler in mid-search finds what the thread
 * finds. errno's address tells threads apart, in every library of a program. */
static inline uint32_t wherry_event_lane_of(wherry_event_queue *q) {
	uint32_t mask = q->lanes - 1, i;
	uint64_t me, seen;
	if (mask == 0)
		return 0;
	me = (uint64_t)(uintptr_t)&errno;
	/* Threads' memory lies whole pages apart: a multiplicative hash. */
	uint32_t first = (uint32_t)(me * UINT64_C(0x9E3779B97F4A7C15) >> 40);
	for (i = 0; i <= mask; i++) {
		uint64_t *entry = &q->threads[(first + i) & mask];
		seen = __atomic_load_n(entry, __ATOMIC_RELAXED);
		if (seen == 0 && __atomic_compare_exchange_n(entry, &seen, me, 0, __ATOMIC_RELAXED, __ATOMIC_RELAXED))
			seen = me;
		if (seen == me)
			return (first + i) & mask;
	}
	return first & mask;
}

/* A position's slot. */
static inline struct wherry_event_slot *wherry_event_at(wherry_event_queue *q, uint32_t lane, uint64_t p) {
	return (struct wherry_event_slot *)((char *)q + q->slots + (((uint64_t)lane << q->shift) + (p & q->mask)) * q->stride);
}

/* Asks for the cache lines of a slot that a post will soon write. Go read them
 * last: without this a post waits for each to come from Go's processor. */
static inline void wherry_event_soon(struct wherry_event_slot *s) {
	char *lines = (char *)s;
#if defined(__x86_64__)
	/* gcc makes a prefetch for reading of __builtin_prefetch. */
	__asm__ volatile("prefetchw %0\n\tprefetchw %1" : : "m"(lines[0]), "m"(lines[64]));
#else
	__builtin_prefetch(lines, 1);
	__builtin_prefetch(lines + 64, 1);
#endif
}

/* Moves the tail to p, if it is not there yet. A post that finds the ring full does
 * it for the threads whose slots it passed: had all of them died before they could,
 * the receiver would not look at those slots. */
static inline void wherry_event_advance(struct wherry_event_lane *lane, uint64_t p) {
	uint64_t t = __atomic_load_n(&lane->tail, __ATOMIC_RELAXED);
	while ((int64_t)(t - p) < 0 && !__atomic_compare_exchange_n(&lane->tail, &t, p, 0, __ATOMIC_ACQ_REL, __ATOMIC_RELAXED)) {
	}
}

/* Claims the next position that can be had, and gives its slot, or an error. */
static inline struct wherry_event_slot *wherry_event_claim(wherry_event_queue *q, uint32_t i, uint64_t owner, uint64_t *writing, int *error) {
	const uint64_t mask = q->mask;
	const uint32_t shift = q->shift, mode = q->mode;
	struct wherry_event_lane *lane = &q->lane[i];
	uint64_t blocked = 0, behind = 0, p, t;
	struct wherry_event_slot *s;
	owner <<= 3;
	p = __atomic_load_n(&lane->tail, __ATOMIC_ACQUIRE);
	for (;;) {
		s = wherry_event_at(q, i, p);
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
			t = __atomic_load_n(&lane->tail, __ATOMIC_ACQUIRE);
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
			if ((int64_t)(position - __atomic_load_n(&lane->head, __ATOMIC_ACQUIRE)) >= 0) {
				*error = WHERRY_EVENT_FULL;
				wherry_event_advance(lane, behind);
				return NULL;
			}
		} else if (kind != WHERRY_EVENT_FREE && kind != WHERRY_EVENT_READY) {
			/* Somebody is slow, or dead, in this slot: pass. */
			if (++blocked > mask || (mode != WHERRY_EVENT_MODE_OVERWRITE && p - __atomic_load_n(&lane->head, __ATOMIC_ACQUIRE) > mask)) {
				*error = WHERRY_EVENT_FULL;
				wherry_event_advance(lane, behind);
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
	wherry_event_soon(wherry_event_at(q, i, p + 6));
	WHERRY_EVENT_STEP("claimed");
	/* Before the record is ready the tail is past it. */
	wherry_event_advance(lane, p + 1);
	return s;
}

/* One attempt; neither waits nor wakes. */
static inline int wherry_event_try(wherry_event_queue *q, uint32_t lane, uint64_t tag, const void *data, size_t size, uint64_t stamp, unsigned flags) {
	uint64_t writing = 0;
	int error = WHERRY_EVENT_OK;
	struct wherry_event_slot *s = wherry_event_claim(q, lane, wherry_event_owner((flags & WHERRY_EVENT_NOWAKE) == 0), &writing, &error);
	if (s == NULL)
		return error;
	WHERRY_EVENT_STEP("write");
	s->tag = tag;
	s->time = stamp;
	s->size = (uint32_t)size;
	if (size == 0)
		data = s; /* memcpy wants a pointer */
	/* gcc would make "rep movs" of a constant size, which takes longer than the
	 * C library's memcpy. */
	__asm__("" : "+r"(size));
	memcpy(s + 1, data, size);
	WHERRY_EVENT_STEP("publish");
	uint64_t v = writing, owner_kind = WHERRY_EVENT_OWNER | WHERRY_EVENT_KIND;
	/* Sequentially consistent, like the load of sleep that follows: either this
	 * thread sees that Go sleeps, or Go sees the record before it sleeps. */
	if (!__atomic_compare_exchange_n(&s->state, &v, (v & ~owner_kind) | WHERRY_EVENT_READY, 0, __ATOMIC_SEQ_CST, __ATOMIC_RELAXED)) {
		if (v != ((writing & ~WHERRY_EVENT_KIND) | WHERRY_EVENT_LATE_WRITING))
			return WHERRY_EVENT_CLOSED; /* and the memory was given back */
		uint64_t late = v;
		WHERRY_EVENT_STEP("late");
		if (!__atomic_compare_exchange_n(&s->state, &late, (v & ~owner_kind) | WHERRY_EVENT_LATE_READY, 0, __ATOMIC_SEQ_CST, __ATOMIC_RELAXED))
			return WHERRY_EVENT_CLOSED;
	}
	WHERRY_EVENT_STEP("published");
	return WHERRY_EVENT_OK;
}

/* Waits until Go has made room, if the queue is still full. */
static inline int wherry_event_wait(wherry_event_queue *q, uint32_t i, uint64_t tag, const void *data, size_t size, uint64_t stamp, unsigned flags) {
	struct wherry_event_lane *lane = &q->lane[i];
	for (;;) {
		uint32_t seen = __atomic_load_n(&lane->space, __ATOMIC_SEQ_CST);
		__atomic_store_n(&lane->waiting, 1, __ATOMIC_SEQ_CST);
		int result = wherry_event_try(q, i, tag, data, size, stamp, flags);
		if (result != WHERRY_EVENT_FULL)
			return result;
		if (__atomic_load_n(&q->closed, __ATOMIC_SEQ_CST))
			return WHERRY_EVENT_CLOSED;
		if ((flags & WHERRY_EVENT_NOWAKE) == 0)
			wherry_event_wake(q);
#if defined(__linux__)
		int saved = errno;
		wherry_event_syscall(SYS_futex, &lane->space, 128L /* FUTEX_WAIT_PRIVATE */, (long)seen, NULL, NULL, 0L);
		errno = saved;
#else
		struct timespec pause = {0, 200000};
		if (__atomic_load_n(&lane->space, __ATOMIC_SEQ_CST) == seen)
			nanosleep(&pause, NULL);
#endif
	}
}

/* ---- What C calls ---- */

/* Posts a record with a tag and flags (WHERRY_EVENT_NOWAKE | WHERRY_EVENT_NOWAIT, or 0). */
static inline int wherry_event_post_with(wherry_event_queue *q, uint64_t tag, const void *data, size_t size, unsigned flags) {
	if (q == NULL || ((uintptr_t)q & 63) != 0 || q->magic != (WHERRY_EVENT_MAGIC ^ (uint64_t)(uintptr_t)q))
		return WHERRY_EVENT_BAD_QUEUE;
	if (size > q->max)
		return WHERRY_EVENT_TOO_BIG;
	if (data == NULL && size != 0)
		return WHERRY_EVENT_BAD_DATA;
	if (__atomic_load_n(&q->closed, __ATOMIC_RELAXED))
		return WHERRY_EVENT_CLOSED;
	uint64_t stamp = q->stamp ? wherry_event_now() : 0;
	uint32_t lane = wherry_event_lane_of(q);
	int result = wherry_event_try(q, lane, tag, data, size, stamp, flags);
	if (result == WHERRY_EVENT_FULL && q->mode == WHERRY_EVENT_MODE_WAIT && (flags & WHERRY_EVENT_NOWAIT) == 0)
		result = wherry_event_wait(q, lane, tag, data, size, stamp, flags);
	if (result == WHERRY_EVENT_FULL)
		__atomic_fetch_add(&q->dropped, 1, __ATOMIC_RELAXED);
	if ((flags & WHERRY_EVENT_NOWAKE) == 0)
		wherry_event_wake(q); /* also when full: Go may have to clear up after dead threads */
	return result;
}

/* Posts a record with tag 0. */
static inline int wherry_event_post(wherry_event_queue *q, const void *data, size_t size) {
	return wherry_event_post_with(q, 0, data, size, 0);
}

/* Posts a record with a tag, which may say what the record is. */
static inline int wherry_event_post_tag(wherry_event_queue *q, uint64_t tag, const void *data, size_t size) {
	return wherry_event_post_with(q, tag, data, size, 0);
}

/* Posts without any system call and without waiting, for real-time threads. */
static inline int wherry_event_post_nowake(wherry_event_queue *q, uint64_t tag, const void *data, size_t size) {
	return wherry_event_post_with(q, tag, data, size, WHERRY_EVENT_NOWAKE | WHERRY_EVENT_NOWAIT);
}

/* Makes the thread known, by one system call, so that wherry_event_post_nowake
 * has none to make and Go can still clear up if the thread dies in mid-post. */
static inline void wherry_event_thread(void) {
	(void)wherry_event_owner(1);
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
