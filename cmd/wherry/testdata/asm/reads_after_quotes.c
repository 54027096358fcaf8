#pragma GCC diagnostic ignored "-Wall"
char c[] = "\\\"asm("; char d = '\''; char e = '"'; asm(".data\n.incbin \"testdata/asm/value.bin\"\n.text"); char f = '"';
