//go:build !amd64

package handle

import "sync/atomic"

// lineSlots is how many slots share a cache line. Several arm64 and ppc64
// processors have lines of 128 bytes. On 32-bit platforms slots have 20
// bytes, and groups of four only nearly keep to lines.
const lineSlots = 4

func (*slot) claim(index, id uint32) bool {
	first := index &^ (lineSlots - 1)
	free := uint32(0)
	for i := first; i < first+lineSlots; i++ {
		free += (uint32(atomic.LoadUintptr(&slotAt(i).word)) ^ i) & freeBit
	}
	others := free - 1
	home := &slotAt(first).home
	if atomic.LoadUint32(home) != id && others != 0 || id == 0 {
		return false
	}
	storeHint(home, id)
	return true
}
