// Nocgo says what packages direct and callback do in a program without cgo.
package main

import (
	"errors"
	"fmt"
	"unsafe"

	"github.com/wherrygo/wherry/callback"
	"github.com/wherrygo/wherry/direct"
)

func main() {
	_, err := direct.Open("libc.so.6")
	fmt.Println(errors.Is(err, direct.ErrNoCgo), err)
	_, err = direct.Bind[func()](unsafe.Pointer(new(int)))
	fmt.Println(errors.Is(err, direct.ErrNoCgo), err)
	_, err = direct.Reentrant[func()](unsafe.Pointer(new(int)))
	fmt.Println(errors.Is(err, direct.ErrNoCgo), err)
	err = direct.Supported()
	fmt.Println(errors.Is(err, direct.ErrNoCgo), err)
	_, err = callback.New(func() {})
	fmt.Println(errors.Is(err, callback.ErrNoCgo), err)
}
