// Functions that fault where what they are passed is not aligned at more than a word
// (strict_), on x86-64, and functions that use vectors, but not so (loose_). TestStrict.

#include <string.h>

typedef float four __attribute__((vector_size(16)));
typedef struct { char c; four v; } with_vector;
typedef struct { with_vector v; char c; } __attribute__((packed)) packed;

static four table[16];
static const four constants[16] = {{1, 2, 3, 4}, {5, 6}};
extern void uses(four *);

static __attribute__((noinline)) with_vector make(float f) { return (with_vector){1, {f, f, f, f}}; }
static __attribute__((noinline)) void copy(void *to, const four *v) { four w = *v + *v; memcpy(to, &w, sizeof w); }

void strict_load(float *to, const float *p) { copy(to, (const four *)p); }
void strict_store(char *p) { *(four *)p = (four){1, 2, 3, 4}; }
void strict_member(packed *p, float f) { p->v = make(f); }
void strict_loop(float *p, int n)
{
	four *v = (four *)p;
	for (int i = 0; i < n; i++)
		v[i] += v[i] * v[0];
}
void strict_far(float *p, int n)
{
	four v[4] = {{1}, {2}};
	for (int i = 0; i < n; i++)
		((four *)p)[i] = v[i & 3];
}
long strict_handed(char **p, int n) { *(four *)p[n] = (four){1}; return n; }

float loose_frame(int n)
{
	volatile four v[8];
	for (int i = 0; i < 8; i++)
		v[i] = (four){n, i};
	return v[n & 7][1];
}
float loose_walk(int n)
{
	four v[64];
	for (four *p = v; p < v + 64; p++)
		*p = (four){n, 1, 2, 3};
	__asm__ volatile("" :: "r"(v) : "memory");
	return v[n & 63][1];
}
float loose_table(int n) { return table[n & 15][1] + constants[3][0]; }
void loose_static(int n) { for (int i = 0; i < 4; i++) table[i] = constants[n & 15]; }
float loose_copy(const float *p) { four v; memcpy(&v, p, sizeof v); v += v; return v[0] + v[3]; }
double loose_scalar(double *p) { p[0] += p[1] * p[2]; return p[0]; }
void loose_longs(unsigned long *p, unsigned long n) { for (int i = 0; i < 8; i++) p[i] += n; }
