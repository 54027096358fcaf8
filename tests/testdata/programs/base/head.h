#include <complex.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <pthread.h>
#include <sched.h>
#include <semaphore.h>
#include <setjmp.h>
#include <signal.h>
#include <stdalign.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/select.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <threads.h>
#include <time.h>
#include <ucontext.h>
#include <unistd.h>

static inline uint64_t mix(uint64_t h, uint64_t x) { h = (h ^ x) * 0x100000001b3u; return h ^ h >> 29; }

// Something has failed that cannot fail: the program ends.
static inline void must(int ok) { if (!ok) abort(); }

// spin computes for a while, without a call.
static inline uint64_t spin(uint64_t h, long n) { for (long i = 0; i < n; i++) h = mix(h, i); return h; }

// What signals that pieces send do.
static __thread volatile sig_atomic_t signals_caught;
static inline void on_signal(int n) { (void)n; int saved = errno; signals_caught++; poll(0, 0, 0); errno = saved; }

// The types of fields, parameters and results: for each, how one is made of a number, and
// how it is folded into one. The generator finds them by FIELD.
#define FIELD(type, make, fold) \
	static inline type make_##type(uint64_t h) { return make; } \
	static inline uint64_t fold_##type(uint64_t h, type x) { return fold; }

typedef signed char t_char;
typedef unsigned short t_short;
typedef int t_int;
typedef long t_long;
typedef unsigned long long t_ulong;
typedef float t_float;
typedef double t_double;
typedef union { long double x; } t_ldouble; // cgo has no type for it itself
typedef bool t_bool;
typedef enum { t_red = -1, t_green, t_blue } t_enum;
typedef enum { t_large = 1ll << 40, t_small = 1 } t_enum64;
typedef float _Complex t_cfloat;
typedef double _Complex t_cdouble;
typedef struct t_opaque_struct *t_opaque; // a handle: a small number
typedef void *t_handle;
typedef union { int i; float f; char c[3]; } t_union;
typedef union { void *p; uint64_t n; } t_union_pointer;
typedef struct { unsigned a : 3; int b : 9; unsigned long c : 33; } t_bits;
typedef struct { char c; long n; short s; } __attribute__((packed)) t_packed;
typedef struct { int n; } __attribute__((aligned(16))) t_aligned16;
typedef struct { unsigned char c[8]; } __attribute__((aligned(32))) t_aligned32;
typedef float t_vector __attribute__((vector_size(16)));
typedef struct { char c; t_vector v; } t_with_vector;
typedef struct { double d; struct { float f[2]; } in; } t_floats;
typedef struct { long n[5]; } t_big;
typedef struct { char c[3]; } t_three;

FIELD(t_char, (t_char)h, mix(h, x))
FIELD(t_short, (t_short)h, mix(h, x))
FIELD(t_int, (t_int)h, mix(h, x))
FIELD(t_long, (t_long)h, mix(h, x))
FIELD(t_ulong, h, mix(h, x))
FIELD(t_float, (t_float)(int16_t)h, mix(h, (int64_t)x))
FIELD(t_double, (t_double)(int32_t)h, mix(h, (int64_t)x))
FIELD(t_ldouble, (t_ldouble){.x = (long double)(int64_t)(h >> 4) / 4}, mix(h, (int64_t)(x.x * 2)))
FIELD(t_bool, h % 2, mix(h, x))
FIELD(t_enum, (t_enum)((int)(h % 3) - 1), mix(h, (int)x))
FIELD(t_enum64, h % 2 ? t_large : t_small, mix(h, x))
FIELD(t_cfloat, (int16_t)h + (int16_t)(h >> 16) * 1.0fi, mix(h, (int64_t)(crealf(x) * 3 + cimagf(x))))
FIELD(t_cdouble, (int16_t)h + (int32_t)(h >> 16) * 1.0i, mix(h, (int64_t)(creal(x) * 3 + cimag(x))))
FIELD(t_opaque, (t_opaque)(uintptr_t)(h % 4000), mix(h, (uintptr_t)x))
FIELD(t_handle, (t_handle)(uintptr_t)(h % 4000), mix(h, (uintptr_t)x))
FIELD(t_union, (t_union){.i = (int)h}, mix(h, x.i))
FIELD(t_union_pointer, (t_union_pointer){.n = h % 4000}, mix(h, x.n))
FIELD(t_bits, ((t_bits){h, (int)h, h}), mix(h, x.a + x.b * 8 + x.c * 4096))
FIELD(t_packed, ((t_packed){(char)h, (long)h, (short)h}), mix(h, x.c ^ x.n ^ x.s))
FIELD(t_aligned16, ((t_aligned16){(int)h}), mix(h, x.n))
FIELD(t_aligned32, ((t_aligned32){.c = {(unsigned char)h, 7}}), mix(h, x.c[0] + x.c[1]))
FIELD(t_vector, ((t_vector){(int16_t)h, 2, 3, (int8_t)h}), mix(h, (int64_t)(x[0] + x[1] * x[2] - x[3])))
FIELD(t_with_vector, ((t_with_vector){(char)h, {(int16_t)h, 2, 3, 4}}), mix(h, (int64_t)(x.v[0] + x.v[3]) + x.c))
FIELD(t_floats, ((t_floats){(int16_t)h, {.f = {(int8_t)h, 5}}}), mix(h, (int64_t)(x.d + x.in.f[0] * x.in.f[1])))
FIELD(t_big, ((t_big){.n = {(long)h, 1, 2, (long)~h, 4}}), mix(h, x.n[0] + x.n[3] * x.n[4]))
FIELD(t_three, ((t_three){.c = {(char)h, 1, (char)(h >> 8)}}), mix(h, x.c[0] * 3 + x.c[2]))
