//go:build linux && cgo && (amd64 || arm64)

package event

import (
	"testing"
	"unsafe"

	"github.com/wherrygo/wherry/event/internal/cthread"
)

// Go and C mean the same memory.
func TestLayout(t *testing.T) {
	var h header
	var l words
	var s cell
	for i, want := range []uint64{
		uint64(unsafe.Offsetof(h.shift)), uint64(unsafe.Offsetof(h.closed)), uint64(unsafe.Offsetof(h.rings)),
		uint64(unsafe.Offsetof(l.head)), uint64(unsafe.Offsetof(h.sleep)), uint64(unsafe.Offsetof(h.wakers)),
		uint64(unsafe.Offsetof(l.space)), uint64(unsafe.Offsetof(h.dropped)), uint64(unsafe.Offsetof(h.wakeups)),
		uint64(unsafe.Sizeof(h)), uint64(unsafe.Offsetof(s.tag)), uint64(unsafe.Sizeof(s)),
		magic, lapMask, free | ready<<4 | writing<<8 | reading<<12 | lateWriting<<16 | lateReady<<20 | void<<24 | shut<<28,
		uint64(Drop) | uint64(Overwrite)<<4 | uint64(Wait)<<8, sizeShift, uint64(unsafe.Offsetof(h.fd)),
		uint64(unsafe.Offsetof(h.lanes)), uint64(unsafe.Offsetof(h.threads)), uint64(unsafe.Sizeof(l)), uint64(unsafe.Offsetof(l.waiting)),
		open | closing<<4 | gone<<8 | asleep<<12 | sealed<<16 | fence<<20, uint64(unsafe.Offsetof(l.room)), uint64(unsafe.Offsetof(l.owner)),
		uint64(unsafe.Offsetof(h.first)), uint64(unsafe.Offsetof(h.stride)),
		uint64(unsafe.Offsetof(l.fixed) + unsafe.Offsetof(l.fixed.cells)), uint64(unsafe.Offsetof(l.fixed) + unsafe.Offsetof(l.fixed.shift)),
	} {
		if got := cthread.Layout(i); got != want {
			t.Errorf("fact %d: C has %#x, Go %#x", i, got, want)
		}
	}
	if unsafe.Sizeof(h) > headerSize {
		t.Errorf("the header takes %d bytes", unsafe.Sizeof(h))
	}
	// What threads write lies 128 bytes apart, so that none waits for another's line.
	for _, offset := range []uintptr{
		unsafe.Offsetof(h.rings), unsafe.Offsetof(l.head), unsafe.Sizeof(l),
		unsafe.Offsetof(h.sleep), unsafe.Offsetof(h.wakers), unsafe.Offsetof(h.threads),
	} {
		if offset%128 != 0 {
			t.Errorf("a word that threads share lies at %d", offset)
		}
	}
}
