// Package rt holds everything that depends on the inside of Go's runtime:
// which Go versions are understood, where the runtime keeps what a crossing
// needs, and how each of those facts was verified. CONTRIBUTING.md
// lists what else a new Go version needs.
package rt

import (
	"fmt"
	"slices"
	"strings"
)

// Offsets says where the runtime keeps what a direct call reads and writes.
// All are byte offsets; the names are runtime.TYPE_FIELD, as in go_asm.h.
type Offsets struct {
	GM          int64 `json:"g_m"`        // the thread (m) that runs this goroutine
	GSchedSP    int64 `json:"g_sched_sp"` // where a goroutine that does not run left its stack pointer
	GSchedPC    int64 `json:"g_sched_pc"`
	GSchedBP    int64 `json:"g_sched_bp"`
	GSyscallSP  int64 `json:"g_syscallsp"` // the same of one in a system call
	GSyscallPC  int64 `json:"g_syscallpc"`
	GSyscallBP  int64 `json:"g_syscallbp"`
	GThrowSplit int64 `json:"g_throwsplit"`  // set: a fault is fatal, never a Go panic
	GStackGuard int64 `json:"g_stackguard0"` // Go's stack check compares with it; preemption raises it
	MG0         int64 `json:"m_g0"`          // the goroutine that owns the thread's system stack
	MVdsoPC     int64 `json:"m_vdsopc"`      // profilers and tracebacks start here when m.vdsoSP is set
	MVdsoSP     int64 `json:"m_vdsosp"`
	GLockedM    int64 `json:"g_lockedm"` // these four say that a goroutine may not leave its thread
	MLockedG    int64 `json:"m_lockedg"`
	MLockedInt  int64 `json:"m_lockedint"` // by the runtime, counted
	MLockedExt  int64 `json:"m_lockedext"` // by runtime.LockOSThread, counted
	GDefer      int64 `json:"g_defer"`     // the newest deferred call, in a list
	DHeap       int64 `json:"d_heap"`      // the fields of one
	DRangeFunc  int64 `json:"d_rangefunc"`
	DSP         int64 `json:"d_sp"`
	DFn         int64 `json:"d_fn"`
	DLink       int64 `json:"d_link"`

	// What a call needs that becomes a system call.
	GStackLo       int64 `json:"g_stack_lo"` // a goroutine's stack
	GStackHi       int64 `json:"g_stack_hi"`
	GStackGuard1   int64 `json:"g_stackguard1"`
	GNoCgoCallback int64 `json:"g_nocgocallback"` // a callback is a panic
	MNcgo          int64 `json:"m_ncgo"`          // calls of C on this thread
	MIncgo         int64 `json:"m_incgo"`         // C runs
	MSignalPending int64 `json:"m_signalpending"` // the runtime is about to signal this thread
	MIsExtraInC    int64 `json:"m_isextrainc"`    // a thread that C created is not in Go

	DebugAsyncPreemptOff int64 `json:"debug_asyncpreemptoff"` // the runtime sends no signals

	Heap
}

// A field is one row of the table that ties Offsets to the runtime's types.
type field struct {
	name  string // as it is printed
	path  [2]string
	inner string // field of a struct inside the field, or ""
	size  int64  // bytes the assembly accesses
	get   func(*Offsets) *int64
	why   string
}

