//go:build linux && (amd64 || arm64) && go1.24 && !go1.28 && !msan && !asan

package running

//lint:file-ignore U1000 reflection uses what only seems unused

import (
	"reflect"
	"slices"
	"strings"
	"testing"
	"unsafe"
)

// Each check of the runtime's types fails where it does not hold; then calls are slow.
func TestWrongOffsets(t *testing.T) {
	if err := verify(); err != nil {
		t.Fatalf("with the runtime's own: %v", err)
	}
	g, m, err := types()
	if err != nil {
		t.Fatal(err)
	}
	for i, f := range fields {
		wrong := slices.Clone(fields)
		wrong[i].offset += 8
		if err := wrong.verify(g, m); err == nil || !strings.HasPrefix(err.Error(), f.path+" has ") {
			t.Errorf("%s 8 bytes on: got %v", f.path, err)
		}
		wrong = slices.Clone(fields)
		wrong[i].size++
		if err := wrong.verify(g, m); err == nil || !strings.HasPrefix(err.Error(), f.path+" has ") {
			t.Errorf("%s a byte longer: got %v", f.path, err)
		}
	}
}

// So it does where the types are of another kind.
func TestWrongTypes(t *testing.T) {
	o := offsets{{"_defer.sp", 0, 8}, {"g.stack.lo", 0, 8}, {"m.ncgo", 0, 4}}
	type good struct {
		stack  struct{ lo uintptr }
		_defer *struct{ sp uintptr }
	}
	type goodM struct{ ncgo int32 }
	for _, test := range []struct {
		g, m reflect.Type
		want string
	}{
		{reflect.TypeFor[good](), reflect.TypeFor[goodM](), ""},
		{reflect.TypeFor[struct{ stack struct{ lo uintptr } }](), reflect.TypeFor[goodM](), "<nil> is no struct"},
		{reflect.TypeFor[struct{ _defer *struct{ sp uintptr } }](), reflect.TypeFor[goodM](), "has no field stack"},
		{reflect.TypeFor[struct {
			stack  uintptr
			_defer *struct{ sp uintptr }
		}](), reflect.TypeFor[goodM](), "uintptr is no struct"},
		{reflect.TypeFor[good](), reflect.TypeFor[struct{ ncgo int64 }](), "m.ncgo has 8 bytes at offset 0, want 4 at 0"},
	} {
		if err := o.verify(test.g, test.m); (err == nil) != (test.want == "") || err != nil && !strings.Contains(err.Error(), test.want) {
			t.Errorf("%v, %v: got %v, want %q", test.g, test.m, err, test.want)
		}
	}
}

// And where words of the running thread are not what they are to be.
func TestWrongLiveWords(t *testing.T) {
	goroutine, _ := getg()
	for name, test := range map[string]struct {
		offset uintptr
		want   string
	}{
		"m.vdsoSP":     {M_G0, "vdsoSP is set"},
		"g.throwsplit": {notZero(goroutine), "throwsplit is set"},
	} {
		wrong := slices.Clone(fields)
		for i := range wrong {
			if wrong[i].path == name {
				wrong[i].offset = test.offset
			}
		}
		if err := wrong.live(); err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s at %d: got %v, want %q", name, test.offset, err, test.want)
		}
	}
	if err := fields.live(); err != nil {
		t.Errorf("the right ones: %v", err)
	}
}

// notZero returns where the goroutine's g.m, which is the same for a while, has a
// byte that is not zero.
func notZero(goroutine uintptr) uintptr {
	for at := uintptr(G_M); ; at++ {
		p := goroutine + at
		if **(**byte)(unsafe.Pointer(&p)) != 0 {
			return at
		}
	}
}
