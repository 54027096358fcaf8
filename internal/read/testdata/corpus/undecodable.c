#if defined __x86_64__
KEEP int not_an_instruction(int x) { __asm__ volatile(".byte 0x0f, 0x04"); return x; }
#elif defined __aarch64__
KEEP int not_an_instruction(int x) { __asm__ volatile(".inst 0x02000000"); return x; }
#endif
