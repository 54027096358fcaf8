// Functions that go on on another stack, and some that only move their stack pointer.

#if defined __x86_64__
#define FUNCTION(name, text) \
	__asm__(".globl " #name "\n.type " #name ", @function\n" #name ":\n.cfi_startproc\n" text "\n.cfi_endproc\n.size " #name ", .-" #name)
FUNCTION(other_cfi, "mov %rsp, (%rdi)\n mov (%rsi), %rsp\n ret");
FUNCTION(other_register, "mov %rdi, %rsp\n ret");
#define SWITCH "push %%rbp\n mov %%rsp, (%0)\n mov %1, %%rsp\n pop %%rbp"
#define CLOBBERS "memory"
#else
#define FUNCTION(name, text) \
	__asm__(".globl " #name "\n.type " #name ", %function\n" #name ":\n.cfi_startproc\n" text "\n.cfi_endproc\n.size " #name ", .-" #name)
FUNCTION(other_cfi, "mov x9, sp\n str x9, [x0]\n ldr x9, [x1]\n mov sp, x9\n ret");
FUNCTION(other_register, "mov sp, x0\n ret");
#define SWITCH "mov x9, sp\n str x9, [%0]\n mov sp, %1\n ldr x29, [sp]"
#define CLOBBERS "memory", "x9"
#endif

int other_inline(void **from, void *to, int x) {
	__asm__ volatile (SWITCH : : "r"(from), "r"(to) : CLOBBERS);
	return x;
}

static void fill(volatile char *p, int n) {
	while (n > 0) p[--n] = 1;
}
int own_alloca(int n) {
	volatile char *p = __builtin_alloca(n);
	fill(p, n);
	return p[0];
}
int own_array(int n) {
	int sum = 0;
	for (int i = 1; i < n; i++) {
		volatile char a[i];
		fill(a, i);
		sum += a[i - 1];
	}
	return sum;
}
int own_aligned(int n, ...) {
	_Alignas(64) volatile char a[256];
	fill(a, n);
	return a[n] + *(volatile char *)__builtin_alloca(n);
}
