#ident "x\"\n.section .rodata\nblob: .incbin \"value.bin\"\n.ident \"y"
