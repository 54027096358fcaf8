// Command littleroom has C take a handlers' stack of so many bytes, and then a fault.
package main

// #include <signal.h>
// #include <stdlib.h>
// #include <sys/mman.h>
//
// enum { GUARD = 65536 };
//
// static void fault(int size) {
//	char *place = mmap(NULL, 2 * GUARD, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
//	mprotect(place, GUARD, PROT_NONE);
//	stack_t s = {.ss_sp = place + GUARD, .ss_size = size};
//	if (sigaltstack(&s, NULL) != 0)
//		exit(1);
//	*(volatile int *)8 = 1;
// }
import "C"

import (
	"os"
	"strconv"
)

func main() {
	size, _ := strconv.Atoi(os.Args[1])
	C.fault(C.int(size))
}
