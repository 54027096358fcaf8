//go:build !(amd64 || 386) || race || wherry_hooks

package handle

import (
	"sync/atomic"
	"unsafe"
)

// Acquiring loads and releasing stores: whoever loads the value sees all that
// happened before it was stored, above all the Delete that advanced the
// slot's word. The race detector needs them too.

func storePointer(p *unsafe.Pointer, v unsafe.Pointer) { atomic.StorePointer(p, v) }

func storeWord(p *uintptr, v uintptr) { atomic.StoreUintptr(p, v) }

// storeHint stores what may be seen late.
func storeHint(p *uint32, v uint32) { atomic.StoreUint32(p, v) }

// loadValue loads type and data, neither of which passes a later load.
func (s *slot) loadValue() any {
	typ := atomic.LoadPointer(&s.typ)
	at(lookupType)
	data := atomic.LoadPointer(&s.data)
	w := words{typ, data}
	return *(*any)(unsafe.Pointer(&w))
}
