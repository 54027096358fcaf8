#include <stdint.h>
#include <uv.h>
#include "wherry_event.h"

enum { WALK_FILE = 1, WALK_TICK, WALK_END }; // tags

typedef struct {
	uint64_t size, sum;
	int32_t error;
	char name[236];
} file_sum;

typedef struct {
	wherry_event_queue *queue;
	uv_loop_t loop;
	uv_thread_t thread;
	int pending;
	uint64_t ticks, files, lost;
	char directory[2048], error[4096];
} walk;

walk *walk_start(void *queue, const char *directory);
void walk_wait(walk *w);
