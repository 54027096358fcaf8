package handle

import (
	"fmt"
	"iter"
	"strings"
	"sync/atomic"
)

// An Info describes a live handle.
type Info struct {
	Handle  Handle
	Value   any
	Created Stack // nil without the debug mode
}

func (i Info) String() string {
	s := fmt.Sprintf("%#x: %T", uintptr(i.Handle), i.Value)
	if i.Created != nil {
		s += ", created at\n" + i.Created.String()
	}
	return s
}

// Live iterates over the live handles, in no useful order. Handles that are
// created or deleted meanwhile may be missing. It looks at every slot that
// was ever used, a few nanoseconds each, and holds no lock while the loop's
// body runs.
func Live() iter.Seq[Info] {
	return func(yield func(Info) bool) {
		shared.mu.Lock()
		end := shared.fresh
		shared.mu.Unlock()
		for index := range end {
			s := slotAt(index)
			h := Handle(atomic.LoadUintptr(&s.word))
			if h == 0 || uint32(h&indexMask) != index {
				continue
			}
			v, ok := h.Lookup()
			if !ok {
				continue
			}
			info := Info{Handle: h, Value: v}
			if debugging {
				info.Created, _ = recorded(h)
			}
			if !yield(info) {
				return
			}
		}
	}
}

// A TB is the part of testing.TB that LeakCheck needs. Importing testing
// here would link it into every program.
type TB interface {
	Helper()
	Cleanup(func())
	Errorf(format string, args ...any)
}

// LeakCheck makes a test fail that ends with more live handles than it has
// now, and lists them. Call it first, as handles that other tests create in
// parallel count too.
func LeakCheck(t TB) {
	t.Helper()
	before := make(map[Handle]bool)
	for info := range Live() {
		before[info.Handle] = true
	}
	t.Cleanup(func() {
		t.Helper()
		var b strings.Builder
		n := 0
		for info := range Live() {
			if !before[info.Handle] {
				n++
				fmt.Fprintf(&b, "\n%v", info)
			}
		}
		if n == 0 {
			return
		}
		hint := ""
		if !debugging {
			hint = "; WHERRY_HANDLE_DEBUG=1 shows where they were created"
		}
		t.Errorf("handle: %d not deleted%s%s", n, hint, &b)
	})
}
