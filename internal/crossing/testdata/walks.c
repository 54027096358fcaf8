// Walks of C's stack: those of true ones against the compiler's own unwinder, and of random ones
// by broken tables.

#include <sys/time.h>
#include <sys/ucontext.h>
#include <unwind.h>

static size_t known[64];
static int deepest, knows;

// The compiler's unwinder ends where it has no table: at the procedure linkage table's code on arm64, which
// the walk leaves by the link register.
extern const void *_Unwind_Find_FDE(void *pc, void *bases);
static int is_in_table(size_t pc) {
	void *bases[3];
	return _Unwind_Find_FDE((void *)pc, bases) != NULL;
}

// note notes what the compiler's unwinder finds above the handler.
static _Unwind_Reason_Code note(struct _Unwind_Context *c, void *from) {
	int before = 0;
	size_t pc = _Unwind_GetIPInfo(c, &before);
	if (knows == 0 && pc != (size_t)PC_OF((ucontext_t *)from))
		return _URC_NO_REASON;
	if (pc == 0) // beyond the last
		return _URC_NO_REASON;
	if (knows < 64)
		known[knows++] = before ? pc : pc - 1;
	return _URC_NO_REASON;
}

// expressions are evaluated to their last operation.
static void expressions(void) {
	const unsigned char sum[16] = {4, 0x70 + SP, 8, 0x33, 0x22}; // the stack pointer and 8, 3, plus
	frame f = {.known = ~0u, .r[SP] = 1000};
	size_t value = 0;
	expect("evaluates", evaluate(sum, &f, NULL, NULL, &value), 1);
	expect("the sum", (long)value, 1011);
}

static void on_walk(int sig, siginfo_t *info, void *context) {
	(void)sig, (void)info;
	disguise l = {0};
	walk(interrupted_frame(context), 0, (size_t)thread_pointer(), &l);
	deepest = l.n > deepest ? l.n : deepest;
	knows = 0;
	_Unwind_Backtrace(note, context);
	for (int i = 0; i < l.n && i < knows; i++)
		expect("a frame", (long)l.pcs[i], (long)known[i]);
	if (l.n < MOST_FRAMES && (l.n <= knows || knows == 0 || is_in_table(known[knows - 1])))
		expect("frames", l.n, knows);
}

static volatile unsigned sum;
static __attribute__((noinline)) int compare(const void *a, const void *b) {
	for (int i = 0; i < 50; i++)
		sum = sum * 31 + (unsigned)i;
	return *(const int *)a - *(const int *)b;
}
enum { REALIGNED = __LINE__ + 1 };
static __attribute__((noinline)) void realigned(int n) {
	_Alignas(64) volatile char room[n];
	room[0] = 1;
	int of[64];
	for (int i = 0; i < 64; i++)
		of[i] = (i * 7919) & 63;
	qsort(of, 64, sizeof of[0], compare);
	sum += (unsigned)room[0];
}
static __attribute__((noinline)) void deeper(int n) {
	if (n > 0)
		deeper(n - 1);
	else
		realigned(100);
	sum++;
}

// at_all walks the stack wherever a timer interrupts the thread.
static void *at_all(void *unused) {
	struct sigaction act = {.sa_sigaction = on_walk, .sa_flags = SA_SIGINFO | SA_RESTART};
	sigaction(SIGPROF, &act, NULL);
	sigset_t profiling;
	sigemptyset(&profiling);
	sigaddset(&profiling, SIGPROF);
	pthread_sigmask(SIG_UNBLOCK, &profiling, NULL);
	struct itimerval it = {{0, 1000}, {0, 1000}};
	setitimer(ITIMER_PROF, &it, NULL);
	for (int rounds = 0; deepest < 8 || rounds < 3000; rounds++)
		deeper(rounds % 8);
	struct itimerval none = {0};
	setitimer(ITIMER_PROF, &none, NULL);
	return unused;
}

static unsigned long long seed = 1;
static size_t dice(size_t n) {
	seed = seed * 6364136223846793005ull + 1442695040888963407ull;
	return (size_t)(seed >> 33) % n;
}

