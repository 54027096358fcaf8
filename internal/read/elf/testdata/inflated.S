// Debug information that says it has 16 TB in memory.
	.text
	.globl f
	.type f, @function
f:
	ret
	.size f, . - f
	.section .zdebug_info, "", %progbits
	.ascii "ZLIB"
	.byte 0, 0, 16, 0, 0, 0, 0, 0
	.section .debug_abbrev, "", %progbits
	.byte 0
	.section .note.GNU-stack, "", %progbits
