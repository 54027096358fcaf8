package event

import "testing"

// fingerprints is a set of 64-bit hashes: an open table with linear probing. The
// model's largest has 310 million, for which a map took over 23 GB.
type fingerprints struct {
	table []uint64 // 0: empty
	n     int

	touched uint64 // a sum, so that touch is not nothing
}

// grow makes room for so many more hashes.
func (f *fingerprints) grow(more int) {
	for 4*(f.n+more) > 3*len(f.table) {
		old := f.table
		f.table = make([]uint64, max(1024, 2*len(old)))
		for _, h := range old {
			if h != 0 {
				f.table[f.place(h)] = h
			}
		}
	}
}

// touch loads the words at which a search for these begins.
func (f *fingerprints) touch(hashes []uint64) {
	for _, hash := range hashes {
		f.touched += f.table[int(hash)&(len(f.table)-1)]
	}
}

// add reports whether the hash is new; there is room.
func (f *fingerprints) add(hash uint64) bool {
	if hash == 0 {
		hash = 1
	}
	i := f.place(hash)
	if f.table[i] == hash {
		return false
	}
	f.table[i] = hash
	f.n++
	return true
}

// place is where a hash is, or would be.
func (f *fingerprints) place(hash uint64) int {
	mask := len(f.table) - 1
	i := int(hash) & mask
	for f.table[i] != 0 && f.table[i] != hash {
		i = (i + 1) & mask
	}
	return i
}

func TestFingerprints(t *testing.T) {
	var set fingerprints
	seen := map[uint64]bool{1: true}
	set.grow(1)
	set.add(0)
	x := uint64(1)
	for range 20000 {
		x ^= x << 13
		x ^= x >> 7
		x ^= x << 17
		hash := x % 3000 << (x >> 62 * 16) // many twice, many with the same low bits
		if hash == 0 {
			continue
		}
		set.grow(1)
		if got := set.add(hash); got == seen[hash] {
			t.Fatalf("%#x: got new %v, want %v", hash, got, !got)
		}
		seen[hash] = true
	}
	if set.n != len(seen) {
		t.Errorf("%d hashes, want %d", set.n, len(seen))
	}
}
