//go:build linux && (amd64 || arm64)

package purego_test

import (
	"slices"
	"testing"
	"unsafe"

	"github.com/wherrygo/wherry/callback"
	"github.com/wherrygo/wherry/direct"
)

func TestQsort(t *testing.T) {
	c, err := direct.Open("libc.so.6")
	if err != nil {
		t.Fatal(err)
	}
	compare, err := callback.New(func(a, b *int32) int32 { return *a - *b })
	if err != nil {
		t.Fatal(err)
	}
	defer compare.Release()
	data := []int32{5, 3, 9, 1, -4, 7}
	qsort := direct.MustReentrant[func(data []int32, size uint, compare unsafe.Pointer)](c.MustLookup("qsort"))
	qsort(data, 4, compare.Pointer())
	if want := []int32{-4, 1, 3, 5, 7, 9}; !slices.Equal(data, want) {
		t.Errorf("got %v, want %v", data, want)
	}
}
