//go:build (amd64 || 386) && !race && !wherry_hooks

package handle

import "unsafe"

// On x86 every store is visible to others only after the stores before it,
// and no load passes an earlier load. The compiler keeps plain loads and
// stores on their side of atomic ones. So plain stores by the slot's owner,
// and a plain load of the value between atomic loads of the word, are all
// that the protocol in table_unsafe.go asks for.

func storePointer(p *unsafe.Pointer, v unsafe.Pointer) { *p = v }

func storeWord(p *uintptr, v uintptr) { *p = v }

// storeHint stores what may be seen late.
func storeHint(p *uint32, v uint32) { *p = v }

// loadValue loads type and data.
func (s *slot) loadValue() any { return *(*any)(unsafe.Pointer(&s.typ)) }
