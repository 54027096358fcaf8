//go:build !gc || go1.28 || race || wherry_portable

package handle

import (
	"sync"
	"sync/atomic"
)

const pinned = false

// A guard is what protects a local where goroutines cannot be pinned.
type guard struct {
	mu sync.Mutex
}

// hints gives a P the local that it used last. Losing a hint costs nothing
// but locality; the locals themselves stay in the array.
var hints = sync.Pool{New: func() any {
	n := nextHint.Add(1) % portableLocals
	l := &locals[n]
	l.mu.Lock()
	l.id = n + 1
	l.mu.Unlock()
	return l
}}

var nextHint atomic.Uint32

// portableLocals is smaller than maxLocals, because which local a goroutine
// gets is a matter of luck, and each may hold three batches.
const portableLocals = min(64, maxLocals)

func acquire() *local {
	l := hints.Get().(*local)
	l.mu.Lock()
	return l
}

func (l *local) release() {
	l.mu.Unlock()
	hints.Put(l)
}

func acquireShared() *local { return acquire() }

func (l *local) releaseShared() { l.release() }

// size is how many slots l holds.
func (l *local) size() int {
	l.mu.Lock()
	defer l.mu.Unlock()
	return int(l.free.n + l.full.n + l.away.n)
}
