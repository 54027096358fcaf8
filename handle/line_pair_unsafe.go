//go:build amd64

package handle

import (
	"sync/atomic"
	"unsafe"
)

// lineSlots is how many slots share a cache line.
const lineSlots = 2

func (s *slot) claim(_, id uint32) bool {
	const size = lineSlots * unsafe.Sizeof(slot{})
	line := (*[lineSlots]slot)(unsafe.Pointer(uintptr(unsafe.Pointer(s)) &^ (size - 1)))
	even, odd := atomic.LoadUintptr(&line[0].word), atomic.LoadUintptr(&line[1].word)
	bothFree := uint32(even&^odd) & freeBit // as the bit is flipped in free words
	home := &line[0].home
	if (atomic.LoadUint32(home)^id)&-bothFree != 0 || id == 0 {
		return false
	}
	storeHint(home, id)
	return true
}
