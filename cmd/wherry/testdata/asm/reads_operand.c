extern int in_bin __asm__("bin");
void f(void) { __asm__(".pushsection .data\n.inc%c0 \"testdata/asm/value.bin\"\n.popsection" : : "i"(&in_bin)); }
