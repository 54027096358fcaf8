//go:build linux

// Package cexample has C functions for the tests of package direct.
package cexample

/*
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <errno.h>
static int add(int a, int b) { return a + b; }
static long first(long *p) { return *p; }
static long spin(long n) { volatile long x = 0; while (x < n) x++; return x; }
static double six(long a, long b, long c, long d, long e, long f) { return a + 2*b + 4*c + 8*d + 16*e + 32*f; }
static double sum(int n, ...) { double s = 0; va_list l; va_start(l, n); while (n-- > 0) s += va_arg(l, double); va_end(l); return s; }
static long at; // 1: C is in one of the next two; 2: it may go on
static long step(long to) { if (to != 0) __atomic_store_n(&at, to, __ATOMIC_SEQ_CST); return __atomic_load_n(&at, __ATOMIC_SEQ_CST); }
static long holds(long *p) { for (step(1); step(0) != 2;); return *p; }
static long holds_second(long n, long *p) { return holds(p) + n; }
static int fail(int e) { errno = e; return -1; }
static long calls;
static void counts(void) { __atomic_fetch_add(&calls, 1, __ATOMIC_SEQ_CST); }
static long counted(void) { return __atomic_load_n(&calls, __ATOMIC_SEQ_CST); }
static struct { const char *name; void *address; } all[] = {
	{"add", add}, {"first", first}, {"spin", spin}, {"six", six}, {"sum", sum}, {"fail", fail},
	{"step", step}, {"holds", holds}, {"holds_second", holds_second},
	{"counts", counts}, {"counted", counted},
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

// Add is the same function through cgo.
func Add(a, b int32) int32 { return int32(C.add(C.int(a), C.int(b))) }
