#include "inner.h"
int after(void) { return '"' + sizeof "asm(\"nop\")"; }
