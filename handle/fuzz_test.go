package handle_test

import (
	"errors"
	"testing"

	"github.com/wherrygo/wherry/handle"
)

// FuzzModel reads operations from bytes and compares every result with a
// map of the live handles and a list of the dead ones.
func FuzzModel(f *testing.F) {
	f.Add([]byte{0, 1, 0, 2, 1, 0, 2, 0, 3, 0, 4, 1, 5, 9, 6, 3})
	f.Add([]byte("0a0b0c0d1a1a0e2b2b0f0g0h3c3d4z5z"))
	f.Add([]byte{0, 0, 7, 200, 8, 200, 7, 100, 3, 0, 3, 1})
	f.Fuzz(func(t *testing.T, ops []byte) {
		m := model{t: t, live: map[handle.Handle]int{}, dead: map[handle.Handle]bool{}}
		for i := 0; i+1 < len(ops); i += 2 {
			m.do(ops[i], int(ops[i+1]))
		}
		for _, h := range m.order {
			h.Delete()
		}
		if handle.Len() != 0 {
			t.Fatalf("Len is %d in the end, want 0", handle.Len())
		}
		if p := handle.CheckLists(); p != "" {
			t.Fatal(p)
		}
	})
}

type model struct {
	t     *testing.T
	live  map[handle.Handle]int
	order []handle.Handle // live ones
	gone  []handle.Handle
	dead  map[handle.Handle]bool
	next  int
}

func (m *model) do(op byte, arg int) {
	switch op % 9 {
	case 0:
		m.create()
	case 1:
		if len(m.order) != 0 {
			m.delete(arg % len(m.order))
		}
	case 2:
		if len(m.order) != 0 {
			m.expect(m.order[arg%len(m.order)])
		}
	case 3:
		if len(m.gone) != 0 {
			m.expect(m.gone[arg%len(m.gone)])
		}
	case 4: // a forgery near a live handle
		if len(m.order) != 0 {
			m.expect(m.order[arg%len(m.order)] ^ 1<<(arg%32))
		}
	case 5: // and near a dead one
		if len(m.gone) != 0 {
			m.expect(m.gone[arg%len(m.gone)] + handle.Handle(arg%5)*handle.GenOne)
		}
	case 6:
		m.expect(handle.Handle(arg))
		if handle.Len() != len(m.live) {
			m.t.Fatalf("Len is %d, want %d", handle.Len(), len(m.live))
		}
	case 7:
		for range arg {
			m.create()
		}
	case 8:
		for range min(arg, len(m.order)) {
			m.delete(len(m.order) - 1)
		}
	}
}

func (m *model) create() {
	h := handle.NewHandle(m.next)
	if _, ok := m.live[h]; ok || m.dead[h] || h == 0 {
		m.t.Fatalf("%#x was issued before", h)
	}
	m.live[h] = m.next
	m.order = append(m.order, h)
	m.next++
}

func (m *model) delete(i int) {
	h := m.order[i]
	last := len(m.order) - 1
	m.order[i] = m.order[last]
	m.order = m.order[:last]
	delete(m.live, h)
	m.dead[h] = true
	m.gone = append(m.gone, h)
	h.Delete()
	m.expect(h)
}

// expect compares all that can be asked about h with the model.
func (m *model) expect(h handle.Handle) {
	want, live := m.live[h]
	v, ok := h.Lookup()
	if ok != live || ok && v != want {
		m.t.Fatalf("Lookup of %#x is %v, %v; want %v, %v", h, v, ok, want, live)
	}
	if handle.FromPointer(h.Pointer()) != h && (live || m.dead[h]) {
		m.t.Fatalf("%#x does not survive as a pointer", h)
	}
	if live {
		return
	}
	kind := handle.ErrNeverIssued
	switch {
	case h == 0:
		kind = handle.ErrZero
	case m.dead[h]:
		kind = handle.ErrDeleted
	}
	for _, f := range []func(){h.Delete, func() { h.Value() }} {
		// A handle of an earlier run is deleted too, though not in m.dead.
		if e := caught(m.t, f); !errors.Is(e, kind) && !(kind == handle.ErrNeverIssued && errors.Is(e, handle.ErrDeleted)) {
			m.t.Fatalf("%#x: %v, want %v", h, e, kind)
		}
	}
}
