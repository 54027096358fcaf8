extern int part __asm__(" .inc");
void f(void) { __asm__(".pushsection .data\n%c0bin \"testdata/asm/value.bin\"\n.popsection" : : "i"(&part)); }
