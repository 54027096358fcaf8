int x __attribute__((section(".data,\"aw\"\n.incbin \"testdata/asm/value.bin\"\n#"))) = 1;
