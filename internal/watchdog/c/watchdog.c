// The watchdog of direct calls. Each call notes in its thread's slot what runs
// since when; a monitor thread looks at the slots all the time and tells of a
// call that exceeds the bound while it still runs. One copy of this file is
// compiled into each package of a build with -watchdog; its symbols are weak.
//
// The Go caller's place is read from the program's own line table, as the file on
// disk has it (debug/gosym describes the format): Go code cannot be asked, since
// it may be the one that waits for the call.

#define _GNU_SOURCE
#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#define SHARED __attribute__((weak, visibility("hidden")))

// A watched is the data of one C function; the assembly of internal/enter
// defines it.
typedef struct {
	void (*target)(void);
	const char *name, *package;
	long reports;
} watched;

// More callers could lie beyond a callback, in C, whose frame pointers lead nowhere.
enum { CALLERS = 6, REPORTS = 20 };

// A slot is what a thread does now. sequence is odd while a call runs.
typedef struct slot slot;
struct slot {
	unsigned long sequence;
	watched *what;
	long long start; // ns, of the monotonic clock
	uintptr_t callers[CALLERS];
	unsigned long told; // sequence of the call that the monitor told of
	slot *next, *unused;
};

SHARED __thread slot *_wherry_watch_slot __attribute__((tls_model("initial-exec")));

SHARED struct {
	int lock, started;
	long long bound; // ns; 0: off
	int out;
	slot *slots, *unused;
	pthread_key_t key;
	const unsigned char *table; // .gopclntab, or NULL
	size_t size;
	uintptr_t text; // the address that its offsets count from
} _wherry_watch;

#define W _wherry_watch

static void lock(void) {
	while (__atomic_exchange_n(&W.lock, 1, __ATOMIC_ACQUIRE))
		sched_yield();
}

static void unlock(void) { __atomic_store_n(&W.lock, 0, __ATOMIC_RELEASE); }

static long long now(void) {
	struct timespec t;
	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec * 1000000000LL + t.tv_nsec;
}

// number reads an integer of the table, or 0 beyond its end.
static uint64_t number(size_t at, size_t bytes) {
	uint64_t n = 0;
	if (at <= W.size && bytes <= W.size - at)
		memcpy(&n, W.table + at, bytes);
	return n;
}

static const char *text_at(size_t at) {
	return at < W.size && memchr(W.table + at, 0, W.size - at) != NULL ? (const char *)W.table + at : "?";
}

// The parts of the table, from its head.
#define COUNT number(8, 8)
#define NAMES number(32, 8)
#define UNITS number(40, 8)
#define FILES number(48, 8)
#define VALUES number(56, 8)
#define FUNCTIONS number(64, 8)
#define QUANTUM number(6, 1)

static uint64_t varint(size_t *at) {
	uint64_t n = 0;
	for (int shift = 0; shift < 64; shift += 7) {
		uint64_t byte = number((*at)++, 1);
		n |= (byte & 127) << shift;
		if (byte < 128)
			break;
	}
	return n;
}

// value finds what a table of pairs (difference of value, difference of place)
// says about a place in a function.
static long value(uint64_t table, uint64_t place) {
	size_t at = VALUES + table;
	long n = -1;
	for (uint64_t reached = 0, first = 1; table != 0 && at < W.size; first = 0) {
		uint64_t change = varint(&at);
		if (change == 0 && !first)
			break;
		n += (long)(change & 1 ? ~(change >> 1) : change >> 1);
		reached += varint(&at) * QUANTUM;
		if (place < reached)
			return n;
	}
	return -1;
}

// A place is that of a call in Go.
typedef struct {
	const char *function, *file;
	long line;
} place;

static int find(uintptr_t pc, place *p) {
	if (W.table == NULL || pc <= W.text)
		return 0;
	uint64_t offset = pc - 1 - W.text; // in the call, not behind it
	uint64_t low = 0, high = COUNT;
	while (high - low > 1) {
		uint64_t middle = (low + high) / 2;
		if (number(FUNCTIONS + 8 * middle, 4) <= offset)
			low = middle;
		else
			high = middle;
	}
	if (high == 0 || number(FUNCTIONS + 8 * low, 4) > offset || number(FUNCTIONS + 8 * low + 8, 4) <= offset)
		return 0;
	uint64_t f = FUNCTIONS + number(FUNCTIONS + 8 * low + 4, 4);
	offset -= number(f, 4);
	p->function = text_at(NAMES + number(f + 4, 4));
	long file = value(number(f + 20, 4), offset);
	p->line = value(number(f + 24, 4), offset);
	if (file < 0 || p->line < 0)
		return 0;
	uint64_t name = number(UNITS + 4 * (number(f + 32, 4) + (uint64_t)file), 4);
	p->file = name == 0xffffffff ? "?" : text_at(FILES + name);
	return 1;
}

extern void crosscall2(void (*)(void *), void *, int, size_t);

