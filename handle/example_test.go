package handle_test

import (
	"errors"
	"fmt"
	"unsafe"

	"github.com/wherrygo/wherry/handle"
)

func Example() {
	h := handle.NewHandle("hello Go")
	// C has uintptr(h) meanwhile.
	fmt.Println(h.Value())
	h.Delete()
	_, ok := h.Lookup()
	fmt.Println(ok)
	// Output:
	// hello Go
	// false
}

func ExampleHandle_Pointer() {
	callback := func(userdata unsafe.Pointer) { // as C would call it
		fmt.Println(handle.FromPointer(userdata).Value())
	}
	h := handle.NewHandle(42)
	callback(h.Pointer())
	h.Delete()
	// Output: 42
}

func ExampleNew() {
	type session struct{ name string }
	h := handle.New(&session{"first"})
	defer h.Delete()

	back := handle.Typed[session](uintptr(h)) // from C
	fmt.Println(back.Value().name)
	// Output: first
}

func ExampleError() {
	h := handle.NewHandle(1)
	h.Delete()
	defer func() {
		err := recover().(error)
		fmt.Println(errors.Is(err, handle.ErrDeleted))
	}()
	h.Delete()
	// Output: true
}

func ExampleLive() {
	h := handle.NewHandle("left behind")
	for info := range handle.Live() {
		fmt.Println(info.Value)
	}
	h.Delete()
	// Output: left behind
}
