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
	entries, err := findEntries(data)
	if err != nil {
		return offsets, err
	}
	for _, f := range fields {
		if *f.get(&offsets), err = f.find(data, entries); err != nil {
			return offsets, err
		}
	}
	for _, c := range constants {
		if *c.get(&offsets), err = c.find(entries); err != nil {
			return offsets, err
		}
	}
	for name, size := range variables {
		typ, err := typeOf(data, entries, dwarf.TagVariable, name)
		if err != nil {
			return offsets, err
		}
		if size != 0 && typ.Size() != size {
			return offsets, fmt.Errorf("rt: %s has %d bytes, want %d", name, typ.Size(), size)
		}
	}
	if offsets.DHeap+8 > offsets.DSP || offsets.DRangeFunc <= offsets.DHeap || offsets.DRangeFunc >= offsets.DSP {
		return offsets, fmt.Errorf("rt: runtime._defer does not begin with one word for heap and rangefunc")
	}
	return offsets, nil
}

// variables are what C and Go code outside of the runtime reads, with their sizes in
// bytes; 0: a struct, whose fields are in the table.
var variables = map[string]int64{"runtime.gomaxprocs": 4, "runtime.mheap_": 0, "runtime.firstmoduledata": 0, "runtime.debug": 0}

// An entryName names an entry of the debug information.
type entryName struct {
	tag  dwarf.Tag
	name string
}

// findEntries returns all entries of the program that have a name.
func findEntries(data *dwarf.Data) (map[entryName]*dwarf.Entry, error) {
	entries := map[entryName]*dwarf.Entry{}
	for reader := data.Reader(); ; {
		entry, err := reader.Next()
		if err != nil {
			return nil, fmt.Errorf("rt: reading debug information: %w", err)
		}
		if entry == nil {
			return entries, nil
		}
		if name, ok := entry.Val(dwarf.AttrName).(string); ok {
			entries[entryName{entry.Tag, name}] = entry
		}
		if entry.Tag == dwarf.TagSubprogram {
			reader.SkipChildren()
		}
	}
}

// typeOf returns the type of a variable, or that an entry declares.
func typeOf(data *dwarf.Data, entries map[entryName]*dwarf.Entry, tag dwarf.Tag, name string) (dwarf.Type, error) {
	entry := entries[entryName{tag, name}]
	if entry == nil {
		return nil, fmt.Errorf("rt: the runtime has no %s", name)
	}
	offset := entry.Offset
	if tag == dwarf.TagVariable {
		offset, _ = entry.Val(dwarf.AttrType).(dwarf.Offset)
	}
	typ, err := data.Type(offset)
	if err != nil {
		return nil, fmt.Errorf("rt: reading debug information of %s: %w", name, err)
	}
	return typ, nil
}

func (c constant) find(entries map[entryName]*dwarf.Entry) (int64, error) {
	entry := entries[entryName{dwarf.TagConstant, c.name}]
	if entry == nil {
		return 0, fmt.Errorf("rt: the runtime has no constant %s", c.name)
	}
	value, ok := entry.Val(dwarf.AttrConstValue).(int64)
	if !ok {
		return 0, fmt.Errorf("rt: %s is no integer", c.name)
	}
	return value, nil
}

func (f field) find(data *dwarf.Data, entries map[entryName]*dwarf.Entry) (int64, error) {
	tag := dwarf.TagStructType
	if entries[entryName{tag, f.path[0]}] == nil {
		tag = dwarf.TagVariable // of a type without a name
	}
	declared, err := typeOf(data, entries, tag, f.path[0])
	if err != nil {
		return 0, err
	}
	s, ok := declared.(*dwarf.StructType)
	if !ok {
		return 0, fmt.Errorf("rt: %s is no struct", f.path[0])
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
