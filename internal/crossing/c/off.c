//go:build ignore

// What has calls go through cgo for good: the environment, a signal that does not come, libraries that
// nothing stands before, whoever traces C by the runtime.

// leave_fast has a call go through cgo, or be turned before it begins where there is no other way, or
// wherry stat is to see that.
static void leave_fast(call *c) {
	const void *way = c->off != NULL && !COUNTS ? c->off : (const void *)_wherry_turn_first;
	__atomic_store_n(&c->target, way, __ATOMIC_RELAXED);
}

// stay_on_cgo has calls go through cgo, since to turn them later would be too late: all but
// those that are proved to be short, or that a rule calls otherwise. Nothing makes them fast again.
static void stay_on_cgo(const char *why) {
	_wherry_urgent.off = 1;
	for (call *c = __start_wherry_calls; c < __stop_wherry_calls; c++)
		if (!(c->flags & (BY_USER | ALWAYS))) // the stub of a short one does not say which call it is
			leave_fast(c);
	for (call *c = __atomic_load_n(&_wherry_bound, __ATOMIC_ACQUIRE); c != NULL; c = c->next)
		leave_fast(c);
	says("calls go through cgo", why, NULL);
	const char *verbose = secure_getenv("WHERRY_VERBOSE");
	if (verbose != NULL && strcmp(verbose, "0") != 0)
		fprintf(stderr, "wherry: calls go through cgo: %s\n", why);
}

// switch_off has everything go the way that cgo goes, also what is proved to be short and
// what a rule calls otherwise. Calls in flight end as they began.
static void switch_off(const char *why) {
	stay_on_cgo(why);
	for (call *c = __start_wherry_calls; c < __stop_wherry_calls; c++)
		if (c->off != NULL)
			__atomic_store_n(&c->target, c->off, __ATOMIC_RELAXED);
}

// is_switched_off reports whether WHERRY=off is in the environment.
static int is_switched_off(void) {
	const char *text = secure_getenv("WHERRY");
	if (text == NULL || strcmp(text, "") == 0 || strcmp(text, "on") == 0)
		return 0;
	if (strcmp(text, "off") != 0)
		fprintf(stderr, "wherry: WHERRY=%.40s: want off or on; this program goes on without it\n", text);
	return strcmp(text, "off") == 0;
}

#if BY_GO_BUILD
static void watch_tracebacks(void) {}
#else
// What runtime.SetCgoTraceback calls, a variable of the runtime's.
extern void (*_wherry_set_traceback)(void *functions) HIDDEN;
static void (*set_traceback)(void *functions);

static void sets_traceback(void *functions) {
	switch_off("runtime.SetCgoTraceback was called");
	set_traceback(functions);
}

// watch_tracebacks: functions that show C's frames in profiles, crashes and callbacks are
// asked by the runtime for calls of cgo's alone.
static void watch_tracebacks(void) {
	if (_wherry_set_traceback == NULL)
		return;
	set_traceback = _wherry_set_traceback;
	_wherry_set_traceback = sets_traceback;
}
#endif

// go_deaf: the signal does not come to wherry.
static void go_deaf(const char *why) {
	_wherry_urgent.deaf = 1;
	__atomic_store_n(&_wherry_looks_at_none, 1, __ATOMIC_SEQ_CST);
	stay_on_cgo(why);
}

static const char unseen[] = "a library is opened by RTLD_DEEPBIND or dlmopen, and its waits would end with EINTR";
