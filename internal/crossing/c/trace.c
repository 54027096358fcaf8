//go:build ignore

// C's functions in Go's profiles and crash traces. The runtime shows those of a cgo call if
// runtime.SetCgoTraceback has said how to find them; here wherry says it for programs that do
// not say it themselves, unless WHERRY_TRACES=0 is set. A call in flight is none of cgo's to
// the runtime. So a handler comes before Go's: it walks C's stack, and while Go's runs the call
// looks like one of cgo's.
//
//	kernel ---> on_sample, or on_fault ---> Go's handler ---> _wherry_traceback
//	            walks; look_like_cgo        takes the sample, or prints and dies
//
// Nothing of it is on the way of a call.

#if TRACES
#include <sys/auxv.h>

static int may_interrupt(const ucontext_t *u);
static char *thread_pointer(void);

enum { MOST_STACK = 256 << 20, GIVEN_BITS = 20 };

// Of a program that calls runtime.SetCgoTraceback: it works once.
extern const char _wherry_sets_traceback __attribute__((weak));
extern void x_cgo_set_traceback_functions(void *) __attribute__((weak));    // where it has one: since Go 1.26
// What C calls that grows its stack by itself (gcc -fsplit-stack). If CGO_CFLAGS says it, so does
// runtime/cgo, which Go's handler calls for a traceback and which calls that back: on a new piece of
// stack, and so the handler takes itself to be on a stack of nobody's.
extern const char __morestack __attribute__((weak));

// What the dynamic linker knows of a file, by the address of its code, without a lock: since
// glibc 2.35. The executable is known from the start, because others have no such function.
struct object {
	unsigned long long flags;
	char *low, *high;
	struct link_map *map;
	const unsigned char *table; // .eh_frame_hdr
	unsigned long long more[7];
};
SHARED struct {
	int (*find_object)(const void *pc, struct object *to);
	struct object executable;
	size_t bias; // from addresses in the executable's file to those in memory
	region tables; // the executable's
	unsigned char given[1 << (GIVEN_BITS - 3)]; // a bit for a hash of each address in a profile
} _wherry_traces;

static void know_executable(void) {
	const ElfW(Phdr) *headers = (const void *)getauxval(AT_PHDR);
	size_t n = headers != NULL ? getauxval(AT_PHNUM) : 0;
	// A static-pie by ld.bfd has no PT_PHDR. There the headers follow the file's own, which is in the
	// same page then, so it can be read.
	const ElfW(Ehdr) *file = (const void *)((size_t)headers - sizeof *file);
	int first = (size_t)headers % PAGE == sizeof *file && memcmp(file->e_ident, ELFMAG, SELFMAG) == 0;
	for (size_t i = n; i-- > 0;) // PT_PHDR, which comes before all PT_LOAD, has the last word
		if (headers[i].p_type == PT_PHDR)
			_wherry_traces.bias = (size_t)headers - headers[i].p_vaddr;
		else if (first && headers[i].p_type == PT_LOAD && headers[i].p_offset == 0)
			_wherry_traces.bias = (size_t)file - headers[i].p_vaddr;
	for (size_t i = 0; i < n; i++) {
		char *at = (char *)_wherry_traces.bias + headers[i].p_vaddr;
		if (headers[i].p_type == PT_LOAD && headers[i].p_flags & PF_X)
			_wherry_traces.executable.low = at, _wherry_traces.executable.high = at + headers[i].p_memsz;
		if (headers[i].p_type == PT_GNU_EH_FRAME)
			_wherry_traces.executable.table = (const unsigned char *)at;
	}
	for (size_t i = 0, table = (size_t)_wherry_traces.executable.table; i < n; i++) {
		size_t at = _wherry_traces.bias + headers[i].p_vaddr;
		if (headers[i].p_type == PT_LOAD && table - at < headers[i].p_filesz)
			_wherry_traces.tables = (region){.low = at, .high = at + headers[i].p_filesz, .whole = 1};
	}
#if INTERPOSES
	*(void **)&_wherry_traces.find_object = dlsym(RTLD_DEFAULT, "_dl_find_object");
#endif
}

