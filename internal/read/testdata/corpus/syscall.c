KEEP long not_syscall(long n) { return syscall(n, 0) + 1; }
#if defined __x86_64__
KEEP long not_inline_syscall(void) { long r; __asm__ volatile("syscall" : "=a"(r) : "a"(24L) : "rcx", "r11", "memory"); return r; }
KEEP long not_inline_syscall_number(long n) { long r; __asm__ volatile("syscall" : "=a"(r) : "a"(n) : "rcx", "r11", "memory"); return r; }
KEEP long not_int80(void) { long r; __asm__ volatile("int $0x80" : "=a"(r) : "a"(20L) : "memory"); return r; }
#elif defined __aarch64__
KEEP long not_inline_syscall(void) { register long r __asm__("x0"); register long n __asm__("x8") = 124;
	__asm__ volatile("svc 0" : "=r"(r) : "r"(n) : "memory"); return r; }
KEEP long not_inline_syscall_number(long k) {
	register long r __asm__("x0"); register long n __asm__("x8") = k; __asm__ volatile("svc 0" : "=r"(r) : "r"(n) : "memory"); return r; }
#endif
