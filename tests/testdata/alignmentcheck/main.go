// C that has the processor check the alignment of what it reads, while the runtime's signals come.
package main

/*
#define SET_AC(how) __asm__ volatile("leaq -128(%%rsp), %%rsp; pushfq; " how " (%%rsp); popfq; leaq 128(%%rsp), %%rsp" ::: "memory", "cc")

static long sum(long n) {
	long x = 0;
	SET_AC("orl $0x40000,");
	for (long i = 0; i < n; i++) {
		x += i;
		__asm__ volatile("" : "+r"(x));
	}
	SET_AC("andl $~0x40000,");
	return x;
}
*/
import "C"

import (
	"fmt"
	"runtime"
	"time"
)

func main() {
	go func() {
		for {
			runtime.GC()
			time.Sleep(time.Millisecond)
		}
	}()
	for range 10 {
		fmt.Println(C.sum(50_000_000))
	}
}
