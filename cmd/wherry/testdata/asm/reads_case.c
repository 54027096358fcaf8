asm(".data\n.IncBin \"testdata/asm/value.bin\"\n.text");
