#include <pthread.h>
#include <stdint.h>
#include "wherry_event.h"

// A record of the tests: who, which, and bytes that follow from both.
typedef struct { uint32_t producer, size; uint64_t number; } mark;

typedef struct {
	wherry_event_queue *queue;
	uint32_t producer;
	uint64_t first, count; // numbers to post
	uint32_t min, max;     // bytes of a record, at random
	uint32_t pause;        // one post in so many is followed by a pause; 0: none
	unsigned flags;
	uint64_t early;        // so many posts before the thread's id is known
	int again;             // after WHERRY_EVENT_FULL post the same number again
	int signals;           // a signal handler posts as producer + 1, this often
	// results
	uint64_t posted, full, other;
	uint64_t last_errno;
	pthread_t thread;
} job;

int  cthread_start(job *j);
int  cthread_stammer(job *j); // pauses at random in mid-post
void cthread_join(job *j);

// Posts step by step; see cthread_steps.
typedef struct {
	wherry_event_queue *queue;
	uint32_t producer;
	uint64_t number;
	int stop_at;           // the step that is not finished
	int how;               // 0: pthread_exit, 1: wait to be cancelled, 2: wait for go
	int stopped, go, done; // atomics
	int result;
	unsigned flags;
	pthread_t thread;
} victim;

int  cthread_victim(victim *v);
int  cthread_stopped(victim *v);
void cthread_cancel(victim *v);
void cthread_go(victim *v);
void cthread_join_victim(victim *v);

int cthread_post(void *queue, uint64_t tag, const void *data, size_t size, unsigned flags);
int cthread_post_many(void *queue, uint64_t first, uint64_t count);
int cthread_post_in_child(void *queue); // what a post returns after fork; 1: no child
uint64_t cthread_layout(int i);
