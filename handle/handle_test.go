package handle_test

import (
	"errors"
	"fmt"
	"math"
	"reflect"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/wherrygo/wherry/handle"
)

func TestValues(t *testing.T) {
	handle.LeakCheck(t)
	x := 5
	type pair struct{ a, b string }
	for _, v := range []any{
		nil, 0, 42, "text", &x, pair{"a", "b"}, [0]int{}, []int{1, 2}, math.Pi,
		error(nil), (*int)(nil), map[string]int{"a": 1}, struct{}{}, [1]*int{&x},
	} {
		h := handle.NewHandle(v)
		if got := h.Value(); !reflect.DeepEqual(got, v) {
			t.Errorf("Value is %#v, want %#v", got, v)
		}
		if got, ok := h.Lookup(); !ok || !reflect.DeepEqual(got, v) {
			t.Errorf("Lookup is %#v, %v, want %#v", got, ok, v)
		}
		h.Delete()
		if got, ok := h.Lookup(); ok || got != nil {
			t.Errorf("after Delete, Lookup is %#v, %v", got, ok)
		}
	}
}

// caught runs f and returns the *Error that it panics with.
func caught(t *testing.T, f func()) (e *handle.Error) {
	t.Helper()
	defer func() {
		t.Helper()
		switch r := recover().(type) {
		case *handle.Error:
			e = r
		default:
			t.Fatalf("recovered %v, want a *handle.Error", r)
		}
	}()
	f()
	return nil
}

func TestMisuseSaysWhich(t *testing.T) {
	handle.LeakCheck(t)
	h := handle.NewHandle("live")
	defer h.Delete()
	deleted := handle.NewHandle(1)
	deleted.Delete()

	tests := []struct {
		name string
		h    handle.Handle
		kind error
	}{
		{"zero", 0, handle.ErrZero},
		{"deleted", deleted, handle.ErrDeleted},
		{"next of a free slot", deleted + handle.GenOne, handle.ErrNeverIssued},
		{"next of a live slot", h + handle.GenOne, handle.ErrNeverIssued},
		{"far ahead", max(h+handle.GenOne, h+handle.Generations/4*handle.GenOne), handle.ErrNeverIssued},
		{"small number", handle.GenOne - 2, handle.ErrNeverIssued},
		{"no slot", h | handle.IndexMask, handle.ErrNeverIssued},
		{"all bits", ^handle.Handle(0), handle.ErrNeverIssued},
	}
	if handle.TagBits != 0 {
		tests = append(tests, struct {
			name string
			h    handle.Handle
			kind error
		}{"a deleted one without its tag", deleted &^ handle.TagBits, handle.ErrNeverIssued})
	}
	for _, tt := range tests {
		if v, ok := tt.h.Lookup(); ok {
			t.Errorf("%s: Lookup found %v", tt.name, v)
		}
		for op, f := range map[string]func(){
			"Value":  func() { tt.h.Value() },
			"Delete": tt.h.Delete,
		} {
			e := caught(t, f)
			if !errors.Is(e, tt.kind) || e.Op != op || e.Handle != tt.h {
				t.Errorf("%s: %s panics with %+v, want %v", tt.name, op, e, tt.kind)
			}
			want := fmt.Sprintf("handle: %s of %#x: %v", op, uintptr(tt.h), tt.kind)
			if !strings.HasPrefix(e.Error(), want) {
				t.Errorf("%s: %q, want %q", tt.name, e, want)
			}
		}
	}
	// The word that the free slot has now belongs to its neighbour.
	if free := (deleted + handle.GenOne) ^ handle.FreeBit; free != h {
		if v, ok := free.Lookup(); ok {
			t.Errorf("the word of a free slot has the value %v", v)
		}
		caught(t, free.Delete)
	}
	if got := h.Value(); got != "live" {
		t.Errorf("misuse of others changed a live handle to %v", got)
	}
}

func TestMessageHasGenerations(t *testing.T) {
	if handle.Generations < 100 {
		t.Skip("in this build the slot may retire in the middle")
	}
	h := atHome(t)
	h.Delete()
	reuse(t, h&handle.IndexMask, nil).Delete()
	e := caught(t, func() { h.Value() })
	var has, slot int
	if _, err := fmt.Sscanf(e.Detail, "handle has generation %d, its slot %d", &has, &slot); err != nil {
		t.Fatalf("detail %q: %v", e.Detail, err)
	}
	if slot != has+2 {
		t.Errorf("generations %d and %d, want 2 more after two deletions", has, slot)
	}
}

func TestValueIsCollectedAfterDelete(t *testing.T) {
	collected := make(chan bool, 1)
	h := func() handle.Handle {
		p := new([64]byte)
		runtime.AddCleanup(p, func(int) { collected <- true }, 0)
		return handle.NewHandle(p)
	}()
	runtime.GC()
	runtime.GC()
	select {
	case <-collected:
		t.Fatal("a live handle's value was collected")
	default:
	}
	if h.Value().(*[64]byte) == nil {
		t.Fatal("lost")
	}
	h.Delete()
	runtime.GC()
	select {
	case <-collected:
	case <-time.After(10 * time.Second):
		t.Error("the value of a deleted handle is not collected")
	}
}

func TestLen(t *testing.T) {
	start := handle.Len()
	var hs []handle.Handle
	for n := range 1000 {
		if got := handle.Len() - start; got != n {
			t.Fatalf("Len is %d, want %d", got, n)
		}
		hs = append(hs, handle.NewHandle(n))
	}
	for i, h := range hs {
		h.Delete()
		if got := handle.Len() - start; got != 999-i {
			t.Fatalf("Len is %d, want %d", got, 999-i)
		}
	}
}

func TestTyped(t *testing.T) {
	handle.LeakCheck(t)
	x := 7
	h := handle.New(&x)
	if got := h.Value(); got != &x {
		t.Errorf("Value is %p, want %p", got, &x)
	}
	if got := handle.Handle(h).Value(); got != any(&x) {
		t.Errorf("Handle.Value is %v, want %p", got, &x)
	}
	if got := handle.Typed[int](handle.FromPointer(h.Pointer())).Value(); got != &x {
		t.Errorf("through a pointer: %p, want %p", got, &x)
	}

	wrong := handle.Typed[string](h)
	if p, ok := wrong.Lookup(); ok || p != nil {
		t.Errorf("Lookup as *string is %v, %v", p, ok)
	}
	for op, f := range map[string]func(){"Value": func() { wrong.Value() }, "Delete": wrong.Delete} {
		e := caught(t, f)
		if !errors.Is(e, handle.ErrType) || e.Op != op || e.Detail != "got *int, want *string" {
			t.Errorf("%s as *string panics with %v", op, e)
		}
	}

	h.Delete()
	if p, ok := h.Lookup(); ok {
		t.Errorf("after Delete, Lookup is %v", p)
	}
	if e := caught(t, h.Delete); !errors.Is(e, handle.ErrDeleted) {
		t.Errorf("second Delete panics with %v", e)
	}
	empty := handle.New[int](nil)
	if empty.Value() != nil {
		t.Error("a nil pointer became another")
	}
	empty.Delete()
}

func TestAllocations(t *testing.T) {
	x := 7
	for name, f := range map[string]func(){
		"NewHandle": func() { h := handle.NewHandle(&x); h.Value(); h.Delete() },
		"New":       func() { h := handle.New(&x); h.Value(); h.Delete() },
	} {
		if n := testing.AllocsPerRun(1000, f); n != 0 && handle.Pinned {
			t.Errorf("%s allocates %v times", name, n)
		}
	}
}
