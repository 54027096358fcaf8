package abi

import (
	"reflect"
	"syscall"
	"testing"
)

// Errno comes in the register of a result's second word, so it must be free.
func TestErrnoNeedsARegister(t *testing.T) {
	for _, test := range []struct {
		f    any
		fits bool
	}{
		{func() (r int64, e syscall.Errno) { return }, true},
		{func() (r float64, e syscall.Errno) { return }, true},
		{func() (r struct{ a, b int64 }, e syscall.Errno) { return }, false},
		{func() (r struct {
			a int64
			_ int32
			b int32
		}, e syscall.Errno) {
			return
		}, false},
		{func() (r struct{ a, b int64 }) { return }, true},
	} {
		plan, err := AMD64.New(reflect.TypeOf(test.f))
		if err != nil || plan.Fits() != test.fits {
			t.Errorf("%T: got %v, %v, want %v", test.f, err == nil && plan.Fits(), err, test.fits)
		}
	}
}
