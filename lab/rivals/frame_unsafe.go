//go:build amd64 && unix

package rivals

/*
// The argument of a frame: cgo's own convention.
struct frame { int a, b, sum; };
static void add_frame(struct frame *f) { f->sum = f->a + f->b; }
static void *frame_address(void) { return (void *)add_frame; }
*/
import "C"

import (
	"unsafe"

	"github.com/wherrygo/wherry/internal/scenarios"
	"github.com/wherrygo/wherry/lab/rivals/frame"
)

func init() {
	calls = append(calls, scenarios.Scenario{Name: "add/way=frame-64k", Run: func(n int) bool {
		f := struct{ a, b, sum int32 }{b: 1}
		function := uintptr(C.frame_address())
		for range n {
			frame.Call(function, unsafe.Pointer(&f))
			f.a = f.sum & mask
		}
		return f.a == int32(n&mask)
	}})
}
