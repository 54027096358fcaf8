package handle

import "unsafe"

// A local holds free slots for one P. Its slots lie on cache lines that no
// other local hands out: a slot that is deleted elsewhere is sent home.
type local struct {
	lists
	guard
	_ [linePad - (unsafe.Sizeof(lists{})+unsafe.Sizeof(guard{}))%linePad]byte
}

// linePad is two cache lines, as processors fetch them in pairs.
const linePad = 128

type lists struct {
	id   uint32
	free list // New and Delete work here
	full list // empty, or a batch: keeps a run over the edge of free off the shared list
	away list // slots of other locals, on their way home
}
