//go:build linux && (amd64 || arm64) && go1.24 && !go1.28 && !msan && !asan

package self

import (
	"reflect"
	"strings"
	"testing"
	"unsafe"
)

// As the assembly wants them.
type (
	goodG struct {
		stack       struct{ lo, hi uintptr }
		stackguard0 uintptr
		_           [3]uintptr
		m           *goodM
		sched       struct{ sp, pc uintptr }
		throwsplit  bool
	}
	goodM struct {
		g0             *goodG
		_              [5]uintptr
		vdsoSP, vdsoPC uintptr
	}
)

// Each check of the runtime's types and of its live values fails where it does
// not hold; then calls are slow.
func TestWrongOffsets(t *testing.T) {
	if err := load(); err != nil {
		t.Fatalf("with the runtime's own: %v", err)
	}
	if unsafe.Offsetof(goodG{}.stack)+16 != GStackGuard0 || unsafe.Offsetof(goodG{}.stackguard0) != GStackGuard0 ||
		unsafe.Offsetof(goodG{}.m) != GM ||
		unsafe.Offsetof(goodG{}.sched) != GSchedSP || unsafe.Offsetof(goodM{}.g0) != MG0 || unsafe.Offsetof(goodM{}.vdsoPC) != 56 {
		t.Fatal("the types of this test do not agree with the assembly")
	}
	good := offsets{unsafe.Offsetof(goodM{}.vdsoSP), unsafe.Offsetof(goodG{}.throwsplit)}
	if err := good.verify(reflect.TypeFor[goodG](), reflect.TypeFor[goodM]()); err != nil {
		t.Errorf("with types that agree: %v", err)
	}
	g, m := reflect.TypeFor[goodG](), reflect.TypeFor[goodM]()
	for _, test := range []struct {
		g, m reflect.Type
		want string
	}{
		{reflect.TypeFor[struct{ _, stackguard0 uintptr }](), m, "has no field stack"},
		{reflect.TypeFor[struct{ stack uintptr }](), m, "is no struct"},
		{reflect.TypeFor[struct {
			_     uintptr
			stack struct{ lo, hi uintptr }
		}](), m, "at offset 8, want 0"},
		{reflect.TypeFor[struct {
			stack          struct{ lo, hi uintptr }
			_, stackguard0 uintptr
		}](), m, "stackguard0] at offset 24, want 16"},
		{reflect.TypeFor[struct {
			stack       struct{ lo, hi uintptr }
			stackguard0 uint32
		}](), m, "has 4 bytes, want 8"},
		{g, reflect.TypeFor[struct{ _, g0 *goodG }](), "g0] at offset 8, want 0"},
		{g, reflect.TypeFor[struct {
			g0 *goodG
		}](), "has no field vdsoSP"},
		{g, reflect.TypeFor[struct {
			g0                *goodG
			_                 [5]uintptr
			vdsoSP, _, vdsoPC uintptr
		}](), "vdsoPC] at offset 64, want 56"},
	} {
		if err := good.verify(test.g, test.m); err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%v, %v: got %v, want %q", test.g, test.m, err, test.want)
		}
	}
	// Offsets of words that are not zero in the running thread.
	goroutine, _ := getg()
	for _, test := range []struct {
		o    offsets
		want string
	}{
		{offsets{MG0, GThrowSplit}, "vdsoSP is set"},
		{offsets{MVdsoSP, notZero(goroutine)}, "throwsplit is set"},
	} {
		if err := test.o.live(); err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%+v: got %v, want %q", test.o, err, test.want)
		}
	}
	if err := versioned.live(); err != nil {
		t.Errorf("the right ones: %v", err)
	}
}

// notZero returns where the goroutine's g.m, which is the same for a while, has a
// byte that is not zero.
func notZero(goroutine uintptr) uintptr {
	for at := uintptr(GM); ; at++ {
		p := goroutine + at
		if **(**byte)(unsafe.Pointer(&p)) != 0 {
			return at
		}
	}
}
