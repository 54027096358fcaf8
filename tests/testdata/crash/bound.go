package main

/*
#include <stdlib.h>
static int boundPeek(int *p) { return *p; }
static void *address(int i) { return i ? (void *)abort : (void *)boundPeek; }
*/
import "C"

import (
	"fmt"
	"unsafe"

	"github.com/wherrygo/wherry/direct"
)

func init() {
	peek := direct.MustBind[func(unsafe.Pointer) int32](C.address(0))
	stop := direct.MustBind[func()](C.address(1))
	bound = map[string]func(){
		"bound segv":  func() { fmt.Println(peek(nil)) },
		"bound abort": func() { stop() },
	}
}