static char *fenced(size_t size) {
	char *at = mmap(NULL, size + 2 * 65536, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (at == MAP_FAILED || mprotect(at + 65536, size, PROT_READ | PROT_WRITE) != 0)
		exit(4);
	return at + 65536;
}

static char *end_of_table(const unsigned char *table) { // of .eh_frame, which follows .eh_frame_hdr
	bytes b = {table + 4, table + 32, 1};
	const unsigned char *at = (const unsigned char *)encoded(&b, table[1], (size_t)table);
	for (unsigned size; memcpy(&size, at, 4), size != 0;)
		at += 4 + size;
	return (char *)at + 4;
}

// random_walks walks random stacks by the program's own tables, or by a copy in which some bytes
// are others. Nothing is mapped around either, and pages of the stack are missing.
static void random_walks(int n) {
	enum { STACK = 16384 };
	struct object own = _wherry_traces.executable;
	char *end = end_of_table(own.table);
	size_t size = ((size_t)(end - (char *)own.table) + 4095) & ~(size_t)4095, code = (size_t)(own.high - own.low);
	char *copy = fenced(size), *stack = fenced(STACK);
	ptrdiff_t moved = copy - (char *)own.table;
	_wherry_traces.executable = (struct object){.low = own.low + moved, .high = own.high + moved, .table = (unsigned char *)copy};
	_wherry_traces.tables = (region){.low = (size_t)copy, .high = (size_t)copy + size, .whole = 1};
	_wherry_traces.find_object = NULL;
	long frames = 0;
	for (int i = 0; i < n; i++) {
		if (i % 64 == 0) {
			memcpy(copy, own.table, (size_t)(end - (char *)own.table));
			for (size_t k = i % 128 == 0 ? dice(40) : 0; k > 0; k--)
				copy[dice(size)] = (char)dice(256);
		}
		ucontext_t u;
		memset(&u, 0, sizeof u);
		size_t *words = (size_t *)stack, *registers = (size_t *)&u.uc_mcontext;
		for (size_t k = 0; k < STACK / 8; k++)
			words[k] = dice(2) ? (size_t)own.low + dice(code) + (size_t)moved : (size_t)stack + dice(STACK);
		for (size_t k = 0; k < 23; k++)
			registers[k] = dice(3) ? (size_t)stack + dice(STACK) : (size_t)dice(1 << 30) << dice(33);
#if defined(__x86_64__)
		u.uc_mcontext.gregs[REG_RIP] = (greg_t)((size_t)own.low + dice(code) + (size_t)moved);
		u.uc_mcontext.gregs[REG_RSP] = (greg_t)((size_t)stack + (dice(STACK) & ~(size_t)7));
#else
		u.uc_mcontext.pc = (size_t)own.low + dice(code) + (size_t)moved;
		u.uc_mcontext.sp = (size_t)stack + (dice(STACK) & ~(size_t)7);
#endif
		disguise l = {0};
		char *gap = i % 16 == 0 ? stack + (dice(STACK) & ~(size_t)4095) : NULL;
		if (gap != NULL)
			mprotect(gap, 4096, PROT_NONE);
		frame f = interrupted_frame(&u);
		if (dice(2)) // or it has called
			f.interrupted = 0, f.known = (unsigned)dice(1 << 30) | 1u << SP;
		walk(f, 0, (size_t)stack + STACK + (dice(2) ? 1 << 16 : 0), &l);
		if (gap != NULL)
			mprotect(gap, 4096, PROT_READ | PROT_WRITE);
		frames += l.n;
	}
	expect("walks go beyond a frame", frames > n + n / 10, 1);
}

// names has the symbolizer name functions of the program and of the C library, and others nothing.
static void names(void) {
	disguise l = {0};
	struct symbolize s = {.pc = (size_t)realigned + 8};
	_wherry_symbolize(&s);
	expect("no function that is in no profile", s.function == NULL && s.file == NULL, 1);
	add_frame(&l, s.pc);
	_wherry_symbolize(&s);
	expect("realigned", s.function != NULL && strcmp(s.function, "realigned") == 0 && s.entry == (size_t)realigned, 1);
	expect("its file", s.file != NULL && strcmp(last_of(s.file), "walks.c") == 0, 1);
	expect("its line", s.line >= REALIGNED && s.line < REALIGNED + 9, 1);
	s = (struct symbolize){.pc = (size_t)dlsym(RTLD_DEFAULT, "qsort") + 1};
	add_frame(&l, s.pc);
	_wherry_symbolize(&s);
	if (_wherry_traces.find_object != NULL)
		expect("qsort", s.function != NULL && strcmp(s.function, "qsort") == 0, 1);
	s = (struct symbolize){.pc = 8};
	add_frame(&l, s.pc);
	_wherry_symbolize(&s);
	expect("no function", s.function == NULL && s.file == NULL, 1);
}

int main(int argc, char **argv) {
	(void)argc;
	world();
	expect("a page that cannot be read", can_read(PAGE), 0);
	know_executable();
	map_symbols();
	names();
	expressions();
	pthread_t t;
	if (strcmp(argv[1], "true") == 0) {
		sigset_t all;
		sigfillset(&all);
		pthread_sigmask(SIG_BLOCK, &all, NULL); // the other thread takes the signals
		pthread_create(&t, NULL, at_all, NULL);
		pthread_join(t, NULL);
	} else {
		random_walks(atoi(argv[1]));
	}
	printf("ok\n");
}
