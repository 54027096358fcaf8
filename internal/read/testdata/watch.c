// Loops that end when another thread writes (waits_), whatever they look like, and loops
// that end by themselves (ends_). TestWatches.

#include <stddef.h>
#include <string.h>

typedef struct { int *user; int done; void *next; } request;

static request *volatile queue;
static volatile int flag;
int plain;
extern int table_size;
extern int asks(void *);
static const int table[] = {3, 1, 4, 1, 5, 9, 2, 6};

int waits_flag(int *p) { while (!flag) ; return *p; }
int waits_plain(int *p) { while (!__atomic_load_n(&plain, __ATOMIC_RELAXED)) ; return *p; }
int waits_pointer(volatile int *p) { while (*p == 0) ; return *p; }
int waits_counted(int *p) { for (int i = 0; i < 1000000000 && !flag; i++) ; return *p; }
int waits_frame(int *p) { request r = {p}; queue = &r; while (!*(volatile int *)&r.done) ; return *p; }
int waits_frame_later(int *p)
{
	int pad[20];
	request r = {p};
	memset(pad, 1, sizeof pad);
	queue = &r;
	for (;;) {
		for (int i = 0; i < 20; i++)
			pad[i] *= 3;
		if (((volatile request *)&r)->done)
			return pad[7];
	}
}
int waits_taken(int *p) { request r = {p}; queue = &r; while (queue == &r) ; return *p; }
int waits_inner(int *p, int n)
{
	int sum = 0;
	for (int i = 0; i < n; i++)
		while (flag != i)
			sum += table[i & 7];
	return sum + *p;
}
int waits_indirectly(int *p, int n)
{
	int left = n;
	while (left > 0)
		if (flag) // decides whether left changes
			left--;
	return *p;
}
int waits_chosen(int *p, int n)
{
	int at = 0;
	while (at < n) {
		int step = flag; // 0 until somebody writes
		at += step & 1;
	}
	return *p;
}
int waits_far(volatile int *p, int n)
{
	double x = n;
	long sum = 0;
	do {
		for (int i = 0; i < 100; i++) {
			x = x * 1.0001 + i;
			sum += (long)x ^ i;
		}
	} while (p[3] != n);
	return sum;
}
int waits_list(request *r) { while (r) r = *(request *volatile *)&r->next; return 0; }
static __attribute__((noinline)) int done(void) { return flag; }
int waits_called(int *p) { while (!done()) ; return *p; }
static __attribute__((noinline)) void look(int *p) { *p = flag; }
int waits_called_back(int *p) { int f; do look(&f); while (!f); return *p; }
int waits_itself(int *p) { return flag ? *p : waits_itself(p) + 1; }
int waits_same_byte(volatile char *s, int n) { char *at = (char *)s; while (!*(volatile char *)at) at += n - n; return *at; }
int waits_moved(volatile int *p, int n) { int i = 0; while (!p[i]) i = (i + 1) % n; return i; }
int waits_reset(volatile char *s)
{
	volatile char *at;
	for (;;)
		for (at = s; at < s + 8; at++)
			if (*at)
				return *at;
}
int waits_swap(int *p, int n) { while (__sync_lock_test_and_set(&plain, n) != n) ; return *p; }
int waits_float(volatile double *p) { while (*p < 1.5) ; return 1; }

int ends_none(int *p) { return *p + 1; }
int ends_counted(int *p, int n) { int sum = 0; for (int i = 0; i < n; i++) sum += i * i; return sum + *p; }
int ends_array(const int *p, int n) { int sum = 0; for (int i = 0; i < n; i++) sum += p[i]; return sum; }
int ends_string(const char *s) { int n = 0; while (*s++) n++; return n; }
int ends_found(const int *p, int n, int x) { for (int i = 0; i < n; i++) if (p[i] == x) return i; return -1; }
int ends_table(int x) { int i = 0; while (i < 8 && table[i] != x) i++; return i; }
unsigned long ends_digits(unsigned long n, int *p) { int count = 0; while (n) { n /= 10; count++; } return *p = count; }
int ends_fill(int *p, int n) { for (int i = 0; i < n; i++) p[i] = i; return n; }
double ends_matrix(const double *a, const double *b, double *c, int n)
{
	for (int i = 0; i < n; i++)
		for (int j = 0; j < n; j++) {
			double sum = 0;
			for (int k = 0; k < n; k++)
				sum += a[i * n + k] * b[k * n + j];
			c[i * n + j] = sum;
		}
	return c[0];
}
int ends_nearest(const double *p, double x)
{
	int best = 0;
	double least = 1e300;
	for (int i = 0; i < 20; i++) {
		double d = (p[0] - table[i & 7] * x) * (p[1] - x * i);
		if (d < least) {
			least = d;
			best = i;
		}
	}
	return best;
}
unsigned long ends_gcd(unsigned long a, unsigned long b) { while (b) { unsigned long t = a % b; a = b; b = t; } return a; }
int ends_copy(char *to, const char *from) { char *start = to; while ((*to++ = *from++)) ; return to - start; }
int ends_calls(int *p, int n) { int sum = 0; for (int i = 0; i < n; i++) sum += asks(p); return sum; }
int ends_buffer(int n)
{
	int a[16], s = 0;
	for (int i = 0; i < 16; i++) a[i] = i * n;
	for (int i = 0; i < 16; i++) s ^= a[i];
	return s;
}

