//go:build ignore

// What wherry stat shows of turned calls and of holds, in programs that count.

#if COUNTS
// count adds to what wherry stat shows. The thread has its block of counters since it
// entered the call.
static void count(call *c, int what, long n) {
	if (c->turns != NULL && _wherry_stat_counts != NULL)
		_wherry_stat_counts[(struct _wherry_stat_record *)c->turns - __start_wherry_stats + what] += (unsigned long long)n;
}
#define HOLD_COUNTS _wherry_holds

#if !INTERPOSES
#define dladdr(address, info) 0
#endif
extern void _wherry_stat_note(const char *text) HIDDEN;

// says has wherry stat say why something is not done; whose is an address in the code that is the
// cause, or NULL.
static void says(const char *what, const char *why, const void *whose) {
	char text[512];
	Dl_info info = {0};
	int known = whose != NULL && dladdr(whose, &info) != 0;
	snprintf(text, sizeof text, "%s: %s%s%s%s%s%s", what, why, known ? " (" : "", known && info.dli_sname ? info.dli_sname : "",
		known && info.dli_sname ? " of " : "", known ? info.dli_fname : "", known ? ")" : "");
	_wherry_stat_note(text);
}
#else
#define COUNTS 0
#define HOLD_COUNTS NULL
static void count(call *c, int what, long n) { (void)c, (void)what, (void)n; }
static void says(const char *what, const char *why, const void *whose) { (void)what, (void)why, (void)whose; }
#endif
