static jmp_buf place;
KEEP int not_longjmp(int x) { if (x) longjmp(place, x); return x; }
extern void __cxa_bad_cast(void) __attribute__((noreturn)); // C++: throws
KEEP int not_bad_cast(int x) { if (x) __cxa_bad_cast(); return x; }
KEEP int not_setjmp(void) { return setjmp(place); }
#if !(defined __clang__ && defined __aarch64__)
KEEP int not_builtin_longjmp(void **b, int x) { if (x == 3) __builtin_longjmp(b, 1); return x; }
#endif
