// What the assembly and Go's runtime define in a program: a g, an m and a g0, whose fields
// are where Target says. A program is crossing.c, this file, and others of the folder.

__thread char world_g[4096], world_m[4096], world_g0[4096];
static __thread char *current_g;
volatile int entered;       // how often a goroutine was put into a system call
char *go_stack;             // where its stack pointer was
char *system_stack;         // and where the system stack seemed to end

void crosscall2(void (*fn)(void *), void *frame, int size, size_t context) { (void)size; (void)context; fn(frame); }
size_t _cgo_wait_runtime_init_done(void) { return 0; }
void _cgo_release_context(size_t context) { (void)context; }
void _wherry_abandon(void) {}
void _wherry_callback_frame(void (*fn)(void *), void *frame, int size) { (void)size; fn(frame); }
void _wherry_unturn(void) {}
int _wherry_gomaxprocs = 4;
void (*_wherry_cgo_bindm)(void *);
char _wherry_mheap[1], _wherry_module[4096], _wherry_debug[4096];
char *_wherry_allm;
char *_wherry_cgo_traceback, *_wherry_cgo_symbolizer;
void (*_wherry_set_traceback)(void *);
int roots, roots_over; // callbacks that holds have begun and ended
void (*x_crosscall2_ptr)(void (*)(void *), void *, int, size_t) = crosscall2;
void _wherry_hold_begin(char *root) {
	thread *t = &_wherry_thread;
	roots++;
	AT(char *, world_g, G_M) = world_m;
	AT(char *, world_g0, G_SCHED_SP) = root - 512; // crosscall2's and the runtime's frames
	t->held.g = world_g;
	t->held.go_sp = world_g + 2048;
	AT(char *, world_g, G_STACKGUARD0) = world_g + 1024;
	t->held.c_sp = NULL;
	t->active = &t->held;
	_wherry_setg(world_g);
}
void _wherry_hold_end(char *g) {
	(void)g;
	roots_over++;
	_wherry_setg(world_g0);
}
char *_wherry_getg(void) { return current_g; }
void _wherry_setg(char *g) { current_g = g; }
void _wherry_turn_enter(char *g, char *go_sp, char *g0) {
	if (g0 != NULL) system_stack = AT(char *, g0, G_STACK_LO);
	entered = entered + 1;
	go_stack = go_sp;
	AT(char *, g, G_SYSCALLSP) = go_sp - TURNED_FRAME;
	AT(size_t, g, G_SYSCALLPC) = 4096;
}

// The assembly's section, and what stands in place of a C function.
__asm__(".section wherry_text, \"ax\"\n"
	"_wherry_turn_first:\n.byte 0, 0, 0, 0\n"
	"_wherry_through_cgo:\n.byte 0, 0, 0, 0\n"
	"_wherry_watched:\n.byte 0, 0, 0, 0\n"
	"_wherry_on_stack:\n.byte 0, 0, 0, 0\n"
	"_wherry_blocks:\n"
#if defined(__x86_64__)
	"push %rdi\npush %rsi\npush %rdx\npush %rcx\npush %r8\npush %r9\npush %rax\npush %r11\nsub $8, %rsp\n"
	"mov %r11, %rdi\nxor %esi, %esi\nxor %edx, %edx\ncall _wherry_block\n"
	"add $8, %rsp\npop %r11\npop %rax\npop %r9\npop %r8\npop %rcx\npop %rdx\npop %rsi\npop %rdi\n"
	"jmp *(%r11)\n"
#else
	"stp x0, x1, [sp, #-96]!\nstp x2, x3, [sp, #16]\nstp x4, x5, [sp, #32]\n"
	"stp x6, x7, [sp, #48]\nstp x8, x16, [sp, #64]\nstr x30, [sp, #80]\n"
	"mov x0, x16\nmov x1, #0\nmov x2, #0\nbl _wherry_block\n"
	"ldr x30, [sp, #80]\nldp x8, x16, [sp, #64]\nldp x6, x7, [sp, #48]\nldp x4, x5, [sp, #32]\nldp x2, x3, [sp, #16]\nldp x0, x1, [sp], #96\n"
	"ldr x16, [x16]\nbr x16\n"
#endif
	"code:\n.zero 4\n"
	".text\n");

// Calls of three C functions, in the order of their addresses.
extern char code[4] HIDDEN;
call calls[3] __attribute__((section("wherry_calls"))) = {
	{.returns = code + 1, .target = code, .twin = code, .name = "one", .package = "p", .flags = MAY_SWITCH},
	{.returns = code + 2, .target = code, .twin = code, .name = "two", .package = "p"},
	{.returns = code + 3, .target = code, .twin = code, .name = "three", .package = "p", .flags = ALWAYS | NO_CALLBACK},
};

// world returns the goroutine, as it stands at a call: C runs on this thread's stack.
static _Alignas(16) char stack[4096];
static char *world(void) {
	AT(char *, world_g, G_M) = AT(char *, world_g0, G_M) = world_m;
	AT(char *, world_m, M_G0) = world_g0;
	AT(char *, world_m, M_CURG) = world_g;
	AT(size_t, world_g, G_SYSCALLPC) = 0;
	AT(char *, world_g, G_STACK_LO) = stack, AT(char *, world_g, G_STACK_HI) = stack + sizeof stack;
	return world_g;
}

// mark has the call be in flight, from a place in the goroutine's stack.
static __attribute__((unused)) void mark(void) {
	char *go_sp = stack + 2048, *back = code;
	memcpy(go_sp - CALLER_PC, &back, sizeof back);
	AT(char *, world_m, M_VDSOPC) = NULL;
#if defined(__aarch64__)
	AT(size_t, world_m, M_VDSOPC) = ((size_t)back & ~(size_t)3) - TAG;
#endif
	AT(char *, world_m, M_VDSOSP) = go_sp;
}

static void expect(const char *what, long got, long want) {
	if (got != want) {
		fprintf(stderr, "%s: got %ld, want %ld\n", what, got, want);
		exit(1);
	}
}
