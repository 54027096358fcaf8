package abi

import (
	"errors"
	"fmt"
	"reflect"
	"unsafe"
)

// Callable reports whether C can call a Go function of the plan's type.
func (p *Plan) Callable() error {
	for i, v := range p.Args {
		if k := v.Type.Kind(); k == reflect.String || k == reflect.Slice {
			return fmt.Errorf("argument %d (%v): C has no %ss; take a pointer and a length", i+1, v.Type, k)
		}
	}
	if p.Errno {
		return errors.New("no errno comes from Go; take it out of the results")
	}
	return nil
}

// StraightBack is Straight for calls from C. Sub-word values need nothing
// here: Go looks at no more than the bits of its type.
func (p *Plan) StraightBack() bool {
	if p.Stack != 0 {
		return false
	}
	for _, v := range p.Args {
		for _, leaf := range v.Leaves {
			if leaf.C.Base == Nowhere || leaf.Go.Base != Image || !p.pairs(leaf, CInts, CFloats) {
				return false
			}
		}
	}
	return len(p.Results) == 0 || len(p.Results[0].Leaves) == 1 && p.pairs(p.Results[0].Leaves[0], RetInts, RetFloats)
}

// FromC copies argument i of a call from C out of the image to a Go value.
func (p *Plan) FromC(i int, image, value unsafe.Pointer) {
	for _, leaf := range p.Args[i].Leaves {
		if leaf.C.Base != Nowhere {
			leaf.copy(unsafe.Add(image, leaf.C.Offset), unsafe.Add(value, leaf.Offset))
		}
	}
}

// ToC copies the result of a call from C from a Go value into the image.
func (p *Plan) ToC(value, image unsafe.Pointer) {
	for _, leaf := range p.Results[0].Leaves {
		if leaf.C.Base != Nowhere {
			leaf.copy(unsafe.Add(value, leaf.Offset), unsafe.Add(image, leaf.C.Offset))
		}
	}
}

func (leaf *Leaf) copy(from, to unsafe.Pointer) {
	copy(unsafe.Slice((*byte)(to), leaf.Size), unsafe.Slice((*byte)(from), leaf.Size))
}