static int find_object(size_t pc, struct object *to) {
	if (pc - (size_t)_wherry_traces.executable.low < (size_t)(_wherry_traces.executable.high - _wherry_traces.executable.low))
		return *to = _wherry_traces.executable, 1;
	return _wherry_traces.find_object != NULL && _wherry_traces.find_object((const void *)pc, to) == 0;
}

static int has_table(size_t pc) {
	struct object o;
	return find_object(pc, &o) && o.table != NULL;
}

static int is_go(size_t pc) {
	return pc >= AT(size_t, _wherry_module, MODULE_TEXT) && pc < AT(size_t, _wherry_module, MODULE_ETEXT);
}

// interrupted_frame is the one that a signal has interrupted.
static frame interrupted_frame(const ucontext_t *u) {
	frame f = {.pc = (size_t)PC_OF(u), .known = RA == 16 ? (1u << REGISTERS) - 1 : ~0u, .interrupted = 1};
#if defined(__x86_64__)
	static const unsigned char from[] = {REG_RAX, REG_RDX, REG_RCX, REG_RBX, REG_RSI, REG_RDI, REG_RBP, REG_RSP, REG_R8, REG_R9,
		REG_R10, REG_R11, REG_R12, REG_R13, REG_R14, REG_R15, REG_RIP};
	for (size_t i = 0; i < REGISTERS; i++)
		f.r[i] = (size_t)u->uc_mcontext.gregs[from[i]];
#else
	memcpy(f.r, u->uc_mcontext.regs, 31 * sizeof f.r[0]);
	f.r[SP] = u->uc_mcontext.sp;
#endif
	return f;
}

// by_frame_pointer goes from code without a table to its caller: if it keeps a frame pointer, or
// is no code at all, so that it was called only just.
static int by_frame_pointer(frame *f, region *stack) {
	size_t fp = f->r[FP], back;
	stack->low = f->r[SP];
	if (f->interrupted && !has_table(f->pc)) {
#if defined(__x86_64__)
		if (load(stack, stack->low, &back) && (is_ours(back) || has_table(back)))
			return f->pc = back, f->r[SP] += 8, f->interrupted = 0, 1;
#else
		back = address(f->r[RA]);
		if (is_ours(back) || has_table(back))
			return f->pc = back, f->interrupted = 0, 1;
#endif
	}
	if (!(f->known >> FP & 1) || !load(stack, fp, &f->r[FP]) || !load(stack, fp + 8, &f->r[RA]))
		return 0;
	f->pc = address(f->r[RA]);
	f->r[SP] = fp + 16;
	f->known = 1u << RA | 1u << FP | 1u << SP;
	f->interrupted = 0;
	return 1;
}

// bit_of is where an address has its bit in given.
static unsigned char *bit_of(size_t pc, unsigned char *bit) {
	size_t hash = pc * 0x9e3779b97f4a7c15u >> (64 - GIVEN_BITS);
	*bit = (unsigned char)(1 << hash % 8);
	return &_wherry_traces.given[hash / 8];
}

// give has _wherry_symbolize name an address.
static void give(size_t pc) {
	unsigned char bit, *at = bit_of(pc, &bit);
	if (!(__atomic_load_n(at, __ATOMIC_RELAXED) & bit))
		__atomic_fetch_or(at, bit, __ATOMIC_RELAXED);
}

static void add_frame(disguise *l, size_t pc) {
	give(pc);
	l->pcs[l->n++] = pc;
}

