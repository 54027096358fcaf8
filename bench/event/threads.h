#include <pthread.h>
#include <stdint.h>
#include "wherry_event.h"

typedef struct { uint64_t producer, number, pad[6]; } record; // 64 bytes

enum { BY_QUEUE, BY_CALLBACK };

// A thread that posts numbers 0 to count-1.
typedef struct {
	wherry_event_queue *queue;
	uint64_t producer, count, every_ns;
	int by;
	uint32_t *ticks; // if not NULL, the time of each post
	uint64_t failed;
	pthread_t thread;
} poster;

int  poster_start(poster *p);
void poster_join(poster *p);

double tick_ns(void);       // nanoseconds per tick
uint32_t tick_cost(void);   // ticks between two readings, at least

// For latency: one post, or one write to an eventfd, from a thread of C.
typedef struct {
	wherry_event_queue *queue;
	int fd, by;
	int go;          // futex-free: polled
	uint64_t stamp;  // CLOCK_MONOTONIC when it began
	pthread_t thread;
} ringer;

int  ringer_start(ringer *r);
void ringer_ring(ringer *r);
void ringer_stop(ringer *r);
uint64_t ringer_stamp(ringer *r);
uint64_t now_ns(void);
