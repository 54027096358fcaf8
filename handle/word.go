package handle

// What a handle and a slot's word mean. A slot's word is
//
//	h      while handle h is live in it,
//	h ^ 1  while the slot is free and h is the next handle it will give,
//	0      while the slot has never been used.
//
// The flipped bit belongs to the index. So the word of a free slot names its
// neighbour, and no handle that leads to a slot equals the slot's word unless
// that handle is live: one comparison finds every misuse.
const (
	indexMask = 1<<indexBits - 1
	genOne    = 1 << indexBits
	freeBit   = 1

	maxSlots = 1 << indexBits
)

// firstWord is the word of slot index before its first use.
func firstWord(index uint32) uintptr {
	return (tagBits | uintptr(index)) ^ freeBit
}

// afterDelete is the word that takes the place of the live handle h.
func afterDelete(h Handle) uintptr {
	return (uintptr(h) + genOne | genFixed) ^ freeBit
}

// exhausted reports whether the slot with this word has no generation left.
func exhausted(word uintptr) bool {
	return word >= retireAt
}

// generation counts the handles that a slot gave out before h.
func generation(h Handle) uint64 {
	g := uint64(h &^ tagBits >> indexBits)
	if genFixed != 0 {
		low := uint64(1)<<(55-indexBits) - 1
		g = g&low | g>>1&^low
	}
	return g
}