// walk notes where C was interrupted, or has called, and where each caller goes on, as far as its stack and
// the tables lead, but for wherry's own assembly. The stub of a call is the end: its caller's
// frame is on another stack. So is Go's code. Low is where C's stack begins, all of which is there,
// or 0: then the kernel is asked.
static void walk(frame f, size_t low, size_t high, disguise *l) {
	region stack = {.low = f.r[SP], .high = high, .whole = low != 0 && f.r[SP] >= low}, tables;
	const unsigned char *of = NULL;
	add_frame(l, f.pc - !f.interrupted);
	if (stack.low % 8 != 0 || stack.low >= high || high - stack.low > MOST_STACK)
		return;
	while (l->n < MOST_FRAMES) {
		struct object o;
		if (!find_object(f.pc - !f.interrupted, &o))
			o.table = NULL;
		if (o.table != of && (of = o.table) != NULL)
			tables = o.map == NULL ? _wherry_traces.tables : (region){.low = (size_t)o.low, .high = (size_t)o.high};
		if (!(of != NULL && step(&f, &tables, of, &stack)) && (is_ours(f.pc) || !by_frame_pointer(&f, &stack)))
			return;
		if (is_go(f.pc) || f.pc < 4096)
			return;
		if (!is_ours(f.pc))
			add_frame(l, f.pc - 1);
	}
}

// room_to_walk reports whether a handler may walk on its stack: a small one of C's, or a thread's own,
// may have too little left. Below a thread's own is a page that cannot be read.
static int room_to_walk(const stack_t *s) {
	enum { ROOM = 3 * PAGE };
	const char *here = __builtin_frame_address(0);
	if (in_handler(here, s))
		return here - (char *)s->ss_sp > ROOM;
	for (size_t below = PAGE; below <= ROOM; below += PAGE)
		if (!can_read(((size_t)here - below) & ~(size_t)7))
			return 0;
	return 1;
}

// What can be read when it is asked for may be gone when it is read. walk_unless_fault has registers
// of its own, that setjmp may lose.
static __attribute__((noinline)) void walk_unless_fault(const frame *f, size_t low, size_t high, disguise *l) {
	UNLESS_FAULT(walk(*f, low, high, l));
}

// Between a callback and the Go function that called C are C's frames too, on a stack of their own. Go's
// unwinder asks for them where it comes to runtime.cgocallback, and for that it takes the functions where
// our callbacks stand (MarkCallbacks, ../mark.go). It asks with a word of g.cgoCtxt, the last one first. Context
// functions write these, and a program that has one shows nothing of ours. So here a goroutine that was
// seen in a callback has the callbacks' numbers there, 1 is the innermost, for good: others may unwind its
// stack at any time in a system call, and must not find fewer words than before. Outside of handlers
// they mean nothing.
enum { MOST_CALLBACKS = 16 };
static const size_t numbers[MOST_CALLBACKS] = {16, 15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1};
struct slice { const size_t *at; size_t len, cap; };

// callback_record returns the record of a callback from a C stack that Go runs in, or NULL.
static record *callback_record(size_t number) {
	for (record *r = _wherry_thread.active; r->outer != NULL; r = r->outer)
		if (r->c_sp != NULL && r->c_sp != TURNED && --number == 0)
			return r;
	return NULL;
}

// number_callbacks has Go's handler ask for C's callbacks, but where some are through cgo: Go would count them.
static void number_callbacks(const ucontext_t *u, disguise *l) {
	char *own = _wherry_getg(), *m = own != NULL ? AT(char *, own, G_M) : NULL, *g = m != NULL ? AT(char *, m, M_CURG) : NULL;
	if (g == NULL || is_ours((size_t)PC_OF(u)) || AT(int, m, M_NCGO) != AT(char, m, M_INCGO) || callback_record(1) == NULL)
		return;
	l->numbered = 1;
	struct slice *of = &AT(struct slice, g, G_CGOCTXT);
	of->at = numbers, of->cap = MOST_CALLBACKS;
	__atomic_store_n(&of->len, MOST_CALLBACKS, __ATOMIC_RELEASE);
}