var fields = append(heapFields, []field{
	{"g.m", [2]string{"runtime.g", "m"}, "", 8, func(o *Offsets) *int64 { return &o.GM }, "from goroutine to thread"},
	{"g.sched.sp", [2]string{"runtime.g", "sched"}, "sp", 8, func(o *Offsets) *int64 { return &o.GSchedSP },
		"top of the free part of the system stack"},
	{"g.sched.pc", [2]string{"runtime.g", "sched"}, "pc", 8, func(o *Offsets) *int64 { return &o.GSchedPC }, "callbacks of a turned call"},
	{"g.sched.bp", [2]string{"runtime.g", "sched"}, "bp", 8, func(o *Offsets) *int64 { return &o.GSchedBP }, "callbacks of a turned call"},
	{"g.syscallsp", [2]string{"runtime.g", "syscallsp"}, "", 8, func(o *Offsets) *int64 { return &o.GSyscallSP },
		"a turned call finds its frame"},
	{"g.syscallpc", [2]string{"runtime.g", "syscallpc"}, "", 8, func(o *Offsets) *int64 { return &o.GSyscallPC },
		"callbacks of a turned call"},
	{"g.syscallbp", [2]string{"runtime.g", "syscallbp"}, "", 8, func(o *Offsets) *int64 { return &o.GSyscallBP },
		"callbacks of a turned call"},
	{"g.throwsplit", [2]string{"runtime.g", "throwsplit"}, "", 1, func(o *Offsets) *int64 { return &o.GThrowSplit },
		"a fault in C is fatal, as in cgo"},
	{"g.stackguard0", [2]string{"runtime.g", "stackguard0"}, "", 8, func(o *Offsets) *int64 { return &o.GStackGuard },
		"a loop of calls can be preempted"},
	{"m.g0", [2]string{"runtime.m", "g0"}, "", 8, func(o *Offsets) *int64 { return &o.MG0 }, "from thread to system stack"},
	{"m.vdsoPC", [2]string{"runtime.m", "vdsoPC"}, "", 8, func(o *Offsets) *int64 { return &o.MVdsoPC }, "profiles show the Go caller"},
	{"m.vdsoSP", [2]string{"runtime.m", "vdsoSP"}, "", 8, func(o *Offsets) *int64 { return &o.MVdsoSP }, "profiles show the Go caller"},
	{"g.lockedm", [2]string{"runtime.g", "lockedm"}, "", 8, func(o *Offsets) *int64 { return &o.GLockedM },
		"a callback returns to its thread"},
	{"m.lockedg", [2]string{"runtime.m", "lockedg"}, "", 8, func(o *Offsets) *int64 { return &o.MLockedG },
		"a callback returns to its thread"},
	{"m.lockedInt", [2]string{"runtime.m", "lockedInt"}, "", 4, func(o *Offsets) *int64 { return &o.MLockedInt },
		"a callback returns to its thread"},
	{"m.lockedExt", [2]string{"runtime.m", "lockedExt"}, "", 4, func(o *Offsets) *int64 { return &o.MLockedExt },
		"a callback returns to its thread"},
	{"g._defer", [2]string{"runtime.g", "_defer"}, "", 8, func(o *Offsets) *int64 { return &o.GDefer },
		"a panic in a callback gives the C stack back"},
	{"_defer.heap", [2]string{"runtime._defer", "heap"}, "", 1, func(o *Offsets) *int64 { return &o.DHeap },
		"a panic in a callback gives the C stack back"},
	{"_defer.rangefunc", [2]string{"runtime._defer", "rangefunc"}, "", 1, func(o *Offsets) *int64 { return &o.DRangeFunc },
		"a panic in a callback gives the C stack back"},
	{"_defer.sp", [2]string{"runtime._defer", "sp"}, "", 8, func(o *Offsets) *int64 { return &o.DSP },
		"a panic in a callback gives the C stack back"},
	{"_defer.fn", [2]string{"runtime._defer", "fn"}, "", 8, func(o *Offsets) *int64 { return &o.DFn },
		"a panic in a callback gives the C stack back"},
	{"g.stack.lo", [2]string{"runtime.g", "stack"}, "lo", 8, func(o *Offsets) *int64 { return &o.GStackLo },
		"a call that turns leaves room for the runtime"},
	{"g.stack.hi", [2]string{"runtime.g", "stack"}, "hi", 8, func(o *Offsets) *int64 { return &o.GStackHi },
		"a call that turns leaves room for the runtime"},
	{"g.stackguard1", [2]string{"runtime.g", "stackguard1"}, "", 8, func(o *Offsets) *int64 { return &o.GStackGuard1 },
		"a call that turns leaves room for the runtime"},
	{"g.nocgocallback", [2]string{"runtime.g", "nocgocallback"}, "", 1, func(o *Offsets) *int64 { return &o.GNoCgoCallback },
		"a callback that cannot come is a panic, as in cgo"},
	{"m.ncgo", [2]string{"runtime.m", "ncgo"}, "", 4, func(o *Offsets) *int64 { return &o.MNcgo },
		"a turned call is a cgo call to profiler and tracer"},
	{"m.incgo", [2]string{"runtime.m", "incgo"}, "", 1, func(o *Offsets) *int64 { return &o.MIncgo },
		"a turned call is a cgo call to the crash traceback"},
	{"m.signalPending", [2]string{"runtime.m", "signalPending"}, "value", 4, func(o *Offsets) *int64 { return &o.MSignalPending },
		"no signal ends C's wait"},
	{"m.isExtraInC", [2]string{"runtime.m", "isExtraInC"}, "", 1, func(o *Offsets) *int64 { return &o.MIsExtraInC },
		"a fault in a C thread is C's own, as in cgo"},
	{"debug.asyncpreemptoff", [2]string{"runtime.debug", "asyncpreemptoff"}, "", 4,
		func(o *Offsets) *int64 { return &o.DebugAsyncPreemptOff }, "where nothing turns calls they go through cgo"},
	{"_defer.link", [2]string{"runtime._defer", "link"}, "", 8, func(o *Offsets) *int64 { return &o.DLink },
		"a panic in a callback gives the C stack back"},
}...)

