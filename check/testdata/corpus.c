// Functions with known answers. safe_... may be called directly, whatever the
// compiler makes of it; not_... may not: a verdict of safe is false. What
// depends on the compiler's choice has no place here. alloc_... is safe, but may
// call the allocator. loops_... has a loop that only another thread or time can
// end, which is not told from other loops: its result says that it has one.
#define _GNU_SOURCE
#include <alloca.h>
#include <errno.h>
#include <math.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#define NOINLINE __attribute__((noinline))
#ifdef __clang__
#define KEEP __attribute__((noinline))
#else
#define KEEP __attribute__((noinline, noclone, noipa))
#endif

// --- plain
KEEP int safe_add(int a, int b) { return a + b; }
KEEP double safe_mul(double a, double b) { return a * b; }
KEEP unsigned safe_sum(const unsigned char *p, size_t n) { unsigned s = 0; for (size_t i = 0; i < n; i++) s = s * 31 + p[i]; return s; }
KEEP long safe_nested(long n) { long s = 0; for (long i = 0; i < n; i++) for (long j = 0; j < i; j++) s ^= i * j; return s; }
KEEP void safe_fill(int *p, int n) { while (n-- > 0) *p++ = n; }
KEEP int safe_big_frame(int n) { volatile char b[9000]; b[n & 4095] = 1; return b[(n + 1) & 4095]; }
struct pair { long a, b; double c[6]; };
KEEP struct pair safe_struct(struct pair p) { p.a += p.b; p.c[2] = 1; return p; }
KEEP long safe_many(long a, long b, long c, long d, long e, long f, long g, long h, long i, long j) {
	return a + b * c - d + e * f + g - h * i + j; }
KEEP long safe_calls_many(long x) { return safe_many(x, 1, 2, 3, x, 5, 6, 7, x, 9) + safe_add(x, 1); }
KEEP __int128 safe_wide(__int128 a, __int128 b) { return a * b + 1; }
KEEP int safe_swap(int *a, int *b) { int t = *a; *a = *b; *b = t; return t; }
KEEP int safe_aligned(int n) { volatile int a[8] __attribute__((aligned(64))); a[n & 7] = n; return a[0]; }
KEEP double safe_vector(const double *a, const double *b, int n) { double s = 0; for (int i = 0; i < n; i++) s += a[i] * b[i]; return s; }
KEEP int safe_division(int a, int b) { return b ? a / b : 0; }
KEEP int safe_atomic(int *p) { return __atomic_add_fetch(p, 1, __ATOMIC_SEQ_CST); }
KEEP long safe_chain3(long x) { return x + 1; }
KEEP long safe_chain2(long x) { return safe_chain3(x) * 2; }
KEEP long safe_chain1(long x) { return safe_chain2(x) - safe_chain3(x); }
KEEP long safe_tail(long x) { return safe_chain3(x * 5); }
KEEP int safe_switch(int x) {
	switch (x) {
	case 0: return 10; case 1: return 7 * x; case 2: return 3; case 3: return safe_add(x, 3); case 4: return 9;
	case 5: return x << 3; case 6: return safe_division(x, 2); case 7: return -1; case 8: return 77; case 9: return x ^ 12;
	}
	return 0;
}
KEEP const char *safe_names(unsigned k) { static const char *const names[] = {"a", "b", "c"}; return k < 3 ? names[k] : 0; }
static __thread int counter;
KEEP int alloc_tls(void) { return ++counter; }

// --- the C library
KEEP double safe_sin(double x) { return sin(x) + 1; }
KEEP double safe_pow(double x, double y) { return pow(x, y) + 1; }
KEEP double safe_sqrt(double x) { return sqrt(x) + 1; }
KEEP size_t safe_strlen(const char *s) { return strlen(s) + 1; }
KEEP void *safe_memcpy(void *a, const void *b, size_t n) { return (char *)memcpy(a, b, n) + 1; }
KEEP int safe_memcmp(const void *a, const void *b, size_t n) { return memcmp(a, b, n) + 1; }
KEEP int safe_errno(int x) { if (x < 0) errno = EINVAL; return x; }
KEEP int not_malloc(void) { char *p = malloc(10); if (!p) return 0; p[0] = 1; *(char *volatile *)&p = p; return p[0]; }
KEEP void not_free(void *p) { free(p); }
KEEP int not_printf(int x) { return printf("%d\n", x) + 1; }
KEEP int not_snprintf(char *b, int x) { return snprintf(b, 10, "%d %f", x, (double)x) + 1; }
KEEP int not_usleep(void) { return usleep(10) + 1; }
KEEP long not_read(int fd, void *p) { return read(fd, p, 1) + 1; }
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
KEEP int not_lock(int *p) { pthread_mutex_lock(&mutex); int x = ++*p; pthread_mutex_unlock(&mutex); return x; }
static pthread_once_t once = PTHREAD_ONCE_INIT;
static void init_once(void) {}
KEEP int not_once(void) { return pthread_once(&once, init_once) + 1; }
KEEP int not_raise(void) { return raise(SIGUSR1) + 1; }
static void handler(int s) { (void)s; }
KEEP void not_signal(void) { signal(SIGUSR1, handler); }
KEEP void not_qsort(int *p, int n, int (*compare)(const void *, const void *)) { qsort(p, n, sizeof *p, compare); }
KEEP int not_exit(int x) { if (x > 4) exit(x); return x; }
KEEP int not_fork(void) { return fork() + 1; }
KEEP int not_vfork(void) { return vfork() + 1; }
KEEP char *not_getenv_set(void) { setenv("A", "b", 1); return 0; }

