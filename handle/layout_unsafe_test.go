package handle

import (
	"testing"
	"unsafe"
)

func TestNothingSharesACacheLine(t *testing.T) {
	const line = 64
	if s := unsafe.Sizeof(local{}); s%line != 0 || s < 2*line {
		t.Errorf("a local has %d bytes, want a multiple of %d", s, line)
	}
	used := unsafe.Offsetof(local{}.away) + unsafe.Sizeof(list{})
	if used > line {
		t.Errorf("the lists of a local end at %d, want one line of %d bytes", used, line)
	}
	// Wherever the linker puts the array, a line's length lies between what
	// two locals use.
	end := uintptr(unsafe.Pointer(&locals[0])) + used + unsafe.Sizeof(guard{})
	if gap := uintptr(unsafe.Pointer(&locals[1])) - end; gap < line {
		t.Errorf("%d bytes between two locals, want %d", gap, line)
	}

	if unsafe.Sizeof(uintptr(0)) == 8 {
		if s := unsafe.Sizeof(slot{}); s != 32 {
			t.Errorf("a slot has %d bytes, want 32", s)
		}
		if s := unsafe.Sizeof(slot{}) * lineSlots; s%line != 0 {
			t.Errorf("%d slots have %d bytes, want whole lines", lineSlots, s)
		}
	}
	if batch%lineSlots != 0 || chunkSize%batch != 0 {
		t.Errorf("lines of %d, batches of %d, chunks of %d do not fit", lineSlots, batch, chunkSize)
	}

	h := NewHandle(nil)
	defer h.Delete()
	for i, c := range chunks.all {
		if a := uintptr(unsafe.Pointer(c)); a%128 != 0 {
			t.Errorf("chunk %d at %#x, want a multiple of 128", i, a)
		}
	}
}

// TestEveryLineHasAHome looks at every line that was ever used.
func TestEveryLineHasAHome(t *testing.T) {
	var hs []Handle
	for range 10 * batch {
		hs = append(hs, NewHandle(nil))
	}
	for _, h := range hs {
		h.Delete()
	}
	shared.mu.Lock()
	defer shared.mu.Unlock()
	for index := uint32(0); index < shared.fresh; index += lineSlots {
		if home := homeOf(index); home == 0 || home > maxLocals+1 {
			t.Fatalf("slot %d: home %d", index, home)
		}
	}
}

// TestClaim deletes a handle away from home, with its neighbours live and
// not. A line in which its home has a free slot must stay there, as two
// processors would share it otherwise.
func TestClaim(t *testing.T) {
	const home, stranger = maxLocals + 1, maxLocals
	shared.mu.Lock()
	defer shared.mu.Unlock()
	l := unusedBatch(home)
	taken := map[uint32]*slot{}
	for l.n != 0 {
		index := l.head
		taken[index] = l.pop()
	}
	for index, s := range taken {
		first := index &^ (lineSlots - 1)
		if index%lineSlots != 1 || taken[first] == nil { // as on 32-bit platforms slot 0
			continue
		}
		if !s.claim(index, home) {
			t.Errorf("slot %d: its home cannot claim the line", index)
		}
		if s.claim(index, stranger) || homeOf(index) != home {
			t.Errorf("slot %d: claimed a line in which another local has free slots", index)
		}
		for i := first; i < first+lineSlots; i++ {
			if i != index {
				taken[i].put(nil)
			}
		}
		if !s.claim(index, stranger) || homeOf(index) != stranger {
			t.Errorf("slot %d: cannot claim a line that nobody hands out", index)
		}
		if s.claim(index, 0) || homeOf(index) != stranger {
			t.Errorf("slot %d: a local without a number has a line", index)
		}
		h := Handle(taken[first].word)
		if !taken[first].end(h) || s.claim(index, home) {
			t.Errorf("slot %d: claimed a line of which one neighbour is free", index)
		}
	}
	for index, s := range taken { // back, all free
		if h := Handle(s.word); h&indexMask == Handle(index) {
			s.end(h)
		}
		l.add(index, s)
	}
	l.setHome(home)
	shared.sendHome(l)
}
