// What no rule is about.
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

// --- the C library
KEEP double safe_sin(double x) { return sin(x) + 1; }
KEEP double safe_pow(double x, double y) { return pow(x, y) + 1; }
KEEP double safe_sqrt(double x) { return sqrt(x) + 1; }
KEEP size_t safe_strlen(const char *s) { return strlen(s) + 1; }
KEEP void *safe_memcpy(void *a, const void *b, size_t n) { return (char *)memcpy(a, b, n) + 1; }
KEEP int safe_memcmp(const void *a, const void *b, size_t n) { return memcmp(a, b, n) + 1; }
KEEP int safe_errno(int x) { if (x < 0) errno = EINVAL; return x; }

// --- loops
KEEP int loops_volatile(volatile int *p) { while (*p == 0) ; return *p; }
KEEP int loops_atomic(int *p) { int v; while ((v = __atomic_load_n(p, __ATOMIC_ACQUIRE)) == 0) ; return v; }
KEEP int loops_pair(volatile int *p, volatile int *q) { do { if (*p) return 1; } while (!*q); return 2; }
KEEP unsigned loops_counting(volatile unsigned *p) { unsigned n = 0; while (*p < 5) n += 3; return n; }
KEEP int loops_bits(volatile unsigned *p) { int n = 0; while (__builtin_popcount(*p) != 2) n++; return n; }
KEEP int loops_byte(volatile unsigned char *p, unsigned char k) { int n; do n = (unsigned char)(*p * k); while (n == 7); return n; }
KEEP int loops_double(volatile double *p) { int n = 0; while (*p < 1.5) n++; return n; }
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
KEEP int loops_asking(volatile int *p) { while (asked(p) == 0 && asked(p + 1) != 7 && asked(p + 5) == 5) ; return 1; }
KEEP int loops_clock(long since, long long some) {
	struct timespec t; do clock_gettime(CLOCK_MONOTONIC, &t); while ((t.tv_sec - since) * 1000000000LL + t.tv_nsec < some); return 1; }
KEEP int loops_beside_calls(volatile int *p, int x) { int n = 0; asked(p); asked(p + x); while (*p == 0) n++; asked(p + n); return n; }
KEEP long loops_computing(volatile int *p) { long a = 1, b = 0; while (*p == 0) { a = a * 5 + 3; b ^= a; } return b; }
KEEP int loops_long(volatile int *p, volatile int *q) {
	int n = 0;
	while ((p[0] ^ p[1] ^ p[2] ^ p[3] ^ p[4] ^ p[5] ^ p[6] ^ p[7] ^
		q[0] ^ q[1] ^ q[2] ^ q[3] ^ q[4] ^ q[5] ^ q[6] ^ q[7] ^ p[8] ^ p[9] ^ p[10]) != 5) n++;
	return n;
}
static long rounds;
KEEP int loops_counting_in_memory(volatile int *p) { while (*p == 0) rounds++; return 1; }
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
