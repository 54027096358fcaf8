// Measures how much stack functions of a library use: calls each on a painted
// stack, in a child under seccomp's strict mode, so that a system call other
// than read, write and exit kills it.
//
//   paint LIBRARY ROUNDS < lines of "NAME SIGNATURE"
//
// A signature has a letter for each integer argument: p a buffer, n a length
// of up to 4096, i any number, 0 zero; - is none. Floating-point arguments
// are always there. Prints "NAME BYTES", the return address included, or
// "NAME killed SIGNAL".
#define _GNU_SOURCE
#include <dlfcn.h>
#include <linux/seccomp.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#define SIZE (1 << 20)
#define PAINT 0xa5c3a5c35a3c5a3cull

static uint64_t state = 88172645463325252ull;
static uint64_t next(void) { state ^= state << 13; state ^= state >> 7; return state ^= state << 17; }

static double number(void) {
	uint64_t bits = next();
	double d;
	switch (next() % 4) {
	case 0: memcpy(&d, &bits, 8); return d; // all there are, floats too
	case 1: return (double)(int64_t)bits / 9e15;
	case 2: return (double)(bits % 2000) / 1000 - 1;
	}
	static const double special[] = {0, -0.0, 1, -1, 0.5, 1e300, 5e-324, __builtin_inf(), -__builtin_inf(), __builtin_nan("")};
	return special[bits % 10];
}

static void call(void *stack, void *f, uint64_t *arg, double *x) {
	register uint64_t *a __asm__("r12") = arg;
	register double *d __asm__("r13") = x;
	register void *s __asm__("r14") = stack;
	register void *function __asm__("r15") = f;
	__asm__ volatile(
		"fninit\n movsd (%%r13), %%xmm0\n movsd 8(%%r13), %%xmm1\n movsd 16(%%r13), %%xmm2\n movsd 24(%%r13), %%xmm3\n"
		"mov (%%r12), %%rdi\n mov 8(%%r12), %%rsi\n mov 16(%%r12), %%rdx\n mov 24(%%r12), %%rcx\n"
		"mov %%rsp, %%rbx\n mov %%r14, %%rsp\n call *%%r15\n mov %%rbx, %%rsp\n fninit\n"
		: "+r"(a), "+r"(d), "+r"(s), "+r"(function)
		:: "rax", "rbx", "rcx", "rdx", "rsi", "rdi", "r8", "r9", "r10", "r11", "memory", "cc",
		   "xmm0", "xmm1", "xmm2", "xmm3", "xmm4", "xmm5", "xmm6", "xmm7", "xmm8", "xmm9", "xmm10", "xmm11", "xmm12", "xmm13", "xmm14", "xmm15");
}

int main(int argc, char **argv) {
	void *library = dlopen(argv[1], RTLD_NOW);
	if (!library) return fprintf(stderr, "%s\n", dlerror()), 2;
	int rounds = atoi(argv[2]);
	uint64_t *shared = mmap(0, SIZE + 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	unsigned char *buffers = mmap(0, 4 << 20, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	char name[256], signature[16];
	while (scanf("%255s %15s", name, signature) == 2) {
		void *f = dlsym(library, name);
		if (!f) { printf("%s missing\n", name); continue; }
		fflush(stdout);
		shared[0] = 0;
		for (size_t i = 512; i < (SIZE + 4096) / 8; i++) shared[i] = PAINT;
		pid_t child = fork();
		if (!child) {
			alarm(30);
			prctl(PR_SET_SECCOMP, SECCOMP_MODE_STRICT);
			for (int r = 0; r < rounds; r++) {
				uint64_t arg[4] = {(uint64_t)buffers, (uint64_t)buffers + (1 << 20), (uint64_t)buffers + (2 << 20), (uint64_t)buffers + (3 << 20)};
				for (int k = 0; k < 4 && signature[k] && signature[k] != '-'; k++)
					switch (signature[k]) {
					case 'n': arg[k] = next() % 4097; break;
					case 'i': arg[k] = next(); break;
					case '0': arg[k] = 0; break;
					case 'p': for (int n = 0; n < 64; n++) buffers[(k << 20) + n] = next() >> 8; buffers[(k << 20) + 64] = 0;
					}
				double x[4] = {number(), number(), number(), number()};
				call((char *)shared + SIZE, f, arg, x);
			}
			shared[0] = 1;
			syscall(SYS_exit, 0);
		}
		int status;
		waitpid(child, &status, 0);
		if (WIFSIGNALED(status) || !shared[0]) { printf("%s killed %d\n", name, WTERMSIG(status)); continue; }
		size_t low = 512;
		while (low < SIZE / 8 && shared[low] == PAINT) low++;
		printf("%s %zu\n", name, SIZE - low * 8);
	}
	return 0;
}
