// What the corpora of all classes share. Their functions have known answers. safe_...
// does nothing of the kind, whatever the compiler makes of it; not_... does: an
// answer of nothing is false. alloc_... is safe, but may call the allocator. loops_...
// has a loop that only another thread or time can end, which is not told from other
// loops: its result says that it has one. What depends on the compiler's choice has
// no place here.
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

#ifdef __clang__
#define KEEP __attribute__((noinline))
#else
#define KEEP __attribute__((noinline, noclone, noipa))
#endif

typedef int (*function)(int);
static int one(int x) { return x + 1; }
static int two(int x) { return usleep(x); }
