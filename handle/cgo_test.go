//go:build cgo

package handle_test

import (
	"reflect"
	"runtime/cgo"
	"testing"

	"github.com/wherrygo/wherry/handle"
)

type anyHandle interface {
	Value() any
	Delete()
}

// These are runtime/cgo's tests of Handle after their description, run
// against it and against us.
var packages = []struct {
	name    string
	make    func(any) anyHandle
	number  func(anyHandle) uintptr
	fromInt func(uintptr) anyHandle
}{
	{"runtime/cgo",
		func(v any) anyHandle { return cgo.NewHandle(v) },
		func(h anyHandle) uintptr { return uintptr(h.(cgo.Handle)) },
		func(n uintptr) anyHandle { return cgo.Handle(n) }},
	{"handle",
		func(v any) anyHandle { return handle.NewHandle(v) },
		func(h anyHandle) uintptr { return uintptr(h.(handle.Handle)) },
		func(n uintptr) anyHandle { return handle.Handle(n) }},
}

func TestAsRuntimeCgo(t *testing.T) {
	x := 42
	for _, p := range packages {
		for _, v := range []any{x, &x, nil} {
			a, b := p.make(v), p.make(v)
			if p.number(a) == 0 || p.number(b) == 0 {
				t.Errorf("%s: zero handle for %v", p.name, v)
			}
			if p.number(a) == p.number(b) {
				t.Errorf("%s: two handles for %v are the same", p.name, v)
			}
			if !reflect.DeepEqual(a.Value(), v) || !reflect.DeepEqual(b.Value(), v) {
				t.Errorf("%s: values %v and %v, want %v", p.name, a.Value(), b.Value(), v)
			}
			a.Delete()
			b.Delete()
		}
	}
}

func TestMisuseAsRuntimeCgo(t *testing.T) {
	for _, p := range packages {
		live := p.make(42)
		deleted := p.make(43)
		deleted.Delete()
		for name, h := range map[string]anyHandle{
			"zero":      p.fromInt(0),
			"the next":  p.fromInt(p.number(live) + 1<<12),
			"a deleted": deleted,
		} {
			if !panics(h.Delete) {
				t.Errorf("%s: Delete of %s handle does not panic", p.name, name)
			}
			if !panics(func() { h.Value() }) {
				t.Errorf("%s: Value of %s handle does not panic", p.name, name)
			}
		}
		if live.Value() != 42 {
			t.Errorf("%s: a live handle suffered", p.name)
		}
		live.Delete()
	}
}

func panics(f func()) (yes bool) {
	defer func() { yes = recover() != nil }()
	f()
	return false
}
