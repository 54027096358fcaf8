void f(void) { __asm__(".pushsection .data\n.in{cb|cl}in \"testdata/asm/value.bin\"\n.popsection" : : "i"(1)); }
