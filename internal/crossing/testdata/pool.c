// This plays the assembly's part: it moves along the chain of stacks as calls and returns do.

static int enter_sized(int order) {
	if (_wherry_thread.active->deeper == NULL || _wherry_thread.active->deeper->order < order) {
		int error = _wherry_stack_new(order);
		if (error != 0) return error;
	}
	record *r = _wherry_thread.active->deeper;
	_wherry_thread.active = r;
	memset(r->low, 1, 100);              // the whole stack can be written
	memset((char *)r - 100, 1, 100);
	r->g = world();
	r->c_sp = r;                         // a callback
	return 0;
}

static int enter(void) { return enter_sized(0); }

static void leave(void) {
	record *r = _wherry_thread.active;
	_wherry_thread.active = r->outer;
	r->c_sp = NULL;
	if (r->surplus) _wherry_stack_surplus(r);
}

static void *work(void *depth) {
	for (int round = 0; round < 50; round++) {
		for (long i = 0; i < (long)depth; i++) expect("enter", enter(), 0);
		for (long i = 0; i < (long)depth; i++) leave();
	}
	return NULL;
}

#if INTERPOSES
// Another thread's fault, in Go, comes when the new handler is there and what was
// there before has not been returned yet.
static volatile char *page;
static void goes_on(int sig, siginfo_t *info, void *context) {
	(void)sig, (void)context;
	mprotect(info->si_addr, 1, PROT_READ | PROT_WRITE);
}
static int (*libc_sigaction)(int, const struct sigaction *, struct sigaction *);
static int slow_sigaction(int sig, const struct sigaction *act, struct sigaction *old) {
	struct sigaction was;
	int result = libc_sigaction(sig, act, &was);
	if (page != NULL && act != NULL && sig == SIGSEGV) *page = 1;
	if (old != NULL) *old = was;
	return result;
}
#endif

int main(int argc, char **argv) {
	long mapped, unused;
#if INTERPOSES
	if (argc > 1 && strcmp(argv[1], "fault") == 0) {
		struct sigaction go = {.sa_sigaction = goes_on, .sa_flags = SA_SIGINFO};
		sigaction(SIGSEGV, &go, NULL);
		libc_sigaction = (int (*)(int, const struct sigaction *, struct sigaction *))_wherry_real(&_wherry_reals[0]);
		_wherry_reals[0] = (void *)slow_sigaction;
		page = mmap(NULL, 1, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
		stand_before_faults(NULL);
		expect("page", *page, 1);
		return 0;
	}
#endif
	if (argc > 1 && strcmp(argv[1], "overflow") == 0) {
		stack_t alt = {.ss_sp = malloc(1 << 16), .ss_size = 1 << 16};
		sigaltstack(&alt, NULL);
		stand_before_faults(NULL);
		enter();
		_wherry_thread.active->c_sp = NULL; // C runs
		*(volatile char *)(_wherry_thread.active->low - 1) = 1;
	}
	if (argc > 1 && strcmp(argv[1], "limits") == 0) {
		for (int i = 0; i < 10; i++) expect("enter", enter(), 0);
		expect("the eleventh", enter(), (long)atoi(argv[2]));
		for (int i = 0; i < 10; i++) leave();
		expect("after leaving", enter(), 0);
		return 0;
	}
	work((void *)100);
	_wherry_stack_count(&mapped, &unused);
	expect("unused", unused, mapped);
	expect("kept by a thread and the pool", mapped, KEPT_BY_THREAD + KEPT_IN_POOL);
	for (int round = 0; round < 20; round++) {
		pthread_t threads[8];
		for (long i = 0; i < 8; i++) pthread_create(&threads[i], NULL, work, (void *)(i + 1));
		for (int i = 0; i < 8; i++) pthread_join(threads[i], NULL);
	}
	_wherry_stack_count(&mapped, &unused);
	expect("unused when the threads are gone", unused, mapped);
	expect("mapped when the threads are gone", mapped <= KEPT_BY_THREAD + KEPT_IN_POOL, 1);
	enter();
	_wherry_stack_count(&mapped, &unused);
	expect("in use", mapped - unused, 1);
	leave();
	for (int round = 0; round < 100; round++) { // a larger stack takes a smaller one's place
		for (int i = 0; i < 6; i++) {
			int order = 18 + (i + round) % 4;
			expect("enter", enter_sized(order), 0);
			expect("size", size_of(_wherry_thread.active) >= (size_t)1 << order, 1);
			expect("chain", _wherry_thread.owned >= i + 1, 1);
		}
		for (int i = 0; i < 6; i++) leave();
		expect("left", _wherry_thread.active == &_wherry_thread.base, 1);
	}
	expect("kept with large ones", _wherry_thread.owned, KEPT_BY_THREAD);
	_wherry_stack_count(&mapped, &unused);
	expect("unused with large ones", unused, mapped);
	expect("enter", enter_sized(30), 0);
	expect("the largest", size_of(_wherry_thread.active), 1 << 30);
	puts("ok");
	return 0;
}
