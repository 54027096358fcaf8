//go:build cgo

package handle_test

import (
	"fmt"

	"github.com/wherrygo/wherry/handle/internal/cexample"
)

// A C library keeps a callback and its void *userdata, which is the handle of
// a Go func, and calls it with them:
//
//	func Subscribe(f func(line int)) Subscription {
//		return Subscription{C.subscribe(C.line_fn(), handle.New(&f).Pointer())}
//	}
//
//	//export cexampleLine
//	func cexampleLine(line C.int, userdata unsafe.Pointer) {
//		f := handle.Typed[func(int)](handle.FromPointer(userdata)).Value()
//		(*f)(int(line))
//	}
//
//	func (s Subscription) Close() {
//		handle.FromPointer(C.unsubscribe(s.c)).Delete()
//	}
//
// The C side is in handle/internal/cexample.
func ExampleFromPointer() {
	sum := 0
	s := cexample.Subscribe(func(line int) { sum += line })
	s.Publish(1)
	s.Publish(41)
	s.Close()
	fmt.Println(sum)
	// Output: 42
}
