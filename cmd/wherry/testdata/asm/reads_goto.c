void f(void) {
	asm volatile goto(".pushsection .data\n.incbin \"testdata/asm/value.bin\"\n.popsection" : : : : out);
out:;
}