// walk_callback notes the C that has called back, and its callers. Its registers are where PUSH_SAVED
// has put them (macros_ARCH.h), and the return address behind these on amd64.
static void walk_callback(size_t number, disguise *l) {
	record *r = callback_record(number);
	if (r == NULL)
		return;
	const size_t *saved = r->c_sp;
	int held = r == &_wherry_thread.held;
	frame f = {.known = 1u << FP | 1u << RA | 1u << SP};
#if defined(__x86_64__)
	static const unsigned char order[] = {15, 14, 13, 12, 3, FP, RA};
#else
	static const unsigned char order[] = {FP, RA, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28};
#endif
	for (size_t i = 0; i < sizeof order; i++)
		f.r[order[i]] = saved[i], f.known |= 1u << order[i];
	f.pc = address(f.r[RA]);
	f.r[SP] = (size_t)saved + SAVED + RETURN_ADDRESS;
	walk(f, held ? 0 : (size_t)r->low, held ? (size_t)_wherry_thread.own_high : (size_t)r, l);
}

static __attribute__((noinline)) void walk_callback_unless_fault(size_t number, disguise *l) {
	UNLESS_FAULT(walk_callback(number, l));
}

// look_like_cgo walks C's stack, if a signal has interrupted C, and has its call look like one of
// cgo's until stop_looking_like_cgo. Who calls it has seen by room_to_walk that there is room.
static void look_like_cgo(int sig, const ucontext_t *u, disguise *l) {
	thread *t = &_wherry_thread;
	*l = (disguise){0};
	t->traced = l;
	if (!_wherry_urgent.samples)
		return;
	number_callbacks(u, l);
	if (!may_interrupt(u) || is_go((size_t)PC_OF(u)))
		return;
	record *r;
	char *g = interrupted_call(u, &r), *own = _wherry_getg(), *m = g != NULL ? AT(char *, g, G_M) : own != NULL ? AT(char *, own, G_M) : NULL;
	size_t low = 0, high;
	// A thread that C created: its stack ends below its thread-local storage. The runtime shows C's
	// frames of threads that it does not know.
	if (g == NULL && (m == NULL || AT(char, m, M_ISEXTRAINC))) {
		high = (size_t)thread_pointer();
		if (m != NULL && sig == SIGPROF) {
			l->own = own;
			_wherry_setg(NULL);
		}
	} else {
		char *g0 = AT(char *, m, M_G0);
		if (g == NULL && (AT(int, m, M_NCGO) == 0 || own != g0))
			return;
		if (AT(size_t *, m, M_CGOCALLERS) == NULL || AT(unsigned, m, M_CGOCALLERSUSE) != 0)
			return;
		l->m = m;
		if (g == NULL) // turned, or called through cgo
			r = t->active->c_sp == TURNED ? t->active : NULL;
		if (r == &t->held)
			high = (size_t)t->own_high;
		else if (r != NULL && SP_OF(u) > r->low - GUARD && SP_OF(u) < (char *)r)
			low = (size_t)r->low, high = (size_t)r;
		else
			low = AT(size_t, g0, G_STACK_LO), high = AT(size_t, g0, G_SCHED_SP);
	}
	frame f = interrupted_frame(u);
	walk_unless_fault(&f, low, high, l);
	if (g == NULL)
		return;
	l->g = g;
	l->syscallsp = AT(size_t, g, G_SYSCALLSP);
	l->syscallpc = AT(size_t, g, G_SYSCALLPC);
	char *go_sp = AT(char *, m, M_VDSOSP);
	AT(size_t, g, G_SYSCALLPC) = AT(size_t, go_sp, -CALLER_PC);
	AT(char *, g, G_SYSCALLSP) = go_sp + RETURN_ADDRESS;
	AT(int, m, M_NCGO)++;
}

