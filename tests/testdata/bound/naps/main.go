package main

/*
#include <time.h>
static int nap(long ms) { struct timespec t = {0, ms * 1000000}; return nanosleep(&t, NULL) == 0 ? 0 : 1; }
static void *address(void) { return nap; }
*/
import "C"

import (
	"fmt"
	"runtime"

	"github.com/wherrygo/wherry/direct"
)

func main() {
	go func() {
		for {
			runtime.GC()
		}
	}()
	naps := []func(int64) int32{direct.MustBind[func(int64) int32](C.address()), direct.MustReentrant[func(int64) int32](C.address())}
	for _, nap := range naps {
		early := int32(0)
		for range 40 {
			early += nap(20)
		}
		fmt.Println(early <= 10)
	}
}