// Names returns the offsets by the names that assembly and C use.
func (o Offsets) Names() map[string]int64 {
	return map[string]int64{
		"G_M": o.GM, "G_SCHED_SP": o.GSchedSP, "G_SYSCALLSP": o.GSyscallSP,
		"G_SCHED_PC": o.GSchedPC, "G_SCHED_BP": o.GSchedBP, "G_SYSCALLPC": o.GSyscallPC, "G_SYSCALLBP": o.GSyscallBP,
		"G_THROWSPLIT": o.GThrowSplit, "G_STACKGUARD0": o.GStackGuard,
		"M_G0": o.MG0, "M_VDSOPC": o.MVdsoPC, "M_VDSOSP": o.MVdsoSP,
		"G_LOCKEDM": o.GLockedM, "M_LOCKEDG": o.MLockedG, "M_LOCKEDINT": o.MLockedInt, "M_LOCKEDEXT": o.MLockedExt,
		"G_DEFER": o.GDefer, "D_HEAP": o.DHeap, "D_RANGEFUNC": o.DRangeFunc, "D_SP": o.DSP, "D_FN": o.DFn, "D_LINK": o.DLink,
		"G_STACK_LO": o.GStackLo, "G_STACK_HI": o.GStackHi, "G_STACKGUARD1": o.GStackGuard1, "G_NOCGOCALLBACK": o.GNoCgoCallback,
		"M_NCGO": o.MNcgo, "M_INCGO": o.MIncgo, "M_SIGNALPENDING": o.MSignalPending, "M_ISEXTRAINC": o.MIsExtraInC,
		"DEBUG_ASYNCPREEMPTOFF": o.DebugAsyncPreemptOff,
	}
}

// first are the fields that are the first of their struct.
var first = []string{"m.g0", "_defer.heap", "g.stack.lo", "heapArena.spans"}

// largestStruct is more than any of the runtime's structs has, in bytes.
const largestStruct = 1 << 26

// plausible reports whether a file can be a whole answer: all fields of a struct
// differ and lie in it, and only those above are at its begin.
func (o Offsets) plausible() bool {
	seen := map[[2]any]bool{}
	for _, f := range fields {
		offset := *f.get(&o)
		key := [2]any{f.path[0], offset}
		if offset < 0 || offset >= largestStruct || offset == 0 && !slices.Contains(first, f.name) || seen[key] {
			return false
		}
		seen[key] = true
	}
	for _, c := range constants {
		if *c.get(&o) == 0 && c.name != "runtime.arenaBaseOffsetUintptr" {
			return false
		}
	}
	return true
}

// A Fact is one verified statement about the runtime, for wherry doctor.
type Fact struct {
	Name  string `json:"name"`
	Value string `json:"value"`
	Why   string `json:"why"`
	How   string `json:"verified_by"`
}

// Facts lists the offsets with what each is for.
func (o Offsets) Facts(how string) []Fact {
	var facts []Fact
	for _, f := range fields {
		facts = append(facts, Fact{f.name, fmt.Sprintf("offset %d, %d byte", *f.get(&o), f.size), f.why, how})
	}
	for _, c := range constants {
		facts = append(facts, Fact{strings.TrimPrefix(c.name, "runtime."), fmt.Sprintf("%#x", uint64(*c.get(&o))), c.why, how})
	}
	return facts
}
