package rt

import (
	"debug/dwarf"
	"debug/elf"
	"fmt"
)

// ReadOffsets reads the offsets from the debug information of a Go program,
// so they are those of the very runtime that the program was built with.
// A field that is missing, or that has another size than the assembly
// accesses, is an error: the runtime has changed.
func ReadOffsets(executable string) (Offsets, error) {
	var offsets Offsets
	file, err := elf.Open(executable)
	if err != nil {
		return offsets, fmt.Errorf("rt: reading offsets: %w", err)
	}
	defer file.Close()
	data, err := file.DWARF()
	if err != nil {
		return offsets, fmt.Errorf("rt: reading the debug information of %s: %w", executable, err)
	}
	structs, err := findStructs(data, map[string]bool{"runtime.g": true, "runtime.m": true, "runtime._defer": true})
	if err != nil {
		return offsets, err
	}
	if err := checkVariable(data, "runtime.gomaxprocs", 4); err != nil {
		return offsets, err
	}
	for _, f := range fields {
		offset, err := f.find(structs)
		if err != nil {
			return offsets, err
		}
		*f.get(&offsets) = offset
	}
	if offsets.DHeap+8 > offsets.DSP || offsets.DRangeFunc <= offsets.DHeap || offsets.DRangeFunc >= offsets.DSP {
		return offsets, fmt.Errorf("rt: runtime._defer does not begin with one word for heap and rangefunc")
	}
	return offsets, nil
}

func findStructs(data *dwarf.Data, want map[string]bool) (map[string]*dwarf.StructType, error) {
	found := map[string]*dwarf.StructType{}
	for reader := data.Reader(); len(found) < len(want); {
		entry, err := reader.Next()
		if err != nil {
			return nil, fmt.Errorf("rt: reading debug information: %w", err)
		}
		if entry == nil {
			return found, nil
		}
		name, _ := entry.Val(dwarf.AttrName).(string)
		if entry.Tag != dwarf.TagStructType || !want[name] {
			continue
		}
		typ, err := data.Type(entry.Offset)
		if err != nil {
			return nil, fmt.Errorf("rt: reading debug information of %s: %w", name, err)
		}
		if s, ok := typ.(*dwarf.StructType); ok {
			found[name] = s
		}
	}
	return found, nil
}

// checkVariable checks that the runtime has a variable, which C reads, of so many bytes.
func checkVariable(data *dwarf.Data, name string, size int64) error {
	for reader := data.Reader(); ; {
		entry, err := reader.Next()
		if err != nil {
			return fmt.Errorf("rt: reading debug information: %w", err)
		}
		if entry == nil {
			return fmt.Errorf("rt: the runtime has no variable %s", name)
		}
		if found, _ := entry.Val(dwarf.AttrName).(string); entry.Tag != dwarf.TagVariable || found != name {
			continue
		}
		offset, _ := entry.Val(dwarf.AttrType).(dwarf.Offset)
		typ, err := data.Type(offset)
		if err != nil {
			return fmt.Errorf("rt: reading debug information of %s: %w", name, err)
		}
		if typ.Size() != size {
			return fmt.Errorf("rt: %s has %d bytes, want %d", name, typ.Size(), size)
		}
		return nil
	}
}

func (f field) find(structs map[string]*dwarf.StructType) (int64, error) {
	s := structs[f.path[0]]
	if s == nil {
		return 0, fmt.Errorf("rt: the runtime has no type %s", f.path[0])
	}
	outer, err := member(s, f.path[1])
	if err != nil {
		return 0, err
	}
	offset, typ := outer.ByteOffset, outer.Type
	if f.inner != "" {
		s, ok := underlying(typ).(*dwarf.StructType)
		if !ok {
			return 0, fmt.Errorf("rt: %s.%s is no struct", f.path[0], f.path[1])
		}
		inner, err := member(s, f.inner)
		if err != nil {
			return 0, err
		}
		offset, typ = offset+inner.ByteOffset, inner.Type
	}
	if typ.Size() != f.size {
		return 0, fmt.Errorf("rt: %s has %d bytes, want %d", f.name, typ.Size(), f.size)
	}
	return offset, nil
}

func member(s *dwarf.StructType, name string) (*dwarf.StructField, error) {
	for _, m := range s.Field {
		if m.Name == name {
			return m, nil
		}
	}
	return nil, fmt.Errorf("rt: %s has no field %s", s.StructName, name)
}

func underlying(t dwarf.Type) dwarf.Type {
	for {
		typedef, ok := t.(*dwarf.TypedefType)
		if !ok {
			return t
		}
		t = typedef.Type
	}
}
