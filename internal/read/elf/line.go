package elf

import (
	"debug/dwarf"
	"debug/elf"
	"sort"

	"github.com/wherrygo/wherry/internal/printable"
)

// A line table says which source line an instruction comes from.
type lineTable []lineRow

type lineRow struct {
	addr uint64
	file string
	line int
}

// Line returns the source of an instruction, where the file has debug
// information. The first call reads it.
func (m *Image) Line(addr uint64) (file string, line int) {
	for i := range m.files {
		f := &m.files[i]
		if addr-f.bias >= f.text {
			continue
		}
		if !f.read {
			f.read = true
			f.lines = readLines(f.file)
		}
		at := addr - f.bias
		n := sort.Search(len(f.lines), func(n int) bool { return f.lines[n].addr > at })
		if n > 0 && f.lines[n-1].line > 0 {
			return printable.Line(f.lines[n-1].file), f.lines[n-1].line
		}
	}
	return "", 0
}

func readLines(file *elf.File) (table lineTable) {
	defer func() {
		if recover() != nil {
			table = nil // debug information is a help, not a need
		}
	}()
	if size := inflated(file); size == 0 || size > maxInflated {
		return nil
	}
	data, err := file.DWARF()
	if err != nil {
		return nil
	}
	for units := data.Reader(); ; {
		unit, err := units.Next()
		if err != nil || unit == nil {
			break
		}
		if unit.Tag == dwarf.TagCompileUnit {
			if lines, err := data.LineReader(unit); err == nil && lines != nil {
				var e dwarf.LineEntry
				for lines.Next(&e) == nil {
					row := lineRow{addr: e.Address}
					if !e.EndSequence && e.File != nil {
						row.file, row.line = e.File.Name, e.Line
					}
					table = append(table, row)
				}
			}
		}
		units.SkipChildren()
	}
	sort.SliceStable(table, func(i, j int) bool { return table[i].addr < table[j].addr })
	return table
}
