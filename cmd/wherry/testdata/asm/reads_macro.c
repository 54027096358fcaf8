asm(".macro m a b\n.\\a\\b \"testdata/asm/value.bin\"\n.endm\n.data\nm inc bin\n.text");