static void stop_looking_like_cgo(const disguise *l) {
	_wherry_thread.traced = NULL;
	if (l->own != NULL)
		_wherry_setg(l->own);
	if (l->m != NULL)
		AT(size_t *, l->m, M_CGOCALLERS)[0] = 0;
	if (l->g == NULL)
		return;
	AT(int, l->m, M_NCGO)--;
	AT(size_t, l->g, G_SYSCALLSP) = l->syscallsp;
	AT(size_t, l->g, G_SYSCALLPC) = l->syscallpc;
}

// traced_here returns what the handler that runs here has found, or NULL. C may have left one by longjmp:
// what that had found is on no stack that is in use here.
static disguise *traced_here(void) {
	disguise *l = _wherry_thread.traced;
	return (size_t)l - (size_t)__builtin_frame_address(0) < (size_t)1 << 16 ? l : NULL;
}

// _wherry_traceback is what runtime.SetCgoTraceback calls a traceback function. It is asked for
// each signal that comes while C runs, with the signal's context. Of a thread that Go does not know
// there is at least where it was interrupted, as without a traceback function. And it is asked for the C of
// each callback, by its number.
struct traceback { size_t context, signal, *to, max; };
SHARED void _wherry_traceback(struct traceback *arg) {
	disguise *l = traced_here();
	size_t n = 0;
	if (arg->context != 0) {
		if (l != NULL && l->numbered > 0 && arg->context == l->numbered++) { // of one goroutine; others come later
			l->n = 0; // what was interrupted has been asked for
			walk_callback_unless_fault(arg->context, l);
		} else {
			l = NULL;
		}
	} else if (arg->signal == 0) {
		l = NULL;
	} else if ((l == NULL || l->n == 0) && arg->max > 0 && _wherry_getg() == NULL) {
		arg->to[n++] = (size_t)PC_OF((const ucontext_t *)arg->signal);
	}
	for (; l != NULL && n < (size_t)l->n && n + 1 < arg->max; n++)
		arg->to[n] = l->pcs[n];
	if (n < arg->max)
		arg->to[n] = 0;
}

#include "inflate.c" // what linkers have compressed
#include "lines.c"   // which lines the functions are of
#include "symbols.c" // what the functions are called

// What leads from a sample in wherry's own code to its Go caller, while Go's handler runs.
struct lead { char *marked, *in_call; }; // an m each, or NULL

// lead_to_caller is for two places from which the runtime would find no caller, since it knows no code
// there. Before a call and after it, and around a callback, there are a few instructions without the
// mark: rsp is where the mark would be, and so is arm64's sp. And a turned call that is over is none of
// cgo's any more, though its goroutine has not left the system call.
static void lead_to_caller(const ucontext_t *u, struct lead *l) {
	*l = (struct lead){0};
	char *own = _wherry_getg(), *m = own != NULL ? AT(char *, own, G_M) : NULL, *g = m != NULL ? AT(char *, m, M_CURG) : NULL;
	if (g == NULL || is_go((size_t)PC_OF(u)) || AT(char *, m, M_VDSOSP) != NULL)
		return;
	const char *sp = SP_OF(u);
	if (own != g) {
		if (AT(int, m, M_NCGO) != 0 || AT(size_t, g, G_SYSCALLSP) == 0 || AT(char, m, M_ISEXTRAINC))
			return;
		l->in_call = m;
		AT(int, m, M_NCGO)++;
	} else if (is_ours((size_t)PC_OF(u)) && is_of_goroutine(g, sp)) {
#if defined(__x86_64__)
		size_t pc = AT(size_t, sp, 0), mark = 0;
#else
		size_t pc = u->uc_mcontext.regs[30], mark = pc - TAG;
#endif
		if (!is_go(pc))
			return;
		l->marked = m;
		AT(size_t, m, M_VDSOPC) = mark;
		AT(const char *, m, M_VDSOSP) = sp;
	}
}

