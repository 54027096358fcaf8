asm(".data; label: .incbin \"testdata/asm/value.bin\"; .text");
