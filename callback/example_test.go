//go:build linux && cgo && (amd64 || arm64)

package callback_test

import (
	"fmt"
	"log"
	"unsafe"

	"github.com/wherrygo/wherry/callback"
	"github.com/wherrygo/wherry/direct"
)

func Example() {
	libc, err := direct.Open("libc.so.6")
	if err != nil {
		log.Fatal(err)
	}
	qsort := direct.MustReentrant[func(data []int32, size uint, compare unsafe.Pointer)](libc.MustLookup("qsort"))
	descending, err := callback.New(func(a, b *int32) int32 { return *b - *a })
	if err != nil {
		log.Fatal(err)
	}
	defer descending.Release()
	data := []int32{3, 1, 4, 1, 5}
	qsort(data, 4, descending.Pointer())
	fmt.Println(data)
	// Output: [5 4 3 1 1]
}
