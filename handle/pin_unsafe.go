//go:build gc && !go1.28 && !race && !wherry_portable

package handle

import (
	"sync/atomic"
	_ "unsafe" // for go:linkname
)

// While a goroutine is pinned to its P nothing else runs on that P, so the
// P's local needs no lock. The runtime keeps these two names for packages
// that reach them by linkname; above the newest Go that was tested,
// portable.go takes over.

//go:linkname procPin runtime.procPin
//go:nosplit
func procPin() int

//go:linkname procUnpin runtime.procUnpin
//go:nosplit
func procUnpin()

const pinned = true

// A guard has nothing to hold: the pin protects a local.
type guard struct{}

// acquire returns the local of this P. Until release the caller must not
// block. It may allocate, as sync.Pool does while it is pinned.
func acquire() *local {
	return &locals[min(uint(procPin()), maxLocals)]
}

func (l *local) release() {
	procUnpin()
}

// acquireShared is acquire for a caller that holds shared.mu.
func acquireShared() *local {
	p := uint(procPin())
	if p >= maxLocals {
		return &overflow
	}
	locals[p].id = uint32(p) + 1
	return &locals[p]
}

func (l *local) releaseShared() {
	procUnpin()
}

// size is how many slots l holds. It may be called from anywhere, so the
// answer can be behind.
func (l *local) size() int {
	return int(atomic.LoadUint32(&l.free.n) + atomic.LoadUint32(&l.full.n) + atomic.LoadUint32(&l.away.n))
}
