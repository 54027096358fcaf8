extern void goFromC(void);
void *armed; // one pointer: the C library frees its own too, in other threads
void free(void *p) { if (p && p == armed) { armed = 0; goFromC(); } }
int hook(int n) { if (n == 40) goFromC(); return n + 2; }
