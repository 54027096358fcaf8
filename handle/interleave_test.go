//go:build wherry_hooks

package handle

import (
	"flag"
	"iter"
	"testing"
)

var interleavings = flag.Int("interleavings", 10_000, "how many interleavings to force")

// A race runs a script of writes in steps, from one of its points to the
// next, and one Lookup, whose loads come after as many steps as before says.
// All share a thread, so every order of steps can be forced.
type race struct {
	before [4]int // steps before the loads of word, type, data and word
	done   int
	step   func() bool
}

func (r *race) start(script func()) (stop func()) {
	var yield func(point) bool
	next, stop := iter.Pull(func(y func(point) bool) {
		yield = y
		script()
	})
	r.step = func() bool { _, more := next(); return more }
	hook = func(p point) {
		switch {
		case p > lookupData:
			yield(p)
		default:
			for r.done < r.before[p-lookupStart] {
				r.done++
				r.step()
			}
		}
	}
	return stop
}

func (r *race) finish() {
	for r.step() {
	}
	hook = nil
}

// orders calls f with every way to place four loads among n steps.
func orders(n int, f func(before [4]int)) {
	for a := 0; a <= n; a++ {
		for b := a; b <= n; b++ {
			for c := b; c <= n; c++ {
				for d := c; d <= n; d++ {
					f([4]int{a, b, c, d})
				}
			}
		}
	}
}

// Steps of a script that deletes and creates, up to the point that the nth
// step stops at.
const (
	stepsOfDelete = 4 // deleteStart, deleteAdvanced, deleteCleared, deleteGiven
	stepsOfNew    = 4 // newTaken, newType, newData, newDone
)

// readers are the two that promise never to find another handle's value.
var readers = map[string]func(h Handle) (any, bool){
	"Lookup": Handle.Lookup,
	"Value": func(h Handle) (v any, ok bool) {
		defer func() { ok = recover() == nil }()
		return h.Value(), true
	},
}

// TestStaleReaders races a reader with Delete, New, Delete and New in the
// same slot, in every order.
func TestStaleReaders(t *testing.T) {
	for name, read := range readers {
		t.Run(name, func(t *testing.T) { testStaleReader(t, read) })
	}
}

func testStaleReader(t *testing.T, read func(Handle) (any, bool)) {
	values := []any{"first", 2, &struct{ n int }{3}}
	runs, reused, found := 0, 0, 0
	for runs < *interleavings {
		orders(2*(stepsOfDelete+stepsOfNew), func(before [4]int) {
			runs++
			h := NewHandle(values[0])
			var later [2]Handle
			r := race{before: before}
			stop := r.start(func() {
				h.Delete()
				later[0] = NewHandle(values[1])
				later[0].Delete()
				later[1] = NewHandle(values[2])
			})
			v, ok := read(h)
			r.finish()
			stop()

			if ok && v != values[0] || !ok && v != nil {
				t.Fatalf("loads after %v steps: %v, %v", before, v, ok)
			}
			const advanced = 2 // the step that stops at deleteAdvanced
			if want := before[3] < advanced; ok != want {
				t.Fatalf("loads after %v steps: found is %v, want %v", before, ok, want)
			}
			if ok {
				found++
			}
			if (h^later[0])&indexMask == 0 && (h^later[1])&indexMask == 0 {
				reused++
			}
			later[1].Delete()
		})
	}
	t.Logf("%d interleavings, %d found the value", runs, found)
	if reused < runs*9/10 {
		t.Errorf("the slot was used again in %d of %d runs only", reused, runs)
	}
}

// TestForgedReaders looks up the handle that New is about to return: before
// it is issued there is nothing, afterwards all of it.
func TestForgedReaders(t *testing.T) {
	for name, read := range readers {
		t.Run(name, func(t *testing.T) { testForgedReader(t, read) })
	}
}

func testForgedReader(t *testing.T, read func(Handle) (any, bool)) {
	runs, guessed := 0, 0
	for runs < *interleavings/10 {
		orders(stepsOfNew, func(before [4]int) {
			runs++
			first := NewHandle("first")
			first.Delete()
			forged := first + genOne
			var h Handle
			r := race{before: before}
			stop := r.start(func() { h = NewHandle("second") })
			v, ok := read(forged)
			r.finish()
			stop()
			if h == forged {
				guessed++
			}
			const issued = stepsOfNew // the step that stops at newDone
			if want := before[0] >= issued && h == forged; ok != want || ok && v != "second" {
				t.Fatalf("loads after %v steps: %v, %v", before, v, ok)
			}
			h.Delete()
		})
	}
	if guessed < runs*9/10 {
		t.Errorf("guessed %d of %d handles only", guessed, runs)
	}
}

// TestRacingDeletes lets a second Delete of a handle run to its end before,
// between and after the steps of the first: exactly one succeeds.
func TestRacingDeletes(t *testing.T) {
	for range *interleavings / 100 {
		for before := 0; before <= stepsOfDelete+stepsOfNew; before++ {
			h := NewHandle(1)
			var again Handle
			r := race{}
			first := false
			stop := r.start(func() {
				first = deletes(h)
				again = NewHandle(2)
			})
			for range before {
				r.step()
			}
			write := hook
			hook = nil
			second := deletes(h)
			hook = write
			r.finish()
			stop()
			if first == second {
				t.Fatalf("after %d steps: first Delete %v, second %v", before, first, second)
			}
			if v := again.Value(); v != 2 {
				t.Fatalf("after %d steps: value %v", before, v)
			}
			again.Delete()
		}
	}
	if p := CheckLists(); p != "" {
		t.Error(p)
	}
}

func deletes(h Handle) (ok bool) {
	defer func() { _ = recover() }()
	h.Delete()
	return true
}

// TestLiveSkipsTheDeleted deletes a handle just when Live has come to it.
func TestLiveSkipsTheDeleted(t *testing.T) {
	h := NewHandle("value")
	hook = func(p point) {
		if p == lookupStart {
			hook = nil
			h.Delete()
		}
	}
	for info := range Live() {
		t.Errorf("found %v", info)
	}
	if hook != nil {
		t.Error("Live did not come to the handle")
	}
}
