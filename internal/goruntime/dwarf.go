package goruntime

import (
	"debug/dwarf"
	"debug/elf"
	"fmt"
	"strings"
)

// ReadOffsets reads the offsets from the debug information of a Go program,
// so they are those of the very runtime that the program was built with.
// A field that is missing, or that has another size than the assembly
// accesses, is an error: the runtime has changed.
func ReadOffsets(executable string) (Offsets, error) {
	file, err := elf.Open(executable)
	if err != nil {
		return nil, fmt.Errorf("goruntime: reading offsets: %w", err)
	}
	defer file.Close()
	data, err := file.DWARF()
	if err != nil {
		return nil, fmt.Errorf("goruntime: reading the debug information of %s: %w", executable, err)
	}
	entries, err := findEntries(data)
	if err != nil {
		return nil, err
	}
	offsets := Offsets{}
	for _, l := range lines() {
		switch {
		case l.isVariable():
			err = l.checkVariable(data, entries)
		case l.isConstant():
			offsets[l.Name], err = l.findConstant(entries)
		default:
			offsets[l.Name], err = l.findField(data, entries)
		}
		if err != nil {
			return nil, err
		}
	}
	if heap, other := offsets["D_HEAP"], offsets["D_RANGEFUNC"]; heap+8 > offsets["D_SP"] || other <= heap || other >= offsets["D_SP"] {
		return nil, fmt.Errorf("goruntime: runtime._defer does not begin with one word for heap and rangefunc")
	}
	return offsets, nil
}

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
			return nil, fmt.Errorf("goruntime: reading debug information: %w", err)
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
		return nil, fmt.Errorf("goruntime: the runtime has no %s", name)
	}
	offset := entry.Offset
	if tag == dwarf.TagVariable {
		offset, _ = entry.Val(dwarf.AttrType).(dwarf.Offset)
	}
	typ, err := data.Type(offset)
	if err != nil {
		return nil, fmt.Errorf("goruntime: reading debug information of %s: %w", name, err)
	}
	return typ, nil
}

// checkVariable looks whether C and Go code outside of the runtime reads what it expects.
func (l Line) checkVariable(data *dwarf.Data, entries map[entryName]*dwarf.Entry) error {
	name := "runtime." + l.What[1:]
	typ, err := typeOf(data, entries, dwarf.TagVariable, name)
	if err == nil && l.Size != 0 && typ.Size() != l.Size {
		err = fmt.Errorf("goruntime: %s has %d bytes, want %d", name, typ.Size(), l.Size)
	}
	return err
}

func (l Line) findConstant(entries map[entryName]*dwarf.Entry) (int64, error) {
	name := "runtime." + l.What[1:]
	if abi, ok := strings.CutPrefix(l.What[1:], "abi."); ok {
		name = "internal/abi." + abi
	}
	entry := entries[entryName{dwarf.TagConstant, name}]
	if entry == nil {
		return 0, fmt.Errorf("goruntime: the runtime has no constant %s", name)
	}
	value, ok := entry.Val(dwarf.AttrConstValue).(int64)
	if !ok {
		return 0, fmt.Errorf("goruntime: %s is no integer", name)
	}
	return value, nil
}

func (l Line) findField(data *dwarf.Data, entries map[entryName]*dwarf.Entry) (offset int64, err error) {
	name, path := l.path()
	tag := dwarf.TagStructType
	if entries[entryName{tag, name}] == nil {
		tag = dwarf.TagVariable // of a type without a name
	}
	typ, err := typeOf(data, entries, tag, name)
	if err != nil {
		return 0, err
	}
	for _, field := range path {
		s, ok := underlying(typ).(*dwarf.StructType)
		if !ok {
			return 0, fmt.Errorf("goruntime: %s is no struct", name)
		}
		m, err := member(s, field)
		if err != nil {
			return 0, err
		}
		offset, typ, name = offset+m.ByteOffset, m.Type, name+"."+field
	}
	if typ.Size() != l.Size {
		return 0, fmt.Errorf("goruntime: %s has %d bytes, want %d", l.What, typ.Size(), l.Size)
	}
	return offset, nil
}

func member(s *dwarf.StructType, name string) (*dwarf.StructField, error) {
	for _, m := range s.Field {
		if m.Name == name {
			return m, nil
		}
	}
	return nil, fmt.Errorf("goruntime: %s has no field %s", s.StructName, name)
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
