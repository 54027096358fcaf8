/* as in zstd's decoder */
void f(unsigned *o, int f1a) {
	unsigned f1b, f1c, f1d;
	__asm__("cpuid" : "=a"(f1a), "=b"(f1b), "=c"(f1c), "=d"(f1d) : "a"(1));
	__asm__(".p2align 6");
	__asm__(".p2align 5\nnop\n.p2align 4");
	__asm__ volatile("" : "+r"(f1b));
	o[0] = f1b;
}
