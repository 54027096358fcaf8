package handle

import (
	"testing"
	"unsafe"
)

// TestGenerationsCount follows a slot's words over every boundary in them.
func TestGenerationsCount(t *testing.T) {
	const index = 77
	starts := []uint64{0, 1, generations - 3}
	if genFixed != 0 && generations > 1<<27 {
		for bit := 26; bit < 33; bit++ { // the carry over the fixed bit is at 27
			starts = append(starts, 1<<bit-2, 3<<(bit-2)-2)
		}
	}
	for _, g := range starts {
		h := Handle(firstWord(index) ^ freeBit)
		low := Handle(g)
		if genFixed != 0 {
			low = Handle(g&(1<<27-1) | g>>27<<28)
		}
		h += low << indexBits
		for range 4 {
			if got := generation(h); got != g || !tagged(h) || h&indexMask != index {
				t.Fatalf("%#x has generation %d, tag %v; want %d", h, got, tagged(h), g)
			}
			word := afterDelete(h)
			next := Handle(word ^ freeBit)
			if g++; exhausted(word) != (g == generations) {
				t.Fatalf("%#x: exhausted is %v at generation %d of %d", word, exhausted(word), g, uint64(generations))
			}
			if g == generations {
				break
			}
			if next <= h || Handle(word)&indexMask == index {
				t.Fatalf("%#x follows %#x", word, h)
			}
			h = next
		}
	}
}

// unusedBatch returns slots of new lines. shared.mu is held.
func unusedBatch(home uint32) list {
	if shared.fresh == shared.end {
		shared.fresh = addChunk()
		shared.end = shared.fresh + chunkSize
	}
	return shared.unused(home)
}

// TestSlotsAreStolen refills a local that has nothing, while others have.
func TestSlotsAreStolen(t *testing.T) {
	const thief, owner = maxLocals, maxLocals + 1 // locals that no P of this machine has
	NewHandle(nil).Delete()                       // the first batch of all lacks slot 0
	shared.mu.Lock()
	defer shared.mu.Unlock()
	shared.store(owner, unusedBatch(owner))
	used, batches := shared.fresh, shared.full
	got := shared.refill(thief)
	if got.n != batch || shared.fresh != used || shared.full != batches-1 {
		t.Fatalf("refill took %v and %d new slots", got, shared.fresh-used)
	}
	for index, n := got.head, got.n; n != 0; n-- {
		if home := homeOf(index); home != thief {
			t.Fatalf("slot %d has home %d, want %d", index, home, thief)
		}
		index = slotAt(index).next
	}

	before := len(shared.inbox[thief].full)
	shared.sendHome(got)
	if n := len(shared.inbox[thief].full); n != before+1 {
		t.Errorf("%d batches came home, want 1", n-before)
	}
}

// TestPointers makes pointers of many handles of one slot, and takes all
// back, whether the handle is deleted or not.
func TestPointers(t *testing.T) {
	const n = 500
	var hs []Handle
	pointers := map[unsafe.Pointer]Handle{}
	for range n {
		h := NewHandle(nil)
		p := h.Pointer()
		if old, ok := pointers[p]; ok {
			t.Fatalf("%#x and %#x have the same pointer", old, h)
		}
		if p != h.Pointer() {
			t.Fatalf("%#x has two pointers", h)
		}
		pointers[p] = h
		hs = append(hs, h)
		h.Delete()
	}
	for p, h := range pointers {
		if got := FromPointer(p); got != h {
			t.Fatalf("%p gives %#x, want %#x", p, got, h)
		}
	}
	for _, h := range hs { // older handles of a slot too
		if p := h.Pointer(); pointers[p] != h {
			t.Fatalf("%#x has another pointer after Delete", h)
		}
	}
	if Handle(0).Pointer() != nil || FromPointer(nil) != 0 {
		t.Error("nil and the zero handle do not belong together")
	}
	other := new(int)
	if v, ok := FromPointer(unsafe.Pointer(other)).Lookup(); ok {
		t.Errorf("a pointer from elsewhere has the value %v", v)
	}
}