static int is_table(const unsigned char *table, size_t size) {
	W.table = table;
	W.size = size;
	if (number(0, 6) == 0xfffffff1 && number(7, 1) == 8 && FUNCTIONS < size && COUNT < size / 8) {
		for (uint64_t i = 0; i < COUNT; i++) {
			uint64_t f = FUNCTIONS + number(FUNCTIONS + 8 * i + 4, 4);
			if (strcmp(text_at(NAMES + number(f + 4, 4)), "crosscall2") == 0) {
				W.text = (uintptr_t)crosscall2 - number(f, 4);
				return 1;
			}
		}
	}
	W.table = NULL;
	return 0;
}

// open_table finds the line table in the file that this code was loaded from,
// and by crosscall2, whose address C knows, where its offsets begin.
static void open_table(void) {
	char line[4400], path[4200] = "";
	FILE *maps = fopen("/proc/self/maps", "re");
	while (maps != NULL && fgets(line, sizeof line, maps) != NULL) {
		unsigned long from, to;
		char name[4200] = "";
		if (sscanf(line, "%lx-%lx %*s %*s %*s %*s %4199[^\n]", &from, &to, name) == 3 && from <= (uintptr_t)crosscall2 && (uintptr_t)crosscall2 < to)
			memcpy(path, name, sizeof path);
	}
	if (maps != NULL)
		fclose(maps);
	struct stat info;
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return;
	const char *file = MAP_FAILED;
	size_t size = 0;
	if (fstat(fd, &info) == 0 && (size = (size_t)info.st_size) >= sizeof(Elf64_Ehdr))
		file = mmap(NULL, size, PROT_READ, MAP_PRIVATE, fd, 0);
	close(fd);
	if (file == MAP_FAILED)
		return;
	const Elf64_Ehdr *head = (const void *)file;
	if (head->e_shentsize != sizeof(Elf64_Shdr) || head->e_shoff > size || head->e_shnum * sizeof(Elf64_Shdr) > size - head->e_shoff || head->e_shstrndx >= head->e_shnum)
		return;
	const Elf64_Shdr *sections = (const void *)(file + head->e_shoff), *names = &sections[head->e_shstrndx];
	for (int i = 0; i < head->e_shnum; i++) {
		const Elf64_Shdr *s = &sections[i];
		if (s->sh_name >= names->sh_size || names->sh_offset > size || names->sh_size > size - names->sh_offset || s->sh_offset > size || s->sh_size > size - s->sh_offset)
			continue;
		const char *name = file + names->sh_offset + s->sh_name;
		size_t length = strnlen(name, names->sh_size - s->sh_name);
		int own = length >= 10 && memcmp(name + length - 10, ".gopclntab", 10) == 0;
		if (s->sh_type != SHT_PROGBITS || (!own && (length != 12 || memcmp(name, ".data.rel.ro", 12) != 0)))
			continue;
		for (size_t at = 0; at + 72 <= s->sh_size; at += 32) // the C linker may have put it into .data.rel.ro
			if (is_table((const unsigned char *)file + s->sh_offset + at, s->sh_size - at))
				return;
	}
}

// tell writes about a call. The lock is held.
static void tell(watched *what, const uintptr_t *callers, long long took, const char *verb) {
	if (what->reports > REPORTS)
		return;
	if (what->reports++ == REPORTS) {
		char more[400];
		int n = snprintf(more, sizeof more, "wherry: watchdog: more calls of C.%s (%s) exceed the bound\n", what->name, what->package);
		if (n > 0 && write(W.out, more, (size_t)n) < 0)
			return;
		return;
	}
	place p;
	char caller[2000] = "";
	for (int i = 0; i < CALLERS && callers[i] != 0; i++) {
		size_t length;
		if (find(callers[i], &p) && ((length = strlen(p.file)) < 15 || strcmp(p.file + length - 15, "_cgo_gotypes.go") != 0)) {
			snprintf(caller, sizeof caller, "%s at %s:%ld", p.function, p.file, p.line);
			break;
		}
	}
	if (caller[0] == 0)
		snprintf(caller, sizeof caller, "the code at %#lx", (unsigned long)callers[0]);
	char text[3000];
	int n = snprintf(text, sizeof text, "wherry: watchdog: C.%s (%s), called by %s, %s %lld.%03lld ms (bound %lld us)\n", what->name, what->package, caller, verb, took / 1000000, took / 1000 % 1000, W.bound / 1000);
	if (n > 0 && write(W.out, text, (size_t)n) < 0)
		return;
}

static void *monitor(void *arg) {
	long long step = W.bound / 4 < 1000000 ? W.bound / 4 : 1000000;
	struct timespec pause = {step / 1000000000, step % 1000000000};
	prctl(PR_SET_TIMERSLACK, 1000);
	for (;;) {
		nanosleep(&pause, NULL);
		for (slot *s = __atomic_load_n(&W.slots, __ATOMIC_ACQUIRE); s != NULL; s = s->next) {
			unsigned long sequence = __atomic_load_n(&s->sequence, __ATOMIC_ACQUIRE);
			if (sequence % 2 == 0 || s->told == sequence)
				continue;
			watched *what = s->what;
			uintptr_t callers[CALLERS];
			memcpy(callers, s->callers, sizeof callers);
			long long took = now() - s->start;
			__atomic_thread_fence(__ATOMIC_ACQUIRE);
			if (took < W.bound || __atomic_load_n(&s->sequence, __ATOMIC_RELAXED) != sequence)
				continue;
			lock();
			if (__atomic_load_n(&s->sequence, __ATOMIC_ACQUIRE) == sequence) { // or its end tells
				s->told = sequence;
				tell(what, callers, took, "has been running for");
			}
			unlock();
		}
	}
	return arg;
}

