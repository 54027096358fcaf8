//go:build linux && cgo && (amd64 || arm64)

package entry

//lint:file-ignore U1000 assembly uses what only seems unused

import (
	_ "runtime/cgo" // has crosscall2
	"unsafe"

	crossing "github.com/wherrygo/wherry/internal/crossing/c"
)

// Args are the arguments of a callback as C's registers had them, and the
// results that it leaves there. They lie on C's stack.
type Args struct {
	Ints      [8]uintptr
	Floats    [8]uint64
	RetInts   [2]uintptr
	RetFloats [4]uint64
	Stack     uintptr // address of C's stack arguments
	Slot      *Slot
	Released  *Slot // if Slot is releasedSlot
}

// A Slot is what a trampoline finds beside itself. It lies outside of Go's
// memory, so Go has to keep the func alive.
type Slot struct {
	Func uintptr // the word of a func value
	Code uintptr // Straight(), General() or Released()
}

// Where calls are turned, Straight is code of internal/crossing/c, which finds Func without an
// offset. The number in _wherry_closure1 is that of this layout: the command and the
// library may differ in version.
var _ = [1]struct{}{}[unsafe.Offsetof(Slot{}.Func)]

// Straight is where a trampoline jumps to, with the address of its Slot in
// R11 or R17, if the registers of C's arguments pair up with those of the Go func's.
func Straight() uintptr { return straightCode }

var straightCode = straightEntryPC

// General is where all others jump to. The Go func is a func(*Args).
func General() uintptr { return generalEntryPC }

// Released is where trampolines jump to that no callback has.
func Released() uintptr { return releasedEntryPC }

// releasedSlot stands in for slots whose Code is Released. What Go writes into
// it is a global function, which the collector does not move.
var releasedSlot Slot

// OnReleased sets the func for calls after release. For an init function.
func OnReleased(f func(*Args)) {
	releasedSlot = Slot{Func: *(*uintptr)(unsafe.Pointer(&f)), Code: generalEntryPC}
}

// Here reports whether C can call back: whether this Go is one that was tested.
func Here() bool { return straightEntryPC != 0 }

// fromC is the Go end of crosscall2.
func fromC(args *Args) { callGo(args) }

func init() {
	f := fromC
	fromCPC = **(**uintptr)(unsafe.Pointer(&f))
	if callbackPC = crossing.Callback(); callbackPC == 0 {
		callbackPC = crosscall2Address
	}
	if Here() && crossing.Turns() {
		straightCode = crossing.Closures(straightEntryPC)
	}
}

var crosscall2Address uintptr // in crosscall2.s
