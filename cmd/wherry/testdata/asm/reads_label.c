extern int part __asm__(".incbin");
void f(void) { __asm__(".pushsection .data\n%c0 \"testdata/asm/value.bin\"\n.popsection" : : "i"(&part)); }
