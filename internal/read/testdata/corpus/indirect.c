KEEP void not_qsort(int *p, int n, int (*compare)(const void *, const void *)) { qsort(p, n, sizeof *p, compare); }
KEEP int not_pointer(function f, int x) { return f(x) + 1; }
KEEP int not_pointer_tail(function f, int x) { return f(x); }
struct methods { int n; function f, g; };
KEEP int not_struct(struct methods *m, int x) { return m->g(x) + 1; }
KEEP int not_struct_copy(struct methods *m, int x) { struct methods c = *m; c.n = x; return c.f(x) + c.n; }
KEEP int not_struct_value(struct methods m, int x) { return m.f(x) + 1; }
int (*hook)(int);
KEEP int not_global(int x) { return hook(x) + 1; }
static int (*local_hook)(int);
KEEP void safe_set_hook(function f) { local_hook = f; }
KEEP int not_static(int x) { return local_hook(x) + 1; }
function writable[4];
KEEP int not_table(int k, int x) { return writable[k & 3](x) + 1; }
KEEP int not_table_unbounded(function *t, int k, int x) { return t[k](x) + 1; }
static const function constant[2] = {one, two};
KEEP int not_constant_table(unsigned k, int x) { return k < 2 ? constant[k](x) + 1 : 0; }
KEEP int not_chosen(int x) { function f = x & 1 ? one : two; return f(x) + 1; }
KEEP int not_volatile(int x) { volatile function f = two; return f(x) + 1; }
KEEP int not_two_levels(struct methods **m, int x) { return (*m)->f(x) + (*m)->g(x); }
KEEP int not_computed_goto(int *program, function f) {
	static const void *const labels[] = {&&add, &&call, &&stop};
	int s = 0;
	goto *labels[*program++ % 3u];
add:
	s += 3;
	goto *labels[*program++ % 3u];
call:
	s += f(s);
	goto *labels[*program++ % 3u];
stop:
	return s;
}
KEEP int not_goto_pointer(void **p, function f) {
	static void *const keep[] = {&&a, &&b};
	p[1] = keep[(uintptr_t)p & 1];
	goto *p[0];
a:
	return 1;
b:
	return f(2);
}
#if defined __x86_64__
KEEP void not_asm_call(void *p) { __asm__ volatile("call *%0" ::"r"(p) : "memory", "rax", "rcx", "rdx", "rsi", "rdi", "r8", "r9",
	"r10", "r11"); }
KEEP void not_push_ret(void *p) { __asm__ volatile("push %0; ret" ::"r"(p) : "memory"); }
__attribute__((naked)) void not_return_address(void *p) { __asm__ volatile("mov %rdi, (%rsp); ret"); }
#elif defined __aarch64__
KEEP void not_asm_call(void *p) { __asm__ volatile("blr %0" ::"r"(p) : "memory", "x30", "x0", "x1"); }
__asm__(".globl not_return_address\n.type not_return_address, %function\n"
	"not_return_address: mov x30, x0\n ret\n.size not_return_address, .-not_return_address");
#endif
static int chosen_a(int x) { return x * 3; }
static int chosen_b(int x) { return usleep(x) + 3; }
int selector;
static function choose(void) { return selector ? chosen_a : chosen_b; }
int by_cpu(int) __attribute__((ifunc("choose")));
KEEP int not_ifunc(int x) { return by_cpu(x) + 1; }
__attribute__((constructor)) static void begin(void) { hook = two; }
KEEP int not_callback_in_loop(const int *p, int n, function f) { int s = 0; for (int i = 0; i < n; i++) s += f(p[i]); return s; }
#if !defined __clang__
KEEP int not_nested_function(int x) { int y = x; auto int inner(int); int inner(int z) {
	return usleep(z + y); } return not_pointer(inner, x); }
#endif

// Other stacks may be those of coroutines; the own one may be of any size.
#if defined __x86_64__
KEEP void not_asm_push(void *p) { __asm__ volatile("mov %%rsp, %%rbx; mov %0, %%rsp; push %%rax; mov %%rbx, %%rsp" ::"r"(p) : "rbx",
	"memory"); }
#elif defined __aarch64__
KEEP void not_asm_sp(long n) { __asm__ volatile("sub sp, sp, %0\n str xzr, [sp]\n add sp, sp, %0" ::"r"(n) : "memory"); }
#endif
KEEP int safe_alloca(int n) { volatile char *p = alloca(n); p[0] = 1; p[n - 1] = 2; return p[0]; }
KEEP int safe_vla(int n) { volatile int a[n]; a[0] = 1; a[n - 1] = 2; return a[0]; }
