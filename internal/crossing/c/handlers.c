//go:build ignore

// Handlers that C installs, where threads hold their P. Under cgo C's code has no P when a signal
// interrupts it: its handler may wait for anybody, block SIGURG, call Go, or leave by
// siglongjmp. So before each handler of C's stands an entry of wherry's, which turns the call in
// flight. C does not see that: the kernel has C's flags and mask, C is shown its own handler's
// address, and that handler begins with the registers and the stack that the kernel made.
//
//	kernel ---> entry n ---> _wherry_before_handler ---> C's handler n ---> kernel
//	            blocks all    turns the call, and
//	            signals       blocks what was blocked
//
// A handler has an entry of its own, for good: so its address changes together with its
// flags and its mask, as the kernel changes them.

#if HOLDS
extern const char _wherry_entries[] HIDDEN, _wherry_entries_common[] HIDDEN, _wherry_entries_last[] HIDDEN;

#define ENTRIES 64
#define TEXT_OF(x) TEXT_OF_IT(x)
#define TEXT_OF_IT(x) #x

// The context is where the kernel puts it on the stack: arm64 has it in a register only for handlers
// that want to know it.
#if defined(__x86_64__)
#define ENTRY_SIZE 16
#define CONTEXT 8
#define KEPT 40
#define EACH "movl $_wherry_entry, %r9d\n\t" "jmp _wherry_entries_common\n\t"
#define COMMON \
	"subq $40, %rsp\n\t" ".cfi_adjust_cfa_offset 40\n\t" \
	"movq %rdi, (%rsp)\n\t" \
	"movq %rsi, 8(%rsp)\n\t" \
	"movq %rdx, 16(%rsp)\n\t" \
	"movq $-1, 24(%rsp)\n\t" \
	"movl $2, %edi\n\t" /* SIG_SETMASK */ \
	"leaq 24(%rsp), %rsi\n\t" \
	"movq %rsi, %rdx\n\t" \
	"movl $8, %r10d\n\t" \
	"movl $14, %eax\n" /* rt_sigprocmask */ \
	"_wherry_entries_last:\n\t" \
	"syscall\n\t" \
	"movl %r9d, %edi\n\t" \
	"leaq 48(%rsp), %rsi\n\t" \
	"movq 24(%rsp), %rdx\n\t" \
	"call _wherry_before_handler\n\t" \
	"movq %rax, %r11\n\t" \
	"xorl %eax, %eax\n\t" \
	"movq 16(%rsp), %rdx\n\t" \
	"movq 8(%rsp), %rsi\n\t" \
	"movq (%rsp), %rdi\n\t" \
	"addq $40, %rsp\n\t" ".cfi_adjust_cfa_offset -40\n\t" \
	"jmp *%r11\n\t"
#else
#define ENTRY_SIZE 8
#define CONTEXT 128
#define KEPT 48
#define EACH "mov w9, #_wherry_entry\n\t" "b _wherry_entries_common\n\t"
#define COMMON \
	"stp x29, x30, [sp, #-48]!\n\t" ".cfi_adjust_cfa_offset 48\n\t" ".cfi_rel_offset x29, 0\n\t" ".cfi_rel_offset x30, 8\n\t" \
	"stp x0, x1, [sp, #16]\n\t" \
	"mov x10, #-1\n\t" \
	"stp x2, x10, [sp, #32]\n\t" \
	"mov x0, #2\n\t" /* SIG_SETMASK */ \
	"add x1, sp, #40\n\t" \
	"mov x2, x1\n\t" \
	"mov x3, #8\n\t" \
	"mov x8, #135\n" /* rt_sigprocmask */ \
	"_wherry_entries_last:\n\t" \
	"svc #0\n\t" \
	"mov w0, w9\n\t" \
	"add x1, sp, #48+128\n\t" \
	"ldr x2, [sp, #40]\n\t" \
	"bl _wherry_before_handler\n\t" \
	"mov x16, x0\n\t" \
	"ldr x2, [sp, #32]\n\t" \
	"ldp x0, x1, [sp, #16]\n\t" \
	"ldp x29, x30, [sp], #48\n\t" ".cfi_adjust_cfa_offset -48\n\t" ".cfi_restore x29\n\t" ".cfi_restore x30\n\t" \
	"br x16\n\t"
#endif

__asm__(".text\n\t"
	".p2align 4\n\t"
	".weak _wherry_entries, _wherry_entries_common, _wherry_entries_last\n\t"
	".hidden _wherry_entries, _wherry_entries_common, _wherry_entries_last, _wherry_before_handler\n"
	"_wherry_entries:\n\t"
	".cfi_startproc\n\t"
	".set _wherry_entry, 0\n\t"
	".rept " TEXT_OF(ENTRIES) "\n\t"
	".balign " TEXT_OF(ENTRY_SIZE) "\n\t" EACH
	".set _wherry_entry, _wherry_entry + 1\n\t"
	".endr\n"
	"_wherry_entries_common:\n\t" COMMON
	".cfi_endproc\n");

