asm(".data\n.i\156cbin \"testdata/asm/value.bin\"\n.text");
