package abi

import (
	"fmt"
	"reflect"
	"slices"
)

// A Plan is how a Go function type calls a C function.
type Plan struct {
	Args    []Value
	Results []Value // none or one, and the errno if Errno is set
	Errno   bool    // the last result
	Stack   int     // bytes of C's stack arguments, a multiple of 16
	machine *Machine
}

// New plans calls by functions of type t. An error says which argument cannot
// be passed, and what to do.
func (m *Machine) New(t reflect.Type) (*Plan, error) {
	if t.Kind() != reflect.Func {
		return nil, fmt.Errorf("%v is no func type", t)
	}
	if t.IsVariadic() {
		return nil, fmt.Errorf("argument %d (%v...): Go's variadic arguments are a slice; write a func type with the arguments of each use",
			t.NumIn(), t.In(t.NumIn()-1).Elem())
	}
	plan := &Plan{machine: m}
	goRegs, c := goPlacer{m: m}, placer{m: m}
	for i := range t.NumIn() {
		v, err := argument(t.In(i))
		if err != nil {
			return nil, fmt.Errorf("argument %d (%v): %w", i+1, t.In(i), err)
		}
		goRegs.place(v)
		c.place(v)
		plan.Args = append(plan.Args, v)
	}
	plan.Stack = c.finish()
	goRegs.results()
	n := t.NumOut()
	if n > 0 && isErrno(t.Out(n-1)) {
		plan.Errno = true
		n--
	}
	if n > 1 {
		return nil, fmt.Errorf("result 2 (%v): C returns one result, and a second one can only be a direct.Errno", t.Out(1))
	}
	if n == 1 {
		v, err := result(t.Out(0))
		if err != nil {
			return nil, fmt.Errorf("result (%v): %w", t.Out(0), err)
		}
		goRegs.place(v)
		m.result(v)
		plan.Results = append(plan.Results, v)
	}
	if plan.Errno {
		v := Value{Type: t.Out(n), Leaves: []*Leaf{{Size: 8, C: Place{Image, RetErrno}}}}
		goRegs.place(v)
		plan.Results = append(plan.Results, v)
	}
	return plan, nil
}

// Straight reports whether every argument and result is where the registers of
// the two conventions pair up, so that no value has to be looked at: first to
// first, second to second. A second integer result comes in RDX, and the assembly
// moves it to where Go wants it; errno comes there too.
func (p *Plan) Straight() bool {
	if p.Stack != 0 {
		return false
	}
	last := -1 // leaves that C does not get must come last
	for _, v := range p.Args {
		for _, leaf := range v.Leaves {
			if leaf.Go.Base != Image {
				return false
			}
			if leaf.C.Base == Nowhere {
				last = leaf.Go.Offset
				continue
			}
			if !leaf.Float && (leaf.Size < 4 || last >= 0) || !p.pairs(leaf, CInts, CFloats) {
				return false
			}
		}
	}
	for _, v := range p.Results {
		for _, leaf := range v.Leaves {
			pairs := p.pairs(leaf, RetInts, RetFloats)
			if leaf.C.Offset == RetErrno {
				pairs = leaf.Go.Offset == GoInts+8
			}
			if leaf.C.Base == Nowhere || leaf.Go.Base != Image || !pairs {
				return false
			}
		}
	}
	return true
}

// FewInts is a number of integer arguments for which less has to be moved.
const FewInts = 2

// Few reports whether a straight func has at most so many, and one result.
func (p *Plan) Few() bool {
	for _, v := range p.Args {
		for _, leaf := range v.Leaves {
			if leaf.C.Base != Nowhere && leaf.C.Offset >= CInts+8*FewInts && leaf.C.Offset < CFloats {
				return false
			}
		}
	}
	return !slices.ContainsFunc(p.Results, func(v Value) bool { return len(v.Leaves) > 1 }) && !p.Errno
}

func (p *Plan) pairs(leaf *Leaf, ints, floats int) bool {
	if leaf.Float {
		return leaf.C.Offset-floats == leaf.Go.Offset-GoFloats
	}
	return leaf.C.Offset-ints == leaf.Go.Offset-GoInts
}

// A Move carries a scalar. Its layout is known to the assembly.
type Move struct {
	From, To         int32 // offsets
	FromBase, ToBase Base
	Load             Load
	Store            uint8 // bytes
	_                uint32
}

// A Load is the size of what is read, and how it is widened to a word.
type Load uint8

const (
	Load8 Load = iota
	Load4
	Load4Signed
	Load2
	Load2Signed
	Load1
	Load1Signed
)

func (leaf *Leaf) load() Load {
	var load Load
	switch leaf.Size {
	case 8:
		return Load8
	case 4:
		load = Load4
	case 2:
		load = Load2
	case 1:
		load = Load1
	}
	if leaf.Signed {
		load++
	}
	return load
}

// store is how many bytes belong to the leaf in its place in C: a whole word,
// widened, unless it is a part of a struct.
func (v Value) store(leaf *Leaf) uint8 {
	if v.Struct {
		return uint8(leaf.Size)
	}
	return 8
}

// Fits reports whether the assembly can call C: there are at most so many stack
// arguments and pointers, and errno has a register beside the result.
func (p *Plan) Fits() bool {
	ints := 0
	for _, v := range p.Results {
		for _, leaf := range v.Leaves {
			if leaf.C.Base != Nowhere && leaf.C.Offset >= RetInts+8 && leaf.C.Offset < RetInts+16 {
				ints++
			}
		}
	}
	return p.Stack <= MaxStack && len(p.Kept()) <= MaxKept && !(p.Errno && ints > 0)
}

// Kept returns the moves of the pointers that the collector has to know while C runs.
func (p *Plan) Kept() (moves []Move) {
	for _, v := range p.Args {
		for _, leaf := range v.Leaves {
			if leaf.Kept && leaf.C.Base != Nowhere {
				to := int32(ImageSize + 8*len(moves))
				moves = append(moves, Move{From: int32(leaf.Go.Offset), FromBase: leaf.Go.Base, To: to, Load: Load8, Store: 8})
			}
		}
	}
	return moves
}

// Moves returns the moves before and after the call.
func (p *Plan) Moves() (before, after []Move) {
	for _, v := range p.Args {
		for _, leaf := range v.Leaves {
			if leaf.C.Base != Nowhere {
				before = append(before, Move{From: int32(leaf.Go.Offset), FromBase: leaf.Go.Base, To: int32(leaf.C.Offset),
					Load: leaf.load(), Store: v.store(leaf)})
			}
		}
	}
	for i, v := range p.Results {
		for _, leaf := range v.Leaves {
			if leaf.C.Base == Nowhere {
				continue
			}
			move := Move{From: int32(leaf.C.Offset), To: int32(leaf.Go.Offset), ToBase: leaf.Go.Base, Load: leaf.load(), Store: 8}
			if p.Errno && i == len(p.Results)-1 {
				move.Load = Load4 // errno is a C int
			}
			if leaf.Go.Base == GoStack {
				move.Store = uint8(leaf.Size)
			}
			after = append(after, move)
		}
	}
	return before, after
}

// Offset returns where a value lies, for a Machine whose arguments are all on the stack.
func (v Value) Offset() int { return v.Leaves[0].Go.Offset - v.Leaves[0].Offset }

// Size returns how many bytes the arguments and results take there.
func (p *Plan) Size() int {
	end := 0
	for _, v := range append(p.Args[:len(p.Args):len(p.Args)], p.Results...) {
		end = max(end, v.Offset()+int(v.Type.Size()))
	}
	return align(end, 8)
}
