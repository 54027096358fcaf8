#define SPLIT ".inc" /* a comment */ \
	"bin "
asm(".data\n"
	SPLIT "\"testdata/asm/value.bin\"\n"
	".text");
