static inline void f(void)
{
	__asm__ __volatile__ (".pushsection .data\n\t.incbin \"testdata/asm/value.bin\"\n\t.popsection");
}
void (*g)(void) = f;
