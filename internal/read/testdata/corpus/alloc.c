static __thread int counter;
KEEP int alloc_tls(void) { return ++counter; }
KEEP int not_malloc(void) { char *p = malloc(10); if (!p) return 0; p[0] = 1; *(char *volatile *)&p = p; return p[0]; }
KEEP void not_free(void *p) { free(p); }
