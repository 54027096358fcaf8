// A package whose C functions other packages call, with parts of variables of theirs.
package elsewhere

import (
	"fmt"
	"unsafe"

	"example.com/m/elsewhere/numbers"
	"example.com/m/elsewhere/views"
	"example.com/m/stack"
)

type owner struct {
	n int64
	p unsafe.Pointer
	q [4]int64
}

func rest(o *owner) int64 {
	stack.Grow(2000)
	return o.n + int64(uintptr(o.p)) + o.q[0]
}

// By inference: the type has no name here.
func inferred() int64 {
	var o owner
	views.Call(numbers.Count, &o)
	return rest(&o)
}

func bytes() int64 {
	var o owner
	numbers.Fill(views.Bytes(&o))
	return rest(&o)
}

func alias() int64 {
	var o owner
	numbers.Start((*numbers.Short)(unsafe.Pointer(&o)))
	return rest(&o)
}

func returned() int64 { return numbers.Own(stack.Grow) }

// Main is run by its name.
func Main() {
	results := make(chan int64)
	for _, f := range []func() int64{inferred, bytes, alias, returned} {
		go func() { results <- f() }()
		fmt.Println(<-results)
	}
}