static void show_sample(int sig, siginfo_t *info, void *context) {
	struct lead l;
	lead_to_caller(context, &l);
	_wherry_thread.busy++; // where C's own handler has called this one, the runtime's signal may come
	_wherry_urgent.go.sa_sigaction(sig, info, context);
	_wherry_thread.busy--;
	if (l.marked != NULL)
		AT(char *, l.marked, M_VDSOSP) = NULL;
	if (l.in_call != NULL)
		AT(int, l.in_call, M_NCGO)--;
}

static __attribute__((noinline)) void show_walked_sample(int sig, siginfo_t *info, void *context) {
	disguise l;
	look_like_cgo(sig, context, &l);
	show_sample(sig, info, context);
	stop_looking_like_cgo(&l);
}

// turn_for_quit turns the call in flight that SIGQUIT has interrupted, as the runtime's own signal would:
// what Go prints says then that C ran, and that the goroutine is in a system call.
static __attribute__((noinline)) void turn_for_quit(const ucontext_t *u) {
	record *r;
	char *g = interrupted_call(u, &r);
	if (g == NULL || !is_this_thread())
		return;
	unsigned long mask = set_mask(~0ul);
	turn(g, r, BY_SIGNAL);
	set_mask(mask);
}

// on_sample takes as little of the stack as it can, where there is little.
static void on_sample(int sig, siginfo_t *info, void *context) {
	check_no_alignment();
	if (sig == SIGQUIT && between_callbacks(context) != NULL) {
		on_signal(sig, info, context);
		return;
	}
	int saved = errno;
	if (sig == SIGQUIT)
		turn_for_quit(context);
	give((size_t)PC_OF((ucontext_t *)context)); // the runtime has it in a profile also where nothing is walked
	if (room_to_walk(&((ucontext_t *)context)->uc_stack))
		show_walked_sample(sig, info, context);
	else
		show_sample(sig, info, context);
	errno = saved;
}

// start_traces comes when Go's handlers are installed.
static void start_traces(void) {
	const char *wanted = secure_getenv("WHERRY_TRACES");
	if (wanted != NULL && strcmp(wanted, "0") == 0)
		return;
	if (wanted != NULL && strcmp(wanted, "") != 0 && strcmp(wanted, "1") != 0)
		fprintf(stderr, "wherry: WHERRY_TRACES=%.40s: want 0 or 1; this program goes on without it\n", wanted);
	if (&_wherry_sets_traceback != NULL || &__morestack != NULL || _wherry_cgo_traceback != NULL || _wherry_cgo_symbolizer != NULL)
		return;
	if (can_read(PAGE) || !can_read((size_t)&_wherry_traces & ~(size_t)7))
		return; // no such kernel
	know_executable();
	map_symbols();
	for (int i = 0; i < 2; i++) {
		struct sigaction ours;
		int sig = i == 0 ? SIGPROF : SIGQUIT;
		if (sigaction(sig, NULL, &ours) != 0 || ours.sa_sigaction != _wherry_urgent.go.sa_sigaction)
			continue;
		ours.sa_sigaction = on_sample;
		remove_signal(&ours.sa_mask, SIGSEGV), remove_signal(&ours.sa_mask, SIGBUS); // for UNLESS_FAULT
		sigaction(sig, &ours, NULL);
	}
	void *functions[3] = {(void *)_wherry_traceback, NULL, (void *)_wherry_symbolize};
	if (x_cgo_set_traceback_functions != NULL)
		x_cgo_set_traceback_functions(functions);
	_wherry_cgo_symbolizer = functions[2];
	_wherry_cgo_traceback = functions[0];
	_wherry_urgent.samples = 1;
}
#else
static void look_like_cgo(int sig, const ucontext_t *u, disguise *l) { (void)sig, (void)u, (void)l; }
static void stop_looking_like_cgo(const disguise *l) { (void)l; }
static __attribute__((unused)) void on_sample(int sig, siginfo_t *info, void *context) { (void)sig, (void)info, (void)context; }
static int room_to_walk(const stack_t *s) { (void)s; return 1; }
static void start_traces(void) {}
#endif
