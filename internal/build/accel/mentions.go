package accel

import (
	"debug/elf"
	"encoding/binary"
	"strings"
)

// mentions returns the functions of the package's objects whose own code refers to a
// function that the package exports to C: those call it, or pass it on, as to qsort.
// It does not look further, and misses what it cannot read: who calls back in another
// way is found while the program runs.
func (g *gotypes) mentions(objdir string) map[string]bool {
	exported, found := g.exported(), map[string]bool{}
	if len(exported) == 0 {
		return found
	}
	for _, object := range inFolder(objdir, "*.o") {
		if file, err := elf.Open(object); err == nil {
			mentionsIn(file, exported, found)
			file.Close()
		}
	}
	return found
}

func mentionsIn(file *elf.File, names, found map[string]bool) {
	symbols, err := file.Symbols()
	if err != nil || file.Type != elf.ET_REL || file.Class != elf.ELFCLASS64 {
		return
	}
	for _, section := range file.Sections {
		if section.Type != elf.SHT_RELA || int(section.Info) >= len(file.Sections) || file.Sections[section.Info].Flags&elf.SHF_EXECINSTR == 0 {
			continue
		}
		entries, err := section.Data()
		if err != nil {
			return
		}
		for ; len(entries) >= 24; entries = entries[24:] { // Elf64_Rela
			at, symbol := binary.LittleEndian.Uint64(entries), binary.LittleEndian.Uint64(entries[8:])>>32
			if symbol == 0 || symbol > uint64(len(symbols)) || !names[symbols[symbol-1].Name] {
				continue
			}
			for _, s := range symbols {
				if elf.ST_TYPE(s.Info) == elf.STT_FUNC && uint32(s.Section) == section.Info && at >= s.Value && at < s.Value+s.Size {
					found[strings.TrimSuffix(s.Name, ".cold")] = true
				}
			}
		}
	}
}