typedef void (*handler)(int);
SHARED handler _wherry_handlers[ENTRIES]; // C's

static void on_fault(int sig, siginfo_t *info, void *context), on_urgent(int sig, siginfo_t *info, void *context),
	on_sample(int sig, siginfo_t *info, void *context), on_signal(int sig, siginfo_t *info, void *context);

static handler entry_of(long i) { return (handler)(size_t)(_wherry_entries + i * ENTRY_SIZE); }

static int is_sampled(int sig) { return _wherry_urgent.samples && (sig == SIGPROF || sig == SIGQUIT); }

// stands_before reports whether on_signal comes before Go's handler of a signal. Those left out have
// handlers of wherry's own, or are the C library's.
static int stands_before(int sig) {
	static const unsigned long not = 1ul << (SIGURG - 1) | 1ul << (SIGPROF - 1) | 7ul << (32 - 1);
	if (is_sampled(sig))
		return 0;
	for (int i = 0; i < FAULTS; i++)
		if (faults[i] == sig)
			return 0;
	return !(not >> (sig - 1) & 1);
}

// handler_of returns C's handler for an entry of ours, Go's for what stands before it, and any other
// handler as it is.
static handler handler_of(handler f) {
	if (f == (handler)(size_t)on_signal)
		return (handler)(size_t)_wherry_urgent.go.sa_sigaction;
	size_t offset = (size_t)f - (size_t)_wherry_entries;
	return offset < ENTRIES * ENTRY_SIZE ? _wherry_handlers[offset / ENTRY_SIZE] : f;
}

static int is_wherrys(const void *handler) {
	return handler == (void *)on_fault || handler == (void *)on_urgent || handler == (void *)on_sample || handler == (void *)on_signal;
}

// before_handler returns what is to be installed for a handler: an entry, if it is one of C's.
// This may run in a handler.
static handler before_handler(int sig, handler f) {
	void *p = (void *)f;
	void *go = (void *)_wherry_urgent.go.sa_sigaction; // NULL before the start, when Go installs its own, all one
	if (go == NULL && (size_t)p + 1 > 3 && !is_wherrys(p)) {
		_wherry_urgent.early |= _wherry_urgent.earliest != NULL && p != _wherry_urgent.earliest;
		_wherry_urgent.earliest = p;
	}
	if (go != NULL && p == go && is_sampled(sig))
		return (handler)(size_t)on_sample;
	if (go != NULL && p == go && stands_before_fault(sig))
		return (handler)(size_t)on_fault;
	if (go != NULL && p == go && _wherry_holding.started && stands_before(sig))
		return (handler)(size_t)on_signal;
	if ((size_t)p + 1 <= 3 || go == NULL || _wherry_urgent.off || handler_of(f) != f || p == go || is_wherrys(p))
		return f; // SIG_DFL, SIG_IGN, SIG_HOLD, SIG_ERR; Go's; ours
	for (long i = 0; i < ENTRIES; i++) {
		handler none = NULL;
		if (__atomic_compare_exchange_n(&_wherry_handlers[i], &none, f, 0, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE) || none == f)
			return entry_of(i);
	}
	holds_never("C has installed too many handlers of signals", p);
	return f;
}

// shut_out has no handler of C's come while a call is turned: it might not go back.
static unsigned long shut_out(void) { return _wherry_handlers[0] != NULL ? set_mask(~0ul) : ~0ul; }
static void let_in(unsigned long mask) {
	if (mask != ~0ul)
		set_mask(mask);
}

// _wherry_before_handler comes before a handler of C's.
SHARED handler _wherry_before_handler(int entry, const ucontext_t *u, unsigned long mask) {
	int saved = errno;
	// Another signal may have interrupted C, and this one its entry.
	for (const char *pc; (pc = PC_OF(u)) >= _wherry_entries && pc <= _wherry_entries_last;)
		u = (const ucontext_t *)(SP_OF(u) + CONTEXT + (pc > _wherry_entries_common ? KEPT : 0));
	char *g = turn_for_handler(u), *m = between_callbacks(u);
	if (m != NULL && _wherry_thread.held.c_sp == TURNED) // as in fault_of_c_thread: C's handler may call Go's
		AT(char, m, M_ISEXTRAINC) = 1;
	set_mask(mask);
	if (g != NULL)
		await_signal(g);
	errno = saved;
	return _wherry_handlers[entry];
}

// on_signal comes before Go's handler of a signal.
static void on_signal(int sig, siginfo_t *info, void *context) {
	check_no_alignment();
	to_go(sig, info, context);
}
#else
static __attribute__((unused)) void on_signal(int sig, siginfo_t *info, void *context) { (void)sig, (void)info, (void)context; }
static unsigned long shut_out(void) { return ~0ul; }
static void let_in(unsigned long mask) { (void)mask; }
#endif