// --- leaving, recursion
static jmp_buf place;
KEEP int not_longjmp(int x) { if (x) longjmp(place, x); return x; }
extern void __cxa_bad_cast(void) __attribute__((noreturn)); // C++: throws
KEEP int not_bad_cast(int x) { if (x) __cxa_bad_cast(); return x; }
KEEP int not_setjmp(void) { return setjmp(place); }
#if !(defined __clang__ && defined __aarch64__)
KEEP int not_builtin_longjmp(void **b, int x) { if (x == 3) __builtin_longjmp(b, 1); return x; }
#endif
KEEP long not_recursive(long n) { return n < 2 ? n : not_recursive(n - 1) * 3 ^ not_recursive(n - 2); }
KEEP long not_mutual_b(long n);
KEEP long not_mutual_a(long n) { return n < 2 ? n : not_mutual_b(n - 1) * 3 ^ not_mutual_b(n / 2); }
KEEP long not_mutual_b(long n) { return n < 3 ? n : not_mutual_a(n - 2) * 5 ^ not_mutual_a(n / 3); }
struct tree { struct tree *left, *right; long v; };
KEEP long not_tree(const struct tree *t) { return t ? not_tree(t->left) * 2 + t->v + not_tree(t->right) : 0; }

// --- stack of unknown size
KEEP int not_alloca(int n) { volatile char *p = alloca(n); p[0] = 1; p[n - 1] = 2; return p[0]; }
KEEP int not_vla(int n) { volatile int a[n]; a[0] = 1; a[n - 1] = 2; return a[0]; }
KEEP int not_vla_loop(int n) { int s = 0; for (int i = 1; i < n; i++) { volatile int a[i]; a[i - 1] = i; s += a[0]; } return s; }
KEEP int not_alloca_loop(int n) { int s = 0; for (int i = 1; i < n; i++) {
	volatile int *a = alloca(16); a[0] = i; s += (int)(uintptr_t)a; } return s; }

// --- pointers to functions
typedef int (*function)(int);
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
static int one(int x) { return x + 1; }
static int two(int x) { return usleep(x); }
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
KEEP int not_switch_call(int x) {
	switch (x) {
	case 0: return 10; case 1: return 7 * x; case 2: return 3; case 3: return safe_add(x, 3); case 4: return usleep(9);
	case 5: return x << 3; case 6: return safe_division(x, 2); case 7: return -1; case 8: return 77; case 9: return x ^ 12;
	}
	return 0;
}
__attribute__((cold, noinline)) static int cold_path(int x) { return usleep(x); }
KEEP int not_cold(int x) { if (__builtin_expect(x > 1000, 0)) { for (int i = 0; i < x; i++) cold_path(i); return 3; } return x; }

// --- system calls
KEEP long not_syscall(long n) { return syscall(n, 0) + 1; }
#if defined __x86_64__
KEEP long not_inline_syscall(void) { long r; __asm__ volatile("syscall" : "=a"(r) : "a"(24L) : "rcx", "r11", "memory"); return r; }
KEEP long not_inline_syscall_number(long n) { long r; __asm__ volatile("syscall" : "=a"(r) : "a"(n) : "rcx", "r11", "memory"); return r; }
KEEP long not_int80(void) { long r; __asm__ volatile("int $0x80" : "=a"(r) : "a"(20L) : "memory"); return r; }
KEEP void not_asm_push(void *p) { __asm__ volatile("mov %%rsp, %%rbx; mov %0, %%rsp; push %%rax; mov %%rbx, %%rsp" ::"r"(p) : "rbx",
	"memory"); }
