// Compiled with -fsplit-stack: a function that finds its stack too small takes more memory for it.
#include "_cgo_export.h"
#include <string.h>
static long (*volatile fn)(long, long);
__attribute__((noinline)) long deep(long n) {
	volatile char a[2048]; memset((void *)a, 1, sizeof a);
	return n == 0 ? a[5] : deep(n - 1) + a[n % 2048];
}
long back(long n) { fn = goAdd; long s = 0; while (n--) s += fn(n, 1); return s; }
long both(long n) { fn = goAdd; return fn(1, 2) + deep(n); }
