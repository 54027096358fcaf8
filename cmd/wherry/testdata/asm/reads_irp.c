asm(".data\n.irp what, bin\n.inc\\what \"testdata/asm/value.bin\"\n.endr\n.text");
