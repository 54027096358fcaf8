package abi

import (
	"fmt"
	"reflect"
)

// A Leaf is one scalar of an argument or of a result.
type Leaf struct {
	Offset int // in the Go value, bytes
	Size   int // bytes
	Float  bool
	Signed bool
	Kept   bool  // a pointer, which the collector has to know while C runs
	blank  bool  // of a field _ of bytes, which cgo writes for padding
	Go, C  Place // where the two conventions keep it; C.Base is None if C does not get it
}

// A Value is an argument or a result.
type Value struct {
	Type   reflect.Type
	Leaves []*Leaf
	Struct bool // one value to the C ABI; else each leaf is an argument of its own
	arrays bool // Go never passes it in registers
}

// add takes a type apart, which begins at an offset in the value.
func (v *Value) add(t reflect.Type, offset int) error {
	leaf := &Leaf{Offset: offset, Size: int(t.Size())}
	switch t.Kind() {
	case reflect.Bool, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64, reflect.Uint, reflect.Uintptr:
	case reflect.Pointer, reflect.UnsafePointer:
		leaf.Kept = true
	case reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64, reflect.Int:
		leaf.Signed = true
	case reflect.Float32, reflect.Float64:
		leaf.Float = true
	case reflect.Complex64, reflect.Complex128:
		half := int(t.Size()) / 2
		v.Struct = true
		v.Leaves = append(v.Leaves, &Leaf{Offset: offset, Size: half, Float: true}, &Leaf{Offset: offset + half, Size: half, Float: true})
		return nil
	case reflect.Struct:
		v.Struct = true
		for i := range t.NumField() {
			f := t.Field(i)
			switch f.Type.Kind() {
			case reflect.String, reflect.Slice:
				return fmt.Errorf("its field %s is a %s, which C does not know; pass a pointer and a length", f.Name, f.Type.Kind())
			}
			if f.Type.Size() == 0 {
				return fmt.Errorf("its field %s has no size, which C structs do not have; remove it", f.Name)
			}
			first := len(v.Leaves)
			if err := v.add(f.Type, offset+int(f.Offset)); err != nil {
				return err
			}
			padding := f.Name == "_" && f.Type.Kind() == reflect.Array && f.Type.Elem().Kind() == reflect.Uint8
			for _, leaf := range v.Leaves[first:] {
				leaf.blank = leaf.blank || padding
			}
		}
		return nil
	case reflect.Array:
		v.arrays = v.arrays || t.Len() > 1
		for i := range t.Len() {
			if err := v.add(t.Elem(), offset+i*int(t.Elem().Size())); err != nil {
				return err
			}
		}
		return nil
	case reflect.Func:
		return fmt.Errorf("a Go func value cannot be called by C; pass the Pointer of a callback.Func")
	case reflect.Interface, reflect.Map, reflect.Chan:
		return fmt.Errorf("a Go %s is nothing that C knows; pass a handle (package handle) or a pointer to C memory", t.Kind())
	default:
		return fmt.Errorf("a %s is nothing that C knows; pass a pointer", t.Kind())
	}
	v.Leaves = append(v.Leaves, leaf)
	return nil
}

// argument takes an argument apart. Strings and slices become pointer and
// length.
func argument(t reflect.Type) (Value, error) {
	v := Value{Type: t}
	switch t.Kind() {
	case reflect.String:
		v.Leaves = []*Leaf{{Size: 8, Kept: true}, {Offset: 8, Size: 8}}
		return v, nil
	case reflect.Slice:
		v.Leaves = []*Leaf{{Size: 8, Kept: true}, {Offset: 8, Size: 8}, {Offset: 16, Size: 8, C: Place{Base: Nowhere}}}
		return v, nil
	case reflect.Array:
		return v, fmt.Errorf("arrays are passed by address; pass a pointer to it")
	}
	return v, v.aggregate(t)
}

func result(t reflect.Type) (Value, error) {
	v := Value{Type: t}
	switch t.Kind() {
	case reflect.String, reflect.Slice:
		return v, fmt.Errorf("no Go %s comes from C; return a pointer and copy", t.Kind())
	case reflect.Array:
		return v, fmt.Errorf("no array comes from C; return a pointer")
	}
	return v, v.aggregate(t)
}

func (v *Value) aggregate(t reflect.Type) error {
	if err := v.add(t, 0); err != nil {
		return err
	}
	if t.Size() == 0 {
		return fmt.Errorf("it has no size, which C structs do not have; leave it out")
	}
	if v.Struct && t.Size() > 16 {
		return fmt.Errorf("it has %d bytes, and structs above 16 are passed through memory, which is not supported; pass a pointer, in C too",
			t.Size())
	}
	return nil
}
