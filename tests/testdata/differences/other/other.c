extern void goFromC(void);
int armed;
void free(void *p) { (void)p; if (armed) { armed = 0; goFromC(); } }
int hook(int n) { if (n == 40) goFromC(); return n + 2; }
