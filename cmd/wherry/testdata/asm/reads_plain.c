__asm__(".data\n.include \"testdata/asm/value.inc\"\n.text");
