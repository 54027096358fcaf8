__asm__(".data\n.incbin \"testdata/asm/value.bin\"\n.text");
