#include <inttypes.h>
asm(".data\n." PRIi32 "ncbin \"testdata/asm/value.bin\"\n.text");
