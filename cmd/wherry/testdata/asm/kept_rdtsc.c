/* as in sqlite */
__inline__ unsigned long f(void) {
	unsigned int lo, hi;
	__asm__ __volatile__ ("rdtsc" : "=a" (lo), "=d" (hi));
	return ((unsigned long)hi << 32) | lo;
}
