//go:build ignore

// What wherry asks of the program's libraries. The dynamic linker has a lock while it goes through
// them for dl_iterate_phdr, whose caller's function may wait for other threads, and so for one that is
// to hold its P. Therefore that function is the program's own (names.c) and counts who is in it, and
// wherry looks while nobody is.

typedef int looks_at(struct dl_phdr_info *library, size_t size, void *of);

#if INTERPOSES
#define REAL_ITERATE ((int (*)(looks_at *, void *))_wherry_real(&_wherry_reals[1]))

// How many threads are in dl_iterate_phdr; or that wherry looks: minus the process, since after a fork
// nobody does.
SHARED long _wherry_library_readers;

static long looking(void) { return -ask_kernel(SYS_getpid, 0, 0, 0, 0, 0, 0); }

// Around dl_iterate_phdr. Where a thread does not come back from it, by longjmp or an exception, wherry
// does not look any more.
SHARED void _wherry_reads_libraries(void) {
	long readers = 0;
	while (!_wherry_thread.looks && // else it is a signal handler that has interrupted this thread's look
		!__atomic_compare_exchange_n(&_wherry_library_readers, &readers, readers < 0 ? 1 : readers + 1, 0, __ATOMIC_ACQUIRE, __ATOMIC_RELAXED))
		while (readers < 0 && readers == looking()) { // not for long
			sched_yield();
			readers = __atomic_load_n(&_wherry_library_readers, __ATOMIC_RELAXED);
		}
}

SHARED void _wherry_has_read_libraries(void) {
	if (!_wherry_thread.looks)
		__atomic_fetch_sub(&_wherry_library_readers, 1, __ATOMIC_RELEASE);
}

// look_at_libraries is dl_iterate_phdr, or -1 where it might have to wait.
static int look_at_libraries(looks_at *look, void *of) {
	long readers = 0, mine = looking();
	int result = -1;
	_wherry_thread.looks = 1;
	if (__atomic_compare_exchange_n(&_wherry_library_readers, &readers, mine, 0, __ATOMIC_ACQUIRE, __ATOMIC_RELAXED)) {
		result = REAL_ITERATE(look, of);
		__atomic_compare_exchange_n(&_wherry_library_readers, &mine, 0, 0, __ATOMIC_RELEASE, __ATOMIC_RELAXED);
	}
	_wherry_thread.looks = 0;
	return result;
}
#else
static int look_at_libraries(looks_at *look, void *of) { return dl_iterate_phdr(look, of); }
#endif

// wants_executable reports whether a file of the program has code on stacks, such as the nested
// functions of GNU C. Ours are not executable.
static int wants_executable(struct dl_phdr_info *file, size_t size, void *unused) {
	(void)size, (void)unused;
	for (int i = 0; i < file->dlpi_phnum; i++)
		if (file->dlpi_phdr[i].p_type == PT_GNU_STACK && file->dlpi_phdr[i].p_flags & PF_X)
			return 1;
	return 0;
}

// has_code_on_stacks reports that also where it cannot say.
static int has_code_on_stacks(void) {
	int result = look_at_libraries(wants_executable, NULL);
	for (int tries = 0; result < 0 && tries < 100; tries++) { // exceptions look, too, for some microseconds
		sched_yield();
		result = look_at_libraries(wants_executable, NULL);
	}
	return result != 0;
}

#if HOLDS
// enters_go looks for the name crosscall2 in a library: one of Go, for example.
static int enters_go(struct dl_phdr_info *library, size_t size, void *seen) {
	(void)size;
	if ((*(int *)seen)++ == 0)
		return 0; // the program itself
	const char *strings = NULL;
	size_t length = 0;
	for (int i = 0; i < library->dlpi_phnum; i++) {
		if (library->dlpi_phdr[i].p_type != PT_DYNAMIC)
			continue;
		const ElfW(Dyn) *section = (const ElfW(Dyn) *)(library->dlpi_addr + library->dlpi_phdr[i].p_vaddr);
		for (const ElfW(Dyn) *d = section; d->d_tag != DT_NULL; d++)
			if (d->d_tag == DT_STRTAB)
				strings = (const char *)placed(library->dlpi_addr, d->d_un.d_ptr);
			else if (d->d_tag == DT_STRSZ)
				length = d->d_un.d_val;
	}
	for (const char *s = strings, *next; s != NULL && (next = memchr(s, 0, length)) != NULL; length -= (size_t)(next + 1 - s), s = next + 1)
		if (strcmp(s, "crosscall2") == 0) {
			holds_never("a library calls crosscall2", strings);
			return 1;
		}
	return 0;
}

static int loads_of(struct dl_phdr_info *library, size_t size, void *loads) {
	(void)size;
	*(unsigned long long *)loads = library->dlpi_adds;
	return 1;
}

// others_enter_go reports whether a library calls the program's crosscall2, which must not be
// while C of a thread that holds its P runs; or -1 where it cannot say now. It looks again when a
// library has been loaded.
static int others_enter_go(void) {
	unsigned long long loads = 0;
	int seen = 0;
	if (look_at_libraries(loads_of, &loads) < 0)
		return -1;
	if (loads != __atomic_load_n(&_wherry_holding.loads, __ATOMIC_ACQUIRE)) {
		if (look_at_libraries(enters_go, &seen) < 0)
			return -1;
		__atomic_store_n(&_wherry_holding.loads, loads, __ATOMIC_RELEASE);
	}
	return _wherry_holding.off;
}
#endif
