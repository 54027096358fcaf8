asm(".rept 2\nnop\n.endr");
