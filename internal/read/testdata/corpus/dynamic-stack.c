KEEP int not_alloca(int n) { volatile char *p = alloca(n); p[0] = 1; p[n - 1] = 2; return p[0]; }
KEEP int not_vla(int n) { volatile int a[n]; a[0] = 1; a[n - 1] = 2; return a[0]; }
KEEP int not_vla_loop(int n) { int s = 0; for (int i = 1; i < n; i++) { volatile int a[i]; a[i - 1] = i; s += a[0]; } return s; }
KEEP int not_alloca_loop(int n) { int s = 0; for (int i = 1; i < n; i++) {
	volatile int *a = alloca(16); a[0] = i; s += (int)(uintptr_t)a; } return s; }
#if defined __x86_64__
KEEP void not_asm_push(void *p) { __asm__ volatile("mov %%rsp, %%rbx; mov %0, %%rsp; push %%rax; mov %%rbx, %%rsp" ::"r"(p) : "rbx",
	"memory"); }
#elif defined __aarch64__
KEEP void not_asm_sp(long n) { __asm__ volatile("sub sp, sp, %0\n str xzr, [sp]\n add sp, sp, %0" ::"r"(n) : "memory"); }
#endif
