package main

// #include "types.h"
import "C"

import (
	"fmt"
	"unsafe"
)

var cell [8]byte

var state = uint64(0x9E3779B97F4A7C15)

func next() uint64 { state ^= state << 13; state ^= state >> 7; state ^= state << 17; return state }

func show(name string, v ...any) {
	for i := range v {
		switch p := v[i].(type) { // addresses differ between two programs, what they point at does not
		case unsafe.Pointer:
			v[i] = *(*byte)(p)
		case *C.char:
			v[i] = *p
		case C.function:
			v[i] = *(*byte)(unsafe.Pointer(p))
		case C.struct_bits: // behind x are bits that nobody wrote
			v[i] = p.x
		}
	}
	fmt.Println(name, fmt.Sprintf("%v", v))
}
