#include <pthread.h>
#include <stdint.h>
#include "wherry_event.h"

// The numbers that a thread sends: its own above, 0 to count-1 below.
#define NUMBER(producer, i) ((uint64_t)(producer) << 48 | (i))

// A record of 64 bytes begins and ends with its number; one of 8 bytes is that.
typedef struct { uint64_t number, rest[6], again; } record;

enum { BY_QUEUE, BY_CALLBACK, BY_CHANNEL, BY_RING };

// The plainest ring between two threads of C. Each side keeps what it last saw of
// the other's index.
enum { RING = 1 << 14 };
enum { LINE = 1 }; // as a size: a number of 8 bytes, in a cell of 64
typedef struct {
	uint64_t tail, head_seen, pad0[14];
	uint64_t head, tail_seen, pad1[14];
	record cells[RING]; // or, for 8 bytes, as many numbers
} ring;

// A thread that sends numbers 0 to count-1.
typedef struct {
	wherry_event_queue *queue;
	ring *ring;
	uint64_t producer, count, size, every_ns;
	int by;
	uint32_t *ticks; // if not NULL, the time of each post, or of so many together
	uint64_t together;
	uint64_t failed;
	pthread_t thread;
} poster;

// Takes count records out of each of the rings, and returns how many were wrong.
uint64_t rings_receive(ring **rings, int n, uint64_t count, uint64_t size);

int  poster_start(poster *p);
void poster_join(poster *p);

double tick_ns(void);       // nanoseconds per tick
uint32_t tick_cost(void);   // ticks between two readings, the median

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
