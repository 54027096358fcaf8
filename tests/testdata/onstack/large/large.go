// A function that calls itself has a buffer in each of its frames, which C fills: more than a
// stack may have, were they there.
package large

/*
static void fill(char *p, int n, int c) { for (int i = 0; i < n; i += 512) p[i] = (char)c; }
*/
import "C"

import (
	"fmt"
	"runtime/debug"
)

func recurse(n int) int {
	if n == 0 {
		return 0
	}
	var buffer [100 << 10]C.char
	C.fill(&buffer[0], C.int(len(buffer)), C.int(n%100))
	at := int(buffer[512])
	return at + recurse(n-1)
}

// Main is run by its name.
func Main() {
	debug.SetMaxStack(16 << 20)
	fmt.Println(recurse(500))
}
