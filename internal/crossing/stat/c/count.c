// Counters of crossings, for wherry stat. One copy of this file is compiled
// into each package of an instrumented program; its symbols are weak.
//
// Each place where C is called or calls Go has a record, in a section of its
// own. A thread has a block of counters, one for each record, and adds to it
// without an atomic operation. The blocks lie in a file that wherry made and
// that is mapped here, so they outlive the program, however it ends:
//
//   header | names, a line for each record | notes | block | block | ...

#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#define SHARED __attribute__((weak, visibility("hidden")))

enum { CAPACITY = 1 << 16, MAGIC = 0x77687279, PAGE = 4096, NOTES = 4096 };

typedef struct {
	const char *package, *function, *kind, *mode, *why;
	long unused[3];
} record;

typedef struct {
	unsigned long long magic, records, names_size, blocks_at, stride, used, capacity;
} header;

extern record __start_wherry_stats[] __attribute__((visibility("hidden"), weak)),
	__stop_wherry_stats[] __attribute__((visibility("hidden"), weak));

SHARED __thread unsigned long long *_wherry_stat_counts __attribute__((tls_model("initial-exec")));

SHARED __thread int _wherry_stat_ending; // the thread's destructors run

SHARED struct {
	int lock, started, keyed;
	size_t records;
	header *file;
	char *notes; // in the file: lines
	size_t noted;
	pthread_key_t key;
	unsigned long long **unused; // blocks of threads that have ended
	size_t ended, room;
} _wherry_stat;

static void lock(void) {
	while (__atomic_exchange_n(&_wherry_stat.lock, 1, __ATOMIC_ACQUIRE))
		sched_yield();
}

static void unlock(void) { __atomic_store_n(&_wherry_stat.lock, 0, __ATOMIC_RELEASE); }

// fail says why nothing is counted.
static void fail(const char *what) { dprintf(2, "wherry: nothing is counted: %s: %s\n", what, strerror(errno)); }

static size_t whole(size_t n, size_t unit) { return (n + unit - 1) / unit * unit; }

// open_file maps the file that the environment names, for the first process
// that opens it: another program that this one starts does not count.
static void open_file(const char *path) {
	struct stat info;
	int fd = open(path, O_RDWR | O_CLOEXEC);
	if (fd < 0) {
		fail(path);
		return;
	}
	if (flock(fd, LOCK_EX | LOCK_NB) != 0 || fstat(fd, &info) != 0 || info.st_size != 0) {
		close(fd);
		return;
	}
	size_t names = 0;
	for (record *r = __start_wherry_stats; r < __stop_wherry_stats; r++)
		names += strlen(r->package) + strlen(r->function) + strlen(r->kind) + strlen(r->mode) + strlen(r->why) + 5;
	size_t stride = whole(_wherry_stat.records * 8, 128), blocks_at = whole(sizeof(header) + names + NOTES, PAGE);
	size_t size = blocks_at + CAPACITY * stride; // a file with a hole
	header *file = MAP_FAILED;
	if (ftruncate(fd, (off_t)size) == 0)
		file = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_NORESERVE, fd, 0);
	if (file == MAP_FAILED) {
		fail(path);
		close(fd);
		return;
	}
	char *p = (char *)(file + 1);
	for (record *r = __start_wherry_stats; r < __stop_wherry_stats; r++)
		p += sprintf(p, "%s\t%s\t%s\t%s\t%s\n", r->package, r->function, r->kind, r->mode, r->why);
	_wherry_stat.notes = p;
	*file = (header){0, _wherry_stat.records, names, blocks_at, stride, 0, CAPACITY};
	__atomic_store_n(&file->magic, MAGIC, __ATOMIC_RELEASE);
	_wherry_stat.file = file; // and fd stays open, for the lock
}

// _wherry_stat_note keeps a line for the report, once. It takes no lock: a signal's handler may be here.
SHARED void _wherry_stat_note(const char *line) {
	char *notes = _wherry_stat.notes;
	size_t size = strlen(line) + 1;
	if (notes == NULL || strstr(notes, line) != NULL)
		return;
	size_t at = __atomic_fetch_add(&_wherry_stat.noted, size, __ATOMIC_RELAXED);
	if (at + size < NOTES) {
		memcpy(notes + at, line, size - 1);
		notes[at + size - 1] = '\n';
	}
}

static void thread_ends(void *block) {
	if (!_wherry_stat_ending && pthread_setspecific(_wherry_stat.key, block) == 0) {
		_wherry_stat_ending = 1; // in the next round: destructors of this one call Go, or give back a P
		return;
	}
	lock();
	if (_wherry_stat.ended == _wherry_stat.room) {
		size_t room = 2 * _wherry_stat.room + 64;
		void *more = realloc(_wherry_stat.unused, room * sizeof *_wherry_stat.unused);
		if (more == NULL) {
			unlock();
			return; // its block is lost, its counts are not
		}
		_wherry_stat.unused = more;
		_wherry_stat.room = room;
	}
	_wherry_stat.unused[_wherry_stat.ended++] = block;
	_wherry_stat_counts = NULL; // if it calls once more
	unlock();
}

__attribute__((constructor)) static void start(void) {
	lock();
	if (!_wherry_stat.started) {
		_wherry_stat.started = 1;
		_wherry_stat.records = (size_t)(__stop_wherry_stats - __start_wherry_stats);
		_wherry_stat.keyed = pthread_key_create(&_wherry_stat.key, thread_ends) == 0;
		const char *path = secure_getenv("WHERRY_STAT_FILE");
		if (path != NULL && *path != 0)
			open_file(path);
	}
	unlock();
}

// _wherry_stat_new gives a thread its block: one that another thread has left,
// with its counts, or a new one.
SHARED unsigned long long *_wherry_stat_new(void) {
	int error = errno;
	start();
	lock();
	header *file = _wherry_stat.file;
	unsigned long long *block;
	if (_wherry_stat.ended > 0)
		block = _wherry_stat.unused[--_wherry_stat.ended];
	else if (file != NULL && file->used < file->capacity)
		block = (unsigned long long *)((char *)file + file->blocks_at + file->used++ * file->stride);
	else
		block = calloc(_wherry_stat.records, 8); // nobody reads it
	unlock();
	if (block == NULL)
		abort();
	_wherry_stat_counts = block;
	if (_wherry_stat.keyed)
		pthread_setspecific(_wherry_stat.key, block);
	errno = error;
	return block;
}
