asm(".altmacro\n.macro m a\n.inc&a \"testdata/asm/value.bin\"\n.endm\n.data\nm bin\n.noaltmacro\n.text");
