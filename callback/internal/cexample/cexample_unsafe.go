//go:build linux

// Package cexample has C functions that call back, for the tests of package
// callback.
package cexample

/*
#cgo LDFLAGS: -lpthread
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

typedef long (*unary)(long);
static long apply(unary f, long n) { long s = 0; for (long i = 0; i < n; i++) s += f(i); return s; }

// Most of its time is between the callbacks.
static long apply_slowly(unary f, long n) {
	long s = 0;
	for (long i = 0; i < n; i++) {
		s += f(i);
		for (volatile int k = 0; k < 3000; k++) {}
	}
	return s;
}

struct job { unary f; long n, result; };
static void *run(void *p) { struct job *j = p; j->result = apply(j->f, j->n); return 0; }
static long on_thread(unary f, long n) {
	struct job j = {f, n};
	pthread_t t;
	if (pthread_create(&t, 0, run, &j)) return -1;
	pthread_join(t, 0);
	return j.result;
}

typedef double (*floats)(double, float, double);
static double give_floats(floats f) { return f(1.5, 2.25f, -3); }
typedef _Bool (*narrow)(signed char, unsigned char, short, unsigned short, int, unsigned);
static int give_narrow(narrow f) { return f(-1, 255, -2, 65535, -3, 4294967295u); }
typedef long (*many)(long, long, long, long, long, long, long, signed char, double, double, double, double, double,
	double, double, double, float);
static long give_many(many f) { return f(1, 2, 3, 4, 5, 6, 7, -8, 1, 2, 3, 4, 5, 6, 7, 8, 9.5f); }
typedef double (*registers)(long, double, const char *, float, short, double, long, float, double, int, double, float,
	double, long);
static double give_registers(registers f) {
	return f(1, 1.5, "abc", 2.5f, -3, 3.5, 4, 4.5f, 5.5, 5, 6.5, 7.5f, 8.5, 6);
}
struct pair { long a; double b; };
struct small { char a; short b; float c; };
struct quad { float a, b, c, d; };
typedef struct quad (*quads)(struct quad, float);
static double give_quads(quads f) {
	struct quad q = f((struct quad){1, 2, 3, 4}, 0.5);
	return 1000 * q.a + 100 * q.b + 10 * q.c + q.d;
}
typedef struct pair (*pairs)(struct pair, struct small);
static double give_pairs(pairs f) {
	struct pair p = f((struct pair){3, 4.5}, (struct small){1, -2, 0.5});
	return p.a * 1000 + p.b;
}
#ifdef __aarch64__
#define FLOAT(x) "+w"(x)
#else
#define FLOAT(x) "+x"(x)
#endif
// Registers that C's callers rely on survive a callback.
static long preserved(unary f) {
	long a = 1, b = 2, c = 3, d = 4, e = 5, s = 0;
	double u = 1, v = 2, w = 3, x = 4; // arm64 has registers that C preserves for them too
	for (int i = 0; i < 100; i++) {
		s += f(i);
		a += 1; b += a; c += b; d += c; e += d;
		__asm__ volatile("" : "+r"(a), "+r"(b), "+r"(c), "+r"(d), "+r"(e));
		u += 1; v += 2; w += 3; x += 4;
		__asm__ volatile("" : FLOAT(u), FLOAT(v), FLOAT(w), FLOAT(x));
	}
	return u == 101 && v == 202 && w == 303 && x == 404 ? s + a + b + c + d + e : -1;
}
static void sort(void *base, long n, long size, int (*compare)(const void *, const void *)) { qsort(base, n, size, compare); }
static long deep(long n) { volatile char frame[1000]; frame[0] = n; return n == 0 ? 0 : deep(n - 1) + frame[0] - (char)n + 1; }
static struct { const char *name; void *address; } all[] = {
	{"apply", apply}, {"apply_slowly", apply_slowly}, {"give_floats", give_floats}, {"give_narrow", give_narrow},
	{"give_many", give_many}, {"give_registers", give_registers},
	{"give_pairs", give_pairs}, {"give_quads", give_quads}, {"preserved", preserved}, {"sort", sort}, {"deep", deep},
};
static void *find(int i) { return all[i].address; }
static const char *name(int i) { return all[i].name; }
enum { count = sizeof all / sizeof all[0] };
*/
import "C"

import "unsafe"

// Address returns a C function by its name.
func Address(name string) unsafe.Pointer {
	for i := range C.int(C.count) {
		if C.GoString(C.name(i)) == name {
			return C.find(i)
		}
	}
	panic("no C function " + name)
}

// Apply calls the C function apply through cgo.
func Apply(f unsafe.Pointer, n int64) int64 { return int64(C.apply(C.unary(f), C.long(n))) }

// GiveRegisters calls the C function give_registers through cgo.
func GiveRegisters(f unsafe.Pointer) float64 { return float64(C.give_registers(C.registers(f))) }

// OnThread calls the C function on_thread through cgo: it waits for a thread that calls
// Go.
func OnThread(f unsafe.Pointer, n int64) int64 { return int64(C.on_thread(C.unary(f), C.long(n))) }
