//go:build ignore

// C stacks for calls that call back into Go: mapped with guard pages on both ends,
// kept in a list by each thread, given back when there are too many.
//
//   low                                                          high
//   +-----------+----------------------------------+--------+-----------+
//   | guard     | C frames          <- grows down  | record | guard     |
//   | GUARD     |                                  |        | GUARD     |
//   +-----------+----------------------------------+--------+-----------+
//               ^ record.low                       ^ the record's address
//
// A thread's stacks are a chain, one for each depth of nesting. The assembly moves
// along it, without a lock or an atomic operation: between
// entering a stack and leaving it, a goroutine cannot leave its thread.
// Everything here is the slow path.

// A thread that has no stack yet.
SHARED record _wherry_none = {.c_sp = &_wherry_none};

// Its alignment is at most the thread pointer's: dlopen refuses a library that wants more.
#if defined(__x86_64__)
__attribute__((aligned(64)))
#endif
SHARED __thread thread _wherry_thread __attribute__((tls_model("initial-exec"))) = {.active = &_wherry_none};

// A thread keeps this many stacks; more, for deeper nesting, go back.
enum { KEPT_BY_THREAD = 4, KEPT_IN_POOL = 64 };

// A guard is so large, at no cost but addresses, because a C function with a
// large frame need not touch the page next to it.
enum { GUARD = 1 << 20 };

// Sizes are the default, and larger powers of two for functions that want more.
enum { ORDERS = 31 };

SHARED struct {
	int lock;
	size_t size;   // of a stack without guards, bytes, by default
	long limit;    // of stacks in the process
	int bounded;   // the process may have so much memory only (RLIMIT_AS, RLIMIT_DATA): it is to have none less for our sake
	int used;      // a thread has wanted a stack
	int keyed;     // there is a key: a thread's end is seen
	int depth;     // of nested calls on one thread
	int debug;
	record *free[ORDERS];
	record *ready; // the first stack, not yet one of the mapped ones
	long pooled;   // stacks in free
	long mapped;   // stacks in the process
	long deepest;  // bytes, in debug mode
	thread *threads;
	pthread_key_t key;
} _wherry_pool;

static const char *name_of(record *r) { return r->call != NULL ? r->call->name : "a C function"; }

static size_t size_of(record *r) { return (size_t)((char *)(r + 1) - r->low); }

static int order_of(size_t size) { return 63 - __builtin_clzl(size); }

// What has the lock is not turned: it is short.
static void lock(void) {
	_wherry_thread.busy++;
	while (__atomic_exchange_n(&_wherry_pool.lock, 1, __ATOMIC_ACQUIRE))
		sched_yield();
}

static void unlock(void) {
	__atomic_store_n(&_wherry_pool.lock, 0, __ATOMIC_RELEASE);
	_wherry_thread.busy--;
}

static void hold_over(enum why why), hold_abandoned(void), leave_stacks(unsigned but);
static int has_code_on_stacks(void);

static void unmap(record *r) {
	munmap(r->low - GUARD, size_of(r) + 2 * GUARD);
	_wherry_pool.mapped--;
}

// measure records new high-water marks. In debug mode no thread keeps a stack,
// so all come by here, with zeros where they were not used.
static void measure(record *r) {
	enum { PAGE = 4096, AT_ONCE_PAGES = 256 };
	unsigned char there[AT_ONCE_PAGES];
	char *p = r->low;
	for (size_t left = size_of(r) / PAGE; left > 0;) { // pages that nobody touched are zeros
		size_t pages = left < AT_ONCE_PAGES ? left : AT_ONCE_PAGES, i = 0;
		if (ask_kernel(SYS_mincore, (long)p, (long)(pages * PAGE), (long)there, 0, 0, 0) != 0)
			break;
		while (i < pages && !(there[i] & 1))
			i++;
		p += i * PAGE;
		left -= i;
		if (i < pages)
			break;
	}
	while (p < (char *)r && *p == 0)
		p++;
	if ((char *)r - p > _wherry_pool.deepest) {
		_wherry_pool.deepest = (char *)r - p;
		fprintf(stderr, "wherry: C stack high-water mark: %ld of %zu bytes, in the call of %s\n", _wherry_pool.deepest, size_of(r), name_of(r));
	}
}

