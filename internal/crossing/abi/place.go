package abi

import "reflect"

// A Base says what a Place's offset counts from.
type Base uint8

const (
	Image   Base = iota // the Image; C's stack arguments have negative offsets
	GoStack             // Go's stack pointer before the call
	Nowhere
)

// A Place is where a scalar is kept during a call.
type Place struct {
	Base   Base
	Offset int
}

// goPlacer gives out Go's registers, and stack when they are used up, as
// cmd/compile/abi-internal.md says.
type goPlacer struct {
	m            *Machine
	ints, floats int
	stack        int
}

func (p *goPlacer) place(v Value) {
	ints, floats := p.ints, p.floats
	for _, leaf := range v.Leaves {
		if leaf.Float {
			floats++
		} else {
			ints++
		}
	}
	if v.arrays || ints > p.m.goInts || floats > p.m.goFloats {
		p.stack = align(p.stack, v.Type.Align())
		for _, leaf := range v.Leaves {
			leaf.Go = Place{GoStack, p.m.goStack + p.stack + leaf.Offset}
		}
		p.stack += int(v.Type.Size())
		return
	}
	for _, leaf := range v.Leaves {
		if leaf.Float {
			leaf.Go = Place{Image, GoFloats + 8*p.floats}
			p.floats++
		} else {
			leaf.Go = Place{Image, GoInts + 8*p.ints}
			p.ints++
		}
	}
}

// results starts the results, whose registers are counted anew.
func (p *goPlacer) results() {
	p.ints, p.floats, p.stack = 0, 0, align(p.stack, 8)
}

// placer gives out C's registers and stack. Offsets on the stack count from
// its lower end until finish moves them below the image.
type placer struct {
	m            *Machine
	ints, floats int
	stack        int
	onStack      []*Leaf
}

func (p *placer) int() Place {
	p.ints++
	return Place{Image, CInts + 8*(p.ints-1)}
}

func (p *placer) float() Place {
	p.floats++
	return Place{Image, CFloats + 8*(p.floats-1)}
}

// scalar places an argument that is no struct.
func (p *placer) scalar(leaf *Leaf) {
	switch {
	case leaf.Float && p.floats < p.m.cFloats:
		leaf.C = p.float()
	case !leaf.Float && p.ints < p.m.cInts:
		leaf.C = p.int()
	default:
		leaf.C.Offset = p.stack
		p.stack += 8
		p.onStack = append(p.onStack, leaf)
	}
}

// spill places a struct on the stack.
func (p *placer) spill(v Value) {
	for _, leaf := range v.Leaves {
		leaf.C = Place{Image, p.stack + leaf.Offset}
		if leaf.blank {
			leaf.C.Base = Nowhere
		}
		p.onStack = append(p.onStack, leaf)
	}
	p.stack += align(int(v.Type.Size()), 8)
}

// finish returns how many bytes of stack C's arguments take.
func (p *placer) finish() int {
	size := align(p.stack, 16)
	for _, leaf := range p.onStack {
		leaf.C.Offset -= size
	}
	return size
}

func (p *placer) place(v Value) {
	if v.Struct {
		if !p.m.place(p, v) {
			p.spill(v)
		}
		return
	}
	for _, leaf := range v.Leaves {
		if leaf.C.Base != Nowhere {
			p.scalar(leaf)
		}
	}
}

func align(n, to int) int { return (n + to - 1) / to * to }

// words classifies a struct of up to 16 bytes as System V does: a word with
// an integer in it is an integer. A word with nothing in it can only be a bit
// field, for which cgo writes padding.
func words(v Value) (float [2]bool, n int) {
	n = align(int(v.Type.Size()), 8) / 8
	var integer [2]bool
	for _, leaf := range v.Leaves {
		if !leaf.blank {
			float[leaf.Offset/8] = true
			integer[leaf.Offset/8] = integer[leaf.Offset/8] || !leaf.Float
		}
	}
	for i := range float {
		float[i] = float[i] && !integer[i]
	}
	return float, n
}

func placeSysV(p *placer, v Value) bool {
	float, n := words(v)
	ints, floats := p.ints, p.floats
	for _, f := range float[:n] {
		if f {
			floats++
		} else {
			ints++
		}
	}
	if ints > p.m.cInts || floats > p.m.cFloats {
		return false
	}
	var places [2]Place
	for i, f := range float[:n] {
		if f {
			places[i] = p.float()
		} else {
			places[i] = p.int()
		}
	}
	spread(v, places)
	return true
}

func resultSysV(v Value) bool {
	float, n := words(v)
	var places [2]Place
	ints, floats := 0, 0
	for i, f := range float[:n] {
		if f {
			places[i] = Place{Image, RetFloats + 8*floats}
			floats++
		} else {
			places[i] = Place{Image, RetInts + 8*ints}
			ints++
		}
	}
	spread(v, places)
	return true
}

// spread puts the leaves into the words of a struct.
func spread(v Value, places [2]Place) {
	for _, leaf := range v.Leaves {
		leaf.C = places[leaf.Offset/8]
		leaf.C.Offset += leaf.Offset % 8
		if leaf.blank {
			leaf.C = Place{Base: Nowhere}
		}
	}
}

// homogeneous returns the leaves of a struct that is one to four floats of one
// type, to which AAPCS64 gives a register each, and nil for any other.
func homogeneous(v Value) []*Leaf {
	var floats []*Leaf
	for _, leaf := range v.Leaves {
		switch {
		case leaf.blank:
			leaf.C = Place{Base: Nowhere}
		case !leaf.Float || len(floats) > 0 && leaf.Size != floats[0].Size:
			return nil
		default:
			floats = append(floats, leaf)
		}
	}
	if len(floats) > 4 {
		return nil
	}
	return floats
}

func placeAAPCS64(p *placer, v Value) bool {
	if floats := homogeneous(v); floats != nil {
		if p.floats+len(floats) > p.m.cFloats {
			p.floats = p.m.cFloats // none after it gets one either
			return false
		}
		for _, leaf := range floats {
			leaf.C = p.float()
		}
		return true
	}
	n := align(int(v.Type.Size()), 8) / 8
	if p.ints+n > p.m.cInts {
		p.ints = p.m.cInts
		return false
	}
	var places [2]Place
	for i := range n {
		places[i] = p.int()
	}
	spread(v, places)
	return true
}

func resultAAPCS64(v Value) bool {
	if floats := homogeneous(v); floats != nil {
		for i, leaf := range floats {
			leaf.C = Place{Image, RetFloats + 8*i}
		}
		return true
	}
	spread(v, [2]Place{{Image, RetInts}, {Image, RetInts + 8}})
	return true
}

func isErrno(t reflect.Type) bool {
	return t.Kind() == reflect.Uintptr && t.PkgPath() == "syscall" && t.Name() == "Errno"
}
