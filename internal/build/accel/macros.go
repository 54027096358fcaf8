package accel

import (
	"fmt"
	"strings"
)

// What wherry adds to a package's C files stands below its preamble, whose
// macros may have the names of C's own words: where extern is empty, a
// declaration is a definition. So such macros are put aside around it.
var cWords = strings.Fields("extern static typedef struct if return __thread __inline__ __asm__ __attribute__ __builtin_memcpy __builtin_expect __builtin_frame_address " +
	"__aligned__ __always_inline__ __hidden__ __noinline__ __section__ __tls_model__ __unused__ __used__ __visibility__ __weak__")

// unmacroed returns C text in which they do not count.
func unmacroed(text string) string {
	var before, after strings.Builder
	for _, word := range cWords {
		fmt.Fprintf(&before, "#pragma push_macro(%q)\n#undef %s\n", word, word)
		fmt.Fprintf(&after, "#pragma pop_macro(%q)\n", word)
	}
	return "\n" + before.String() + text + after.String()
}
