//go:build libuv

// The C side: a libuv loop on a thread of its own. It lists a directory; libuv's
// pool threads read the files and post a record for each, straight from where
// they are; a timer of the loop posts ticks meanwhile; the loop posts the end.
#include <stdio.h>
#include <stdlib.h>
#include <uv.h>
#include "uv_sums.h"

typedef struct {
	uv_work_t work;
	walk *walk;
	char path[4096];
	file_sum result;
	int posted;
} file;

static int count_lost(walk *w, int result) {
	if (result != WHERRY_EVENT_OK)
		__atomic_fetch_add(&w->lost, 1, __ATOMIC_RELAXED);
	return result == WHERRY_EVENT_OK;
}

// On a pool thread of libuv.
static void sum(uv_work_t *work) {
	file *f = work->data;
	uint64_t hash = UINT64_C(0xcbf29ce484222325); // FNV-1a
	FILE *stream = fopen(f->path, "rb");
	if (stream == NULL) {
		f->result.error = 1;
	} else {
		unsigned char buffer[1 << 16];
		size_t n;
		while ((n = fread(buffer, 1, sizeof buffer, stream)) > 0) {
			for (size_t i = 0; i < n; i++)
				hash = (hash ^ buffer[i]) * UINT64_C(0x100000001b3);
			f->result.size += n;
		}
		f->result.error = ferror(stream) != 0;
		fclose(stream);
	}
	f->result.sum = hash;
	f->posted = count_lost(f->walk, wherry_event_post_tag(f->walk->queue, WALK_FILE, &f->result, sizeof f->result));
}

// On the loop's thread.
static void summed(uv_work_t *work, int status) {
	(void)status;
	file *f = work->data;
	walk *w = f->walk;
	w->files += f->posted;
	free(f);
	if (--w->pending == 0)
		uv_stop(&w->loop);
}

static void tick(uv_timer_t *timer) {
	walk *w = timer->data;
	w->ticks++;
	count_lost(w, wherry_event_post_tag(w->queue, WALK_TICK, &w->ticks, sizeof w->ticks));
}

static void listed(uv_fs_t *request) {
	walk *w = request->data;
	uv_dirent_t entry;
	int64_t result = request->result;
	while (result >= 0 && uv_fs_scandir_next(request, &entry) != UV_EOF) {
		if (entry.type != UV_DIRENT_FILE)
			continue;
		file *f = calloc(1, sizeof *f);
		f->walk = w;
		f->work.data = f;
		snprintf(f->path, sizeof f->path, "%s/%s", w->directory, entry.name);
		snprintf(f->result.name, sizeof f->result.name, "%s", entry.name);
		w->pending++;
		uv_queue_work(&w->loop, &f->work, sum, summed);
	}
	if (result < 0)
		snprintf(w->error, sizeof w->error, "%s: %s", w->directory, uv_strerror((int)result));
	uv_fs_req_cleanup(request);
	if (w->pending == 0)
		uv_stop(&w->loop);
}

static void run(void *arg) {
	walk *w = arg;
	uv_fs_t request;
	uv_timer_t timer;
	uv_loop_init(&w->loop);
	request.data = timer.data = w;
	uv_timer_init(&w->loop, &timer);
	uv_timer_start(&timer, tick, 0, 1);
	uv_fs_scandir(&w->loop, &request, w->directory, 0, listed);
	uv_run(&w->loop, UV_RUN_DEFAULT);
	uv_close((uv_handle_t *)&timer, NULL);
	uv_run(&w->loop, UV_RUN_DEFAULT);
	uv_loop_close(&w->loop);
	// Another thread's record may come after this one, so it says how many there are.
	count_lost(w, wherry_event_post_tag(w->queue, WALK_END, &w->files, sizeof w->files));
}

walk *walk_start(void *queue, const char *directory) {
	walk *w = calloc(1, sizeof *w);
	w->queue = queue;
	snprintf(w->directory, sizeof w->directory, "%s", directory);
	if (uv_thread_create(&w->thread, run, w) != 0) {
		free(w);
		return NULL;
	}
	return w;
}

void walk_wait(walk *w) { uv_thread_join(&w->thread); }