// give_back takes a stack that no call uses. The lock is held.
static void give_back(record *r) {
	if (_wherry_pool.debug)
		measure(r);
	if (_wherry_pool.pooled >= KEPT_IN_POOL) {
		unmap(r);
		return;
	}
	char *page = (char *)((size_t)r & ~(size_t)4095);
	if (page > r->low)
		ask_kernel(SYS_madvise, (long)r->low, page - r->low, MADV_DONTNEED, 0, 0, 0);
	r->deeper = _wherry_pool.free[r->order];
	_wherry_pool.free[r->order] = r;
	_wherry_pool.pooled++;
}

static void thread_ends(void *arg) {
	thread *t = arg;
	hold_over(BY_BLOCKING);
	t->holding.thread_ending = 1;
	lock();
	for (record *r = t->base.deeper, *deeper; r != NULL; r = deeper) {
		deeper = r->deeper;
		give_back(r);
	}
	*t->previous = t->next;
	if (t->next != NULL)
		t->next->previous = t->previous;
	t->owned = 0;
	t->active = &_wherry_none;
	unlock();
}

// number returns that of a text, or -1. Headers of newer C libraries make strtol a function that
// older ones do not have, and then the program would not start there.
static long number(const char *text) {
	long n = 0;
	if (*text == 0)
		return -1;
	for (; *text != 0; text++)
		if (*text < '0' || *text > '9' || __builtin_mul_overflow(n, 10, &n) || __builtin_add_overflow(n, *text - '0', &n))
			return -1;
	return n;
}

static long setting(const char *name, long value, long least) {
	const char *text = secure_getenv(name);
	if (text != NULL && *text != 0) {
		long n = number(text);
		if (n < least)
			fprintf(stderr, "wherry: %s=%s: want a number of at least %ld; %ld is used\n", name, text, least, value);
		else
			value = n;
	}
	return value;
}

// thread_size is how large the stack of a thread is by default: what RLIMIT_STACK was when
// the program began, which takes no system call to learn. With musl it is less than wanted, and where
// there is no limit, with glibc: who locks all memory has C stacks filled, so they are not the largest then.
static long thread_size(void) {
	enum { LEAST = 8 << 20, UNLIMITED = 64 << 20, MOST = 1 << 30 };
	pthread_attr_t attributes;
	size_t size = 0;
	if (pthread_attr_init(&attributes) == 0) {
		pthread_attr_getstacksize(&attributes, &size);
		pthread_attr_destroy(&attributes);
	}
	if (size < LEAST && !is_limited(RLIMIT_STACK))
		return UNLIMITED;
	return size < LEAST ? LEAST : size > MOST ? MOST : (long)size;
}

// start reads the settings, once. A stack is as large as a thread's, since no rule need
// have asked for it; memory is taken as it is touched. The lock is held.
static void start(void) {
	_wherry_pool.size = ((size_t)setting("WHERRY_CSTACK_SIZE", thread_size(), 16 << 10) + 4095) & ~(size_t)4095;
	if (_wherry_pool.size >= (size_t)1 << ORDERS) {
		fprintf(stderr, "wherry: WHERRY_CSTACK_SIZE: %zu bytes: want less than %zu; 1 GB is used\n", _wherry_pool.size, (size_t)1 << ORDERS);
		_wherry_pool.size = 1 << 30;
	}
	_wherry_pool.limit = setting("WHERRY_CSTACK_LIMIT", 20000, 1);
	_wherry_pool.depth = (int)setting("WHERRY_CSTACK_DEPTH", 1000, 1);
	_wherry_pool.debug = setting("WHERRY_CSTACK_DEBUG", 0, 0) != 0;
}

// look_around comes when a thread first wants a stack, since the program may do much until then.
static void look_around(void) {
	if (_wherry_pool.size == 0)
		start();
	if (_wherry_pool.used)
		return;
	_wherry_pool.used = 1;
	_wherry_pool.keyed = pthread_key_create(&_wherry_pool.key, thread_ends) == 0; // there are 1,024, for all the program
	if (!_wherry_pool.keyed || _wherry_pool.bounded || has_code_on_stacks()) {
		_wherry_pool.limit = 0;
		leave_stacks(0);
	}
}

static record *new_stack(size_t size) {
	char *low = map_stack(size, GUARD);
	if (low == NULL)
		return NULL;
	record *r = (record *)(low + size) - 1;
	r->low = low;
	r->order = order_of(size);
	return r;
}

