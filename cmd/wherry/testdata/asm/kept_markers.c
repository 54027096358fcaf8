#include <stddef.h>
#include <limits.h>
void f(void) { __asm__("# %c0 %c1" : : "i"(NULL), "i"(INT_MAX)); }
