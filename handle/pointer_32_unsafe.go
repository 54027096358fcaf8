//go:build 386 || arm || mips || mipsle

package handle

import (
	"cmp"
	"runtime"
	"slices"
	"sync"
	"unsafe"
)

// Any 32-bit word may be the address of something, so a handle cannot be its
// own pointer: the collector ends the process when a word looks like a bad
// heap pointer. Pointers come from windows instead, which are Go memory that
// nobody reads or writes. Each handle has a byte there that is its own for
// as long as the process lives.

// Bytes are assigned in blocks, for handles of one slot that come one after
// another: a key is a handle without the low bits of its generation.
const (
	blockBits  = 6
	blockSize  = 1 << blockBits
	windowSize = 1 << 20

	keyMask = ^Handle((blockSize - 1) << indexBits)
)

type window struct {
	base unsafe.Pointer
	keys [windowSize / blockSize]Handle
	used int // blocks
}

var windows struct {
	mu     sync.RWMutex
	byBase []*window // ascending
	last   *window
	blocks map[Handle]block // by index of the slot: its newest block
	pin    runtime.Pinner
}

type block struct {
	key  Handle
	addr unsafe.Pointer
}

func toPointer(h Handle) unsafe.Pointer {
	if h == 0 {
		return nil
	}
	w := &windows
	w.mu.Lock()
	defer w.mu.Unlock()
	b, key := w.blocks[h&indexMask], h&keyMask
	switch {
	case b.addr == nil || b.key < key:
		b = block{key, newBlock(key)}
		if w.blocks == nil {
			w.blocks = make(map[Handle]block)
		}
		w.blocks[h&indexMask] = b
	case b.key > key:
		b.addr = oldBlock(key)
	}
	return unsafe.Add(b.addr, h>>indexBits%blockSize)
}

// newBlock gives a key its bytes.
func newBlock(key Handle) unsafe.Pointer {
	w := windows.last
	if w == nil || w.used == len(w.keys) {
		mem := new([windowSize]byte)
		windows.pin.Pin(mem) // C may keep it
		w = &window{base: unsafe.Pointer(mem)}
		windows.last = w
		i, _ := slices.BinarySearchFunc(windows.byBase, uintptr(w.base), byAddress)
		windows.byBase = slices.Insert(windows.byBase, i, w)
	}
	w.keys[w.used] = key
	w.used++
	return unsafe.Add(w.base, (w.used-1)*blockSize)
}

// oldBlock returns the bytes of a key that is not the newest of its slot:
// of handles that are deleted, so it need not be fast.
func oldBlock(key Handle) unsafe.Pointer {
	for _, w := range windows.byBase {
		if i := slices.Index(w.keys[:w.used], key); i >= 0 {
			return unsafe.Add(w.base, i*blockSize)
		}
	}
	return newBlock(key)
}

func fromPointer(p unsafe.Pointer) Handle {
	windows.mu.RLock()
	defer windows.mu.RUnlock()
	i, found := slices.BinarySearchFunc(windows.byBase, uintptr(p), byAddress)
	if !found {
		i-- // p lies behind the base of this window, if in any
	}
	if i < 0 {
		return 0
	}
	w := windows.byBase[i]
	offset := uintptr(p) - uintptr(w.base)
	if offset >= uintptr(w.used*blockSize) {
		return 0
	}
	return w.keys[offset/blockSize] | Handle(offset%blockSize)<<indexBits
}

func byAddress(w *window, addr uintptr) int {
	return cmp.Compare(uintptr(w.base), addr)
}
