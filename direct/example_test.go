//go:build linux && cgo && (amd64 || arm64)

package direct_test

import (
	"fmt"
	"log"

	"github.com/wherrygo/wherry/direct"
)

func Example() {
	libm, err := direct.Open("libm.so.6")
	if err != nil {
		log.Fatal(err)
	}
	address, err := libm.Lookup("hypot")
	if err != nil {
		log.Fatal(err)
	}
	hypot, err := direct.Bind[func(x, y float64) float64](address)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(hypot(3, 4))
	// Output: 5
}

// The last result gets errno, as C left it.
func ExampleErrno() {
	libc, err := direct.Open("libc.so.6")
	if err != nil {
		log.Fatal(err)
	}
	parse := direct.MustBind[func(text *byte, end **byte, base int32) (int64, direct.Errno)](libc.MustLookup("strtol"))
	text := []byte("99999999999999999999\x00")
	n, errno := parse(&text[0], nil, 10)
	fmt.Println(n, errno)
	// Output: 9223372036854775807 numerical result out of range
}

func ExampleBind_refused() {
	libc, err := direct.Open("libc.so.6")
	if err != nil {
		log.Fatal(err)
	}
	_, err = direct.Bind[func(data []int32, size uint, compare func(a, b *int32) int32)](libc.MustLookup("qsort"))
	fmt.Println(err)
	// Output: direct: cannot bind func([]int32, uint, func(*int32, *int32) int32): argument 3 (func(*int32, *int32) int32): a Go func value cannot be called by C; pass the Pointer of a callback.Func
}
