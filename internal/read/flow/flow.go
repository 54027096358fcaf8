// Package flow reads one function's machine code: which instructions can run,
// how deep the stack is at each of them, whom they call, where they loop.
//
// It follows every path from the function's first instruction. Where it
// cannot know where a path leads it says so in a Finding; it never assumes. In
// particular an indexed jump is followed only if comparisons, or how many bytes
// the index has, bound it on all ways to it and the table cannot be written.
package flow

import (
	"cmp"
	"slices"
	"sync"

	"github.com/wherrygo/wherry/internal/read/cfi"
	"github.com/wherrygo/wherry/internal/read/machine"
)

// Memory is where a function is read from.
type Memory interface {
	// Code returns the executable bytes from addr on.
	Code(addr uint64) []byte
	// ReadOnly returns bytes that never change, or nil.
	ReadOnly(addr, size uint64) []byte
	// IsEntry reports whether a function or a frame starts at addr.
	IsEntry(addr uint64) bool
	// IsPart reports whether what starts at addr has no name of its own, or one
	// that makes it a part of another function.
	IsPart(addr uint64) bool
	// Bounds returns the end of the function that starts at addr.
	Bounds(addr uint64) uint64
	// Holds reports whether addr is in the image, code or data.
	Holds(addr uint64) bool
	// Pointer returns what the word at addr points to for all of the program's
	// life.
	Pointer(addr uint64) (Target, bool)
	// Frame returns the frame that covers addr, or nil.
	Frame(addr uint64) *cfi.Frame
	// Returns reports whether a call of the target may come back.
	Returns(Target) bool
}

// A Target is what a call leads to: an address of this image, or a name that
// the dynamic linker resolves.
type Target struct {
	Addr    uint64
	Name    string
	Version string
	IFunc   bool
}

// A Call is one place that a function calls or jumps to another from.
type Call struct {
	Target Target
	Tail   bool // a jump: the callee takes over the caller's frame
}

// A Kind is what a Finding is about.
type Kind uint8

const (
	Indirect    Kind = iota // a call or jump to an address that is not known
	Undecodable             // bytes that are no known instruction, or no code
	SyscallSite             // a system call
	Budget                  // too large to follow
	WaitLoop                // a loop that watches the clock, or an instruction that waits
	LockLoop                // a loop around an atomic operation
)

// A Finding is a place that matters for what a function may do.
type Finding struct {
	Kind   Kind
	Number int64 // SyscallSite: which, or -1
	Tail   bool
}

// A Function is what was found out about one.
type Function struct {
	Calls    []Call
	Findings []Finding
	Loops    bool     // it jumps back
	Watches  bool     // a loop may end only if others write something
	Strict   bool     // it accesses memory that has to be aligned at more than a word, not of its own
	Aligned  bool     // some instruction may demand that, at an address that is not seen to be its own
	Returns  bool     // as far as it is known, and calls return
	Results  []Target // what it may return, if it returns code addresses only
	Insts    int
	Ends     []Target
	// Remembered reports whether it orders its stack pointer and an address that was loaded from memory.
	Remembered bool
}

// maxInsts bounds the work for one function. The largest that are known, the
// interpreters of SQLite and of script languages, have some 30,000.
const maxInsts = 300_000

// mostRounds bounds how often jumps through tables are looked for behind others.
const mostRounds = 64

// Results are where those of small functions of one file come from, as far as that was asked.
type Results map[uint64]origin

// Analyze reads the function at addr. What it learns of others is added to results.
func Analyze(arch machine.Arch, memory Memory, addr uint64, results Results) *Function {
	return analyze(arch, memory, addr, results, whole).function
}

// Outline reads the function at addr, but for Watches, Strict and Remembered, which are most of
// the work.
func Outline(arch machine.Arch, memory Memory, addr uint64) *Function {
	return analyze(arch, memory, addr, nil, outline).function
}

