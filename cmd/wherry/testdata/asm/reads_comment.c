asm(".data\n/* a comment */.incbin \"testdata/asm/value.bin\"\n.text");