static void thread_ends(void *arg) {
	slot *s = arg;
	_wherry_watch_slot = NULL;
	lock();
	s->unused = W.unused;
	W.unused = s;
	unlock();
}

static long long bound(const char *text) {
	char *end;
	double n = strtod(text, &end);
	long long unit = strcmp(end, "ns") == 0 ? 1 : strcmp(end, "us") == 0 || strcmp(end, "\302\265s") == 0 ? 1000 : strcmp(end, "ms") == 0 ? 1000000 : strcmp(end, "s") == 0 ? 1000000000 : 0;
	return unit != 0 && n * (double)unit >= 1000 && n * (double)unit < 1e15 ? (long long)(n * (double)unit) : -1;
}

static void start(void) {
	W.out = 2;
	const char *text = getenv("WHERRY_WATCHDOG"), *file = getenv("WHERRY_WATCHDOG_FILE");
	W.bound = text == NULL || *text == 0 ? 100000 : strcmp(text, "off") == 0 ? 0 : bound(text);
	if (W.bound < 0) {
		fprintf(stderr, "wherry: WHERRY_WATCHDOG=%s: want a time of at least 1us such as 100us, or off; 100us is used\n", text);
		W.bound = 100000;
	}
	__atomic_store_n(&W.started, 1, __ATOMIC_RELEASE); // now a bound of 0 means off
	if (W.bound == 0)
		return;
	if (file != NULL && *file != 0 && (W.out = open(file, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0666)) < 0) {
		fprintf(stderr, "wherry: WHERRY_WATCHDOG_FILE=%s: %s; the watchdog writes to standard error\n", file, strerror(errno));
		W.out = 2;
	}
	open_table();
	pthread_key_create(&W.key, thread_ends);
	pthread_t thread;
	pthread_attr_t detached;
	sigset_t all, old;
	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &old); // Go's signals are not for this thread
	pthread_attr_init(&detached);
	pthread_attr_setdetachstate(&detached, PTHREAD_CREATE_DETACHED);
	int error = pthread_create(&thread, &detached, monitor, NULL);
	if (error != 0)
		fprintf(stderr, "wherry: watchdog: no monitor thread: %s; calls that never return are not found\n", strerror(error));
	pthread_attr_destroy(&detached);
	pthread_sigmask(SIG_SETMASK, &old, NULL);
}

static slot *new_slot(void) {
	lock();
	if (!W.started)
		start();
	slot *s = NULL;
	if (W.bound != 0) {
		if ((s = W.unused) != NULL) {
			W.unused = s->unused;
		} else if ((s = calloc(1, sizeof *s)) != NULL) {
			s->next = W.slots;
			__atomic_store_n(&W.slots, s, __ATOMIC_RELEASE);
		}
		if (s != NULL)
			pthread_setspecific(W.key, s);
	}
	unlock();
	_wherry_watch_slot = s;
	return s;
}

// _wherry_watch_begin comes before a call. frame is the frame pointer of the Go
// function that cgo wrote; those above it lead to the caller.
SHARED void _wherry_watch_begin(watched *what, uintptr_t *frame) {
	int saved = errno;
	slot *s = _wherry_watch_slot;
	if (s == NULL && ((__atomic_load_n(&W.started, __ATOMIC_ACQUIRE) && W.bound == 0) || (s = new_slot()) == NULL)) {
		errno = saved;
		return;
	}
	unsigned long sequence = (s->sequence + 1) & ~1ul; // the last call may have left by longjmp
	__atomic_store_n(&s->sequence, sequence, __ATOMIC_RELAXED);
	__atomic_thread_fence(__ATOMIC_RELEASE); // the monitor sees that before what follows
	s->what = what;
	for (int i = 0; i < CALLERS; i++) {
		s->callers[i] = frame == NULL ? 0 : frame[1];
		frame = frame == NULL ? NULL : (uintptr_t *)frame[0];
	}
	s->start = now();
	__atomic_store_n(&s->sequence, sequence + 1, __ATOMIC_RELEASE);
	errno = saved;
}

// _wherry_watch_end comes after it.
SHARED void _wherry_watch_end(void) {
	slot *s = _wherry_watch_slot;
	if (s == NULL || s->sequence % 2 == 0)
		return;
	int saved = errno;
	long long took = now() - s->start;
	if (took < W.bound) {
		__atomic_store_n(&s->sequence, s->sequence + 1, __ATOMIC_RELEASE);
	} else {
		lock();
		tell(s->what, s->callers, took, "took");
		__atomic_store_n(&s->sequence, s->sequence + 1, __ATOMIC_RELEASE);
		unlock();
	}
	errno = saved;
}
