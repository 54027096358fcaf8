asm(".data\n\x2eincbin \"testdata/asm/value.bin\"\n.text");
