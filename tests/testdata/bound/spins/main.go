package main

/*
#include <stdarg.h>
extern const char _wherry_turn_first[] __attribute__((weak, visibility("hidden")));
extern const char _wherry_on_stack[] __attribute__((weak, visibility("hidden")));
static const void *first(void) { return _wherry_turn_first; }
static const void *onStack(void) { return _wherry_on_stack; }

// C with variable arguments looks into a register for how many floating-point ones there are.
static double spin(long n, ...) {
	volatile long x = 0;
	for (long i = 0; i < n; i++)
		x += i;
	va_list more;
	va_start(more, n);
	double a = va_arg(more, double), b = va_arg(more, double);
	va_end(more);
	return a / b;
}
static void *address(void) { return spin; }
*/
import "C"

import (
	"fmt"
	"time"
	"unsafe"

	"github.com/wherrygo/wherry/direct"
)

// target is what a bound func calls: internal/crossing/c has the layout.
func target(f *func(int64, float64, float64) float64) unsafe.Pointer {
	type data struct{ returns, target unsafe.Pointer }
	return (**(**struct {
		code uintptr
		data *data
	})(unsafe.Pointer(f))).data.target
}

func main() {
	spin := direct.MustBind[func(int64, float64, float64) float64](C.address())
	if target(&spin) != C.address() {
		fmt.Println("is not called fast at first")
	}
	go func() {
		for {
			time.Sleep(time.Microsecond)
		}
	}()
	for i := 0; target(&spin) != unsafe.Pointer(C.first()); i++ {
		if i == 1000 {
			fmt.Println("never goes back to cgo")
			return
		}
		if got := spin(1e7, 1, 4); got != 0.25 {
			fmt.Println("in flight: got", got)
		}
	}
	again := direct.MustReentrant[func(int64, float64, float64) float64](C.address())
	fmt.Println(target(&again) == unsafe.Pointer(C.onStack()), spin(10, 1, 8), again(10, 1, 16), again(10, 1, 32))
	for i := 0; target(&again) != unsafe.Pointer(C.first()); i++ {
		if i == 1000 {
			fmt.Println("a func of direct.Reentrant never goes back to cgo")
			return
		}
		again(1e7, 1, 4)
	}
	for i := 0; target(&again) != unsafe.Pointer(C.onStack()); i++ {
		if i == 10000 {
			fmt.Println("is never tried again")
			return
		}
		again(1, 1, 4)
	}
}