KEEP void not_asm_call(void *p) { __asm__ volatile("call *%0" ::"r"(p) : "memory", "rax", "rcx", "rdx", "rsi", "rdi", "r8", "r9",
	"r10", "r11"); }
KEEP void not_push_ret(void *p) { __asm__ volatile("push %0; ret" ::"r"(p) : "memory"); }
__attribute__((naked)) void not_return_address(void *p) { __asm__ volatile("mov %rdi, (%rsp); ret"); }
#elif defined __aarch64__
KEEP long not_inline_syscall(void) { register long r __asm__("x0"); register long n __asm__("x8") = 124;
	__asm__ volatile("svc 0" : "=r"(r) : "r"(n) : "memory"); return r; }
KEEP long not_inline_syscall_number(long k) {
	register long r __asm__("x0"); register long n __asm__("x8") = k; __asm__ volatile("svc 0" : "=r"(r) : "r"(n) : "memory"); return r; }
KEEP void not_asm_call(void *p) { __asm__ volatile("blr %0" ::"r"(p) : "memory", "x30", "x0", "x1"); }
KEEP void not_asm_sp(long n) { __asm__ volatile("sub sp, sp, %0\n str xzr, [sp]\n add sp, sp, %0" ::"r"(n) : "memory"); }
__asm__(".globl not_return_address\n.type not_return_address, %function\n"
	"not_return_address: mov x30, x0\n ret\n.size not_return_address, .-not_return_address");
#endif

// --- what stands behind names
extern int external(int);
KEEP int not_external(int x) { return external(x) + 1; }
__attribute__((weak)) int weak_function(int x) { return two(x); }
KEEP int not_weak(int x) { return weak_function(x) + 1; }
extern __attribute__((weak)) int maybe(int);
KEEP int not_weak_undefined(int x) { return maybe ? maybe(x) + 1 : 0; }
static int aliased(int x) { return usleep(x) + 2; }
extern __typeof(aliased) alias __attribute__((alias("aliased")));
KEEP int not_alias(int x) { return alias(x) + 1; }
static int chosen_a(int x) { return x * 3; }
static int chosen_b(int x) { return usleep(x) + 3; }
int selector;
static function choose(void) { return selector ? chosen_a : chosen_b; }
int by_cpu(int) __attribute__((ifunc("choose")));
KEEP int not_ifunc(int x) { return by_cpu(x) + 1; }
extern __thread int shared_tls;
__attribute__((constructor)) static void begin(void) { hook = two; }

// --- loops
KEEP int loops_volatile(volatile int *p) { while (*p == 0) ; return *p; }
KEEP int loops_atomic(int *p) { int v; while ((v = __atomic_load_n(p, __ATOMIC_ACQUIRE)) == 0) ; return v; }
KEEP int loops_pair(volatile int *p, volatile int *q) { do { if (*p) return 1; } while (!*q); return 2; }
KEEP int not_spin_lock(int *p) { while (__atomic_exchange_n(p, 1, __ATOMIC_ACQUIRE)) ; return 1; }
KEEP int not_spin_cas(int *p) { int z = 0;
	while (!__atomic_compare_exchange_n(p, &z, 1, 1, __ATOMIC_ACQUIRE, __ATOMIC_RELAXED)) z = 0; return 1; }
KEEP int not_spin_both(int *p) { for (;;) {
	if (!__atomic_exchange_n(p, 1, __ATOMIC_ACQUIRE)) return 1; while (__atomic_load_n(p, __ATOMIC_RELAXED)) ; } }
