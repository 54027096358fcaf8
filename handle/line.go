package handle

import "sync/atomic"

// Free slots that two Ps hand out must not lie on one cache line, or each P
// would wait for the other's stores. So a line has a home, the one local that
// keeps its free slots. Only speed depends on it: it may be read late, and
// slots in a list stay there when their line gets another home.
//
// claim makes a local the home of a slot's line, unless another local is and
// has a free slot there, and reports whether the local is the home now. The
// caller owns the slot, which is in no list.
//
// One of a million handles is in no cache when it is deleted. A branch on the
// home alone would go either way where a goroutine had moved from one P to
// another, and each misprediction would wait for memory. The branch in claim
// goes the same way for handles whose neighbours are live, and for handles
// that come and go on one P.

// lineOf returns the first slot of a line, which keeps the line's home.
func lineOf(index uint32) *slot {
	return slotAt(index &^ (lineSlots - 1))
}

func homeOf(index uint32) uint32 {
	return atomic.LoadUint32(&lineOf(index).home)
}

func setHome(index, id uint32) {
	storeHint(&lineOf(index).home, id)
}