// Functions that only compute, and one that does not: calls are not looked into.
static __attribute__((noinline)) int digit(unsigned long n, int at) { return table[n >> 3 * at & 7]; }
static __attribute__((noinline)) int digits(unsigned long n) { int all = 0; for (int i = 0; i < 9; i++) all += digit(n, i); return all; }
static __attribute__((noinline)) int digit_now(unsigned long n, int at) { return n >> at & flag; }
static __attribute__((noinline)) int digits_now(unsigned long n) { return digit_now(n, 2) + digit_now(n, 3); }
int waits_computed(unsigned long n, int *p) { int i = 0; while (digits(n) < digits_now(n)) i++; return i; }
int waits_argument(volatile double *p, int n) { while (digit(*p, 2) != n) ; return n; }

// Counters that lie in the frame during a call of some rounds.
#ifdef __clang__
#define noipa noinline
#endif
static __attribute__((noinline, noipa)) int tells(unsigned long n, int at) { return n >> at & flag; } // by the calling convention
unsigned long ends_spilled(unsigned long h, int n)
{
	int found = 0;
	for (int at = 42 + 3 * (n & 1); at != 0; at -= 3) {
		h = (h & ~(7ul << at)) | (unsigned long)table[h >> at & 7] << at;
		if (!found && (h >> at & 7)) {
			found = 1;
			if (tells(h, 1) == 1)
				h ^= (unsigned long)tells(h, 2);
		}
	}
	return h;
}
static __attribute__((noinline)) void moves(int *p) { *p -= flag; }
int waits_passed(int *p, int n) { int i = n; do { i += 3; moves(&i); } while (i != 0); return *p; }
struct { int *first, *second; } pair;
int waits_paired(int n) { int i = n; pair.first = pair.second = &i; do { i += 3; tells(n, 1); } while (i != 0); return n; }
unsigned long waits_ways(unsigned long h, int n)
{
	for (int at = n; at != 0;) {
		h ^= 7ul << at;
		if (tells(h, 1)) {
			at -= 3;
			h ^= (unsigned long)tells(h, 2);
		} else {
			at += 6;
			h += (unsigned long)tells(h, 3);
		}
		h ^= (unsigned long)tells(h, 4) << at;
	}
	return h;
}
unsigned long waits_again(unsigned long h, int n)
{
	for (int at = 42; at != 0; at -= 3) {
		h = (h & ~(7ul << at)) | (unsigned long)table[h >> at & 7] << at;
		if ((h >> at & 7) && tells(h, 1))
			at = n;
	}
	return h;
}
unsigned long waits_upper(unsigned long x, unsigned long y) // a half that some ways clear
{
	do {
		if (tells(y, 1)) {
			x = (unsigned)x;
			tells(y, 2);
		} else
			tells(y, 3);
	} while (x > y);
	return x;
}
unsigned long waits_upper_half(unsigned long x) { while (x >> 32) if (flag) x = (unsigned)x; return x; }
int waits_indexed(int n)
{
	int a[4] = {n, n, n, n}, x = n;
	do {
		a[0] = x -= 3;
		a[tells(x, 1) & 3] = n;
		x = a[0];
	} while (x != 0);
	return a[1];
}
int waits_ordered(int n)
{
	int i, x = n;
	do {
		*(volatile int *)&i = x -= 3;
		__atomic_store_n(&i, tells(x, 1), __ATOMIC_RELEASE);
		x = *(volatile int *)&i;
	} while (x != 0);
	return n;
}
static __attribute__((noinline, noipa)) long use(long a, long b, long c, long d, long e, long f, long g)
{
	return a ^ b ^ c ^ d ^ e ^ f ^ (flag ? *pair.first -= 1 : g);
}
long waits_pressed(int n, long a, long b, long c, long d, long e, long f, long g, long h, long k)
{
	int i, x = n;
	long s = 0;
	do {
		i = x -= 3;
		pair.first = pair.second = &i;
		s = ((s + use(a, b, c, d, e, f, g) * a + b) ^ h) + k;
		use(s, c, b, a, f, e, g);
		x = i;
	} while (x != 0);
	return s;
}

// Ends that are asked for only if memory says so, and none at all.
int waits_gate(int *p, int n) { while (!flag || n <= 3) ; return *p; }
int waits_gate_called(int *p, int n)
{
	for (int i = n;; i -= 3)
		if (tells(n, 1)) {
			plain++;
			if (i < 0)
				return *p;
		}
}
int waits_gates(int *p, int n)
{
	for (int i = n;;) {
		int told = tells(n, 1);
		i -= 3;
		if (told) {
			plain++;
			if (i == 0)
				return *p;
		} else {
			plain--;
			if (i == 6)
				return *p;
		}
	}
}
void waits_ever(int *p) { for (;;) tells(*p, 1); }
