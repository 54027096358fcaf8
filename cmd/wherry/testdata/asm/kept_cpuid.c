/* as in zstd */
void f(unsigned *o) {
	unsigned f1a, f1b, f1c, f1d;
	__asm__("cpuid" : "=a"(f1a), "=b"(f1b), "=c"(f1c), "=d"(f1d) : "a"(1));
	__asm__ volatile("push %%rbx\n\tpop %%rbx # \"nothing\"" : : : "memory");
	o[0] = f1b;
}