// Remembers reports whether the function at addr orders its stack pointer and an address that was
// loaded from memory.
func Remembers(arch machine.Arch, memory Memory, addr uint64, results Results) bool {
	return mayRemember(arch, memory, addr, results) && analyze(arch, memory, addr, results, compared).function.Remembered
}

// A depth is how much of a function is looked at.
type depth uint8

const (
	whole depth = iota
	outline
	compared // Remembered, and what that takes
	returned // of a callee, where its result comes from
)

func analyze(arch machine.Arch, memory Memory, addr uint64, results Results, deep depth) *analysis {
	b := pool.Get().(*buffers)
	defer pool.Put(b)
	a := &analysis{buffers: b, results: results, arch: arch, memory: memory, entry: addr, end: memory.Bounds(addr), function: &Function{},
		deep: deep, indexOut: map[uint64]int32{}, tables: map[int32][]uint64{}, words: arch.Registers()}
	size := uint64(0)
	if a.end > addr && a.end-addr < 1<<22 {
		size = a.end - addr
	}
	a.insts, a.index = a.insts[:0], grow(a.index, int(size))
	clear(a.index)
	a.run()
	return a
}

// The buffers of an analysis are what most of its memory would be; the next
// one uses them again.
type buffers struct {
	insts   []machine.Inst
	next    []int32 // index of the following instruction, or none
	jump    []int32 // index of the target, or none
	preds   []int32 // how many ways lead here
	from    []int32 // one of them
	index   []int32 // by address - entry, index+1
	block   []int32 // of a first instruction, block+1
	leaders []int32
	states  []state // by block
}

var pool = sync.Pool{New: func() any { return new(buffers) }}

type analysis struct {
	*buffers
	results  Results
	arch     machine.Arch
	memory   Memory
	function *Function
	entry    uint64
	end      uint64

	indexOut map[uint64]int32
	tables   map[int32][]uint64 // resolved indexed jumps
	tails    map[int32][]Target
	over     bool
	mores    []more

	words  int
	deep   depth
	result source // of what the function returns
}

// Successors that are no instruction.
const none = -1

func (a *analysis) run() {
	a.discover(a.entry)
	// What a round finds the next one connects, also where no more are looked for.
	for round := 1; ; round++ {
		a.connect()
		a.fixpoint()
		if a.over || !a.resolve() {
			break
		}
		a.over = a.over || round == mostRounds
	}
	if a.deep != compared && a.deep != returned {
		a.report()
	}
	switch {
	case a.over: // nobody knows what it does
		a.function.Remembered, a.function.Strict = true, true
	case len(a.leaders) > 0 && a.deep != outline:
		a.function.Remembered = a.remembered()
	}
}

func (a *analysis) find(addr uint64) (int32, bool) {
	if i := addr - a.entry; i < uint64(len(a.index)) {
		return a.index[i] - 1, a.index[i] != 0
	}
	i, ok := a.indexOut[addr]
	return i, ok
}

func (a *analysis) inside(addr uint64) bool { return addr >= a.entry && addr < a.end }

// leaves reports whether a path to addr goes to another function.
func (a *analysis) leaves(addr uint64) bool {
	return !a.inside(addr) && a.memory.IsEntry(addr) && !a.memory.IsPart(addr)
}

// discover decodes all that can be reached from addr.
func (a *analysis) discover(addr uint64) {
	work := []uint64{addr}
	for len(work) > 0 {
		addr := work[len(work)-1]
		work = work[:len(work)-1]
		code := a.memory.Code(addr)
		for {
			if _, ok := a.find(addr); ok || a.over || addr != a.entry && a.leaves(addr) {
				break
			}
			if len(a.insts) >= maxInsts {
				a.over = true
				break
			}
			n := int32(len(a.insts))
			a.insts = append(a.insts, machine.Inst{})
			inst := &a.insts[n]
			if !a.arch.Decode(code, addr, inst) {
				*inst = machine.Inst{Addr: addr, Flow: machine.Trap, Size: 0xff}
			}
			if i := addr - a.entry; i < uint64(len(a.index)) {
				a.index[i] = n + 1
			} else {
				a.indexOut[addr] = n
			}
			if inst.Flow == machine.Jump || inst.Flow == machine.Branch {
				if !a.leaves(inst.Target) {
					work = append(work, inst.Target)
				}
			}
			if !a.continues(inst) {
				break
			}
			addr += uint64(inst.Len)
			code = code[inst.Len:]
		}
	}
}