#if defined __OPTIMIZE__ // the counter is in a register
KEEP unsigned loops_counting(volatile unsigned *p) { unsigned n = 0; while (*p < 5) n += 3; return n; }
KEEP int loops_bits(volatile unsigned *p) { int n = 0; while (__builtin_popcount(*p) != 2) n++; return n; }
KEEP int loops_byte(volatile unsigned char *p, unsigned char k) { int n; do n = (unsigned char)(*p * k); while (n == 7); return n; }
KEEP int loops_double(volatile double *p) { int n = 0; while (*p < 1.5) n++; return n; }
#endif
KEEP int loops_conversion(volatile double *p) { int n; while ((n = (int)*p) < 3) ; return n; }
KEEP int safe_counting(const int *p) { int n = 0; while (p[n] == 0) n++; return n; }
KEEP int safe_countdown(const int *p, int n) { int s = 0; do s += *p; while (--n > 0); return s; }
KEEP int safe_clear_bits(unsigned m) { int n = 0; while (m) m &= m - 1, n++; return n; }
KEEP int safe_queue(int *p) { int n = 0; do p[0]--, n++; while (p[0] > 0); return n; }
KEEP int loops_for_ever(int *p) { for (;;) __asm__ volatile("" : : "r"(p) : "memory"); }
struct chain { struct chain *next; int v; };
KEEP int safe_chain(const struct chain *p) { int s = 0; for (; p != NULL; p = p->next) s += p->v; return s; }
KEEP const struct chain *safe_last(const struct chain *p) { while (p->next != NULL) p = p->next; return p; }
KEEP size_t safe_length(const char *p) { const char *q = p; while (*q) q++; return (size_t)(q - p); }
KEEP unsigned safe_collatz(unsigned n) { unsigned s = 0; while (n > 1 && s < 1000) n = n & 1 ? 3 * n + 1 : n / 2, s++; return s; }
KEEP double safe_newton(double x) { double r = x; for (int i = 0; i < 20; i++) r = (r + x / r) / 2; return r; }
KEEP int asked(const volatile int *p) { return *p; }
#if !defined __clang__ || defined __OPTIMIZE__ // clang keeps what it asks in bytes of the frame
KEEP int loops_asking(volatile int *p) { while (asked(p) == 0 && asked(p + 1) != 7 && asked(p + 5) == 5) ; return 1; }
#endif
KEEP int loops_clock(long since, long long some) {
	struct timespec t; do clock_gettime(CLOCK_MONOTONIC, &t); while ((t.tv_sec - since) * 1000000000LL + t.tv_nsec < some); return 1; }
KEEP int loops_beside_calls(volatile int *p, int x) { int n = 0; asked(p); asked(p + x); while (*p == 0) n++; asked(p + n); return n; }
KEEP long loops_computing(volatile int *p) { long a = 1, b = 0; while (*p == 0) { a = a * 5 + 3; b ^= a; } return b; }
#if defined __OPTIMIZE__ // more words of the frame than are followed
KEEP int loops_long(volatile int *p, volatile int *q) {
	int n = 0;
	while ((p[0] ^ p[1] ^ p[2] ^ p[3] ^ p[4] ^ p[5] ^ p[6] ^ p[7] ^
		q[0] ^ q[1] ^ q[2] ^ q[3] ^ q[4] ^ q[5] ^ q[6] ^ q[7] ^ p[8] ^ p[9] ^ p[10]) != 5) n++;
	return n;
}
#endif
#if defined __x86_64__ // on arm64 the counter's address is in a register
static long rounds;
KEEP int loops_counting_in_memory(volatile int *p) { while (*p == 0) rounds++; return 1; }
#endif
KEEP int safe_asking(volatile int *p, int n) { int i = 0; while (asked(p + i) == 0 && i < n) i++; return i; }
KEEP int safe_asking_rounds(volatile int *p, int n) { int i = 0; while (asked(p) == 0 && i < n) i++; return i; }
KEEP void writer(int *p) { --*p; }
KEEP int safe_writer(int *p) { while (asked(p) > 0) writer(p); return 1; }
KEEP int safe_rounds(volatile int *p) { int n = 0; while (*p == 0 && n < 1000) n++; return n; }
KEEP unsigned safe_gcd(unsigned *a, unsigned *b) { while (*b) { unsigned t = *a % *b; *a = *b; *b = t; } return *a; }
KEEP unsigned safe_root(const unsigned *parent, unsigned x) { while (parent[x] != x) x = parent[x]; return x; }
struct ring { unsigned head, tail; int d[64]; };
KEEP void safe_ring(struct ring *r, int *out) { while (r->tail != r->head) { *out++ = r->d[r->tail & 63]; r->tail++; } }
KEEP unsigned safe_shift(unsigned s, unsigned e) {
	int n = 0; while (s != e && n < 99) { s = s >> 1 ^ (-(s & 1) & 0xd0000001u); n++; } return n; }
int machine_state;
KEEP int safe_state(int n) { machine_state = n; while (machine_state > 0) {
	if (machine_state & 1) machine_state -= 3; else machine_state /= 2; } return machine_state; }
KEEP int not_callback_in_loop(const int *p, int n, function f) { int s = 0; for (int i = 0; i < n; i++) s += f(p[i]); return s; }
#if !defined __clang__
KEEP int not_nested_function(int x) { int y = x; auto int inner(int); int inner(int z) {
	return usleep(z + y); } return not_pointer(inner, x); }
#endif