static record *map(size_t size) {
	record *r = _wherry_pool.ready;
	if (r != NULL && size_of(r) == size)
		_wherry_pool.ready = NULL;
	else
		r = new_stack(size);
	if (r != NULL)
		_wherry_pool.mapped++;
	return r;
}

// know makes a thread's state known to the pool, and reports whether its end will be seen. The lock is held.
static int know(thread *t) {
	look_around();
	if (t->active != &_wherry_none)
		return 1;
	if (!_wherry_pool.keyed || pthread_setspecific(_wherry_pool.key, t) != 0)
		return 0;
	t->base = _wherry_none;
	t->active = &t->base;
	t->previous = &_wherry_pool.threads;
	t->next = _wherry_pool.threads;
	if (t->next != NULL)
		t->next->previous = &t->next;
	_wherry_pool.threads = t;
	return 1;
}

// take_out ends a stack's being part of the thread's chain. The lock is held.
static void take_out(record *r) {
	r->outer->deeper = r->deeper;
	if (r->deeper != NULL)
		r->deeper->outer = r->outer;
	_wherry_thread.owned--;
	give_back(r);
}

// _wherry_stack_new gives the thread a stack of at least 1 << order bytes for
// its next call, at the end of its chain or in place of one that is smaller.
// It returns 0, an errno, -1 when calls are nested too deep, or -2 when there
// are too many stacks. Without a stack the call runs where other calls do.
SHARED long _wherry_stack_new(long order) {
	thread *t = &_wherry_thread;
	long error = 0;
	int saved = errno;
	lock();
	look_around();
	size_t size = _wherry_pool.size;
	if ((size_t)1 << order > size)
		size = (size_t)1 << order;
	record **free = &_wherry_pool.free[order_of(size)], *small = t->active->deeper, *r = NULL;
	if (small == NULL && t->owned >= _wherry_pool.depth) {
		error = -1;
	} else if (_wherry_pool.limit > 0 && !know(t)) {
		error = ENOMEM;
	} else if (*free != NULL) {
		r = *free;
		*free = r->deeper;
		_wherry_pool.pooled--;
	} else if (_wherry_pool.mapped >= _wherry_pool.limit) {
		error = -2;
	} else if ((r = map(size)) == NULL) {
		error = errno;
	}
	if (r != NULL) {
		r->surplus = t->owned < KEPT_BY_THREAD && !_wherry_pool.debug ? 0 : 1;
		if (small != NULL) {
			r->surplus = small->surplus;
			take_out(small);
		}
		r->c_sp = NULL;
		r->outer = t->active;
		r->deeper = t->active->deeper;
		if (r->deeper != NULL)
			r->deeper->outer = r;
		t->active->deeper = r;
		t->owned++;
	}
	unlock();
	errno = saved;
	return error;
}

// _wherry_stack_surplus takes the last stack of the chain, which its thread
// need not keep.
SHARED void _wherry_stack_surplus(record *r) {
	int saved = errno;
	if (r == &_wherry_thread.held) {
		hold_abandoned();
		return;
	}
	lock();
	take_out(r);
	unlock();
	errno = saved;
}

// _wherry_stack_count counts the stacks in the process, and those of them
// that no call uses. It is exact while no call begins or ends.
SHARED void _wherry_stack_count(long *mapped, long *unused) {
	lock();
	*mapped = _wherry_pool.mapped;
	*unused = _wherry_pool.pooled;
	for (thread *t = _wherry_pool.threads; t != NULL; t = t->next)
		for (record *r = t->active->deeper; r != NULL; r = r->deeper)
			++*unused;
	unlock();
}

// The deferred function that _wherry_callback_first links into the goroutine's
// list, as a Go func value.
extern void _wherry_abandon(void) __attribute__((visibility("hidden")));
SHARED void (*const _wherry_abandon_func)(void) = _wherry_abandon;

#if !BY_GO_BUILD
// Two structs of the runtime, for the pointer check of internal/build/accel.
extern char _wherry_mheap[] HIDDEN, _wherry_module[] HIDDEN;
// And two variables, for trace.c: where that is left out, a library would show what nobody hides.
extern char *_wherry_cgo_traceback HIDDEN, *_wherry_cgo_symbolizer HIDDEN;
SHARED char *const _wherry_runtime[] = {_wherry_mheap, _wherry_module, (char *)&_wherry_cgo_traceback, (char *)&_wherry_cgo_symbolizer};
#endif