// continues reports whether the next instruction may run after inst.
func (a *analysis) continues(inst *machine.Inst) bool {
	switch inst.Flow {
	case machine.Jump, machine.JumpReg, machine.JumpMem, machine.Return, machine.Trap:
		return false
	case machine.Call:
		if !a.memory.Returns(Target{Addr: inst.Target}) {
			return false
		}
	case machine.CallMem:
		if inst.Mem.Base == machine.NoReg && inst.Mem.Index == machine.NoReg {
			if t, ok := a.memory.Pointer(uint64(inst.Mem.Disp)); ok && !a.memory.Returns(t) {
				return false
			}
		}
	}
	return true
}

// connect finds successors, predecessors and the first instructions of
// blocks.
func (a *analysis) connect() {
	n := len(a.insts)
	a.next, a.jump = grow(a.next, n), grow(a.jump, n)
	a.preds, a.from = grow(a.preds, n), grow(a.from, n)
	a.block = grow(a.block, n)
	a.leaders = a.leaders[:0]
	for i := range n {
		a.preds[i], a.block[i] = 0, 0
	}
	link := func(i int32, addr uint64) int32 {
		if addr != a.entry && a.leaves(addr) {
			return none
		}
		to, ok := a.find(addr)
		if !ok {
			return none
		}
		a.preds[to]++
		a.from[to] = i
		return to
	}
	for i := range a.insts {
		inst := &a.insts[i]
		a.next[i], a.jump[i] = none, none
		if inst.Flow == machine.Jump || inst.Flow == machine.Branch {
			a.jump[i] = link(int32(i), inst.Target)
		}
		if a.continues(inst) {
			a.next[i] = link(int32(i), inst.Addr+uint64(inst.Len))
		}
		for _, addr := range a.tables[int32(i)] {
			link(int32(i), addr)
		}
	}
	lead := func(i int32) {
		if i != none && a.block[i] == 0 {
			a.leaders = append(a.leaders, i)
			a.block[i] = 1
		}
	}
	if first, ok := a.find(a.entry); ok {
		a.preds[first] += 2 // callers
		lead(first)
	}
	for i := range a.insts {
		lead(a.jump[i])
		if a.jump[i] != none || a.insts[i].Flow == machine.Branch {
			lead(a.next[i])
		}
		if next := a.next[i]; next != none && a.preds[next] > 1 {
			lead(next)
		}
		for _, addr := range a.tables[int32(i)] {
			if to, ok := a.find(addr); ok && !(addr != a.entry && a.leaves(addr)) {
				lead(to)
			}
		}
	}
	if len(a.leaders) > 0 { // the entry stays the first
		slices.SortFunc(a.leaders[1:], func(i, j int32) int { return cmp.Compare(a.insts[i].Addr, a.insts[j].Addr) })
	}
	for b, i := range a.leaders {
		a.block[i] = int32(b) + 1
	}
}

// grow returns a slice of n elements whose content is not defined, s if it has room.
func grow[T any](s []T, n int) []T { return slices.Grow(s[:0], n)[:n] }

// successors calls f for every block that a block's last instruction leads
// to.
func (a *analysis) successors(last int32, f func(to int32, taken bool)) {
	if to := a.jump[last]; to != none {
		f(to, true)
	}
	if to := a.next[last]; to != none {
		f(to, false)
	}
	for _, addr := range a.tables[last] {
		if to, ok := a.find(addr); ok && !(addr != a.entry && a.leaves(addr)) {
			f(to, true)
		}
	}
}
