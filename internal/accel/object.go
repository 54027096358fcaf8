package accel

import (
	"debug/elf"
	"encoding/binary"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/wherrygo/wherry/internal/crossing"
)

// libcAllocators are direct without a policy when they are the C library's.
var libcAllocators = []string{"malloc", "calloc", "free"}

// callsOnlyLibc checks in the compiled objects that a twin calls the C
// library's function of that name and nothing else. A macro or a function of
// the package's own could stand behind the same name.
func callsOnlyLibc(objdir, twin, name string) error {
	objects, err := filepath.Glob(filepath.Join(escapeGlob(objdir), "*.o"))
	if err != nil {
		return err
	}
	for _, object := range objects {
		callees, found, err := calleesIn(object, twin)
		if err != nil || !found {
			continue // Go objects, linked files
		}
		if !slices.Equal(callees, []string{name}) {
			return fmt.Errorf("the code behind C.%s refers to %q, not to the C library's %s alone", name, callees, name)
		}
		return isImported(filepath.Join(objdir, "_cgo_.o"), name)
	}
	return fmt.Errorf("found no compiled code for C.%s to check", name)
}

// calleesIn lists the symbols that a function in a relocatable object refers
// to.
func calleesIn(object, function string) (callees []string, found bool, err error) {
	file, err := elf.Open(object)
	if err != nil {
		return nil, false, err
	}
	defer file.Close()
	if file.Type != elf.ET_REL || file.Class != elf.ELFCLASS64 {
		return nil, false, fmt.Errorf("accel: %s is no 64-bit relocatable object", object)
	}
	symbols, err := file.Symbols()
	if err != nil {
		return nil, false, err
	}
	index := slices.IndexFunc(symbols, func(s elf.Symbol) bool {
		return s.Name == function && elf.ST_TYPE(s.Info) == elf.STT_FUNC && int(s.Section) < len(file.Sections)
	})
	if index < 0 || symbols[index].Size == 0 {
		return nil, false, nil
	}
	code := symbols[index]
	for _, section := range file.Sections {
		if section.Type != elf.SHT_RELA || elf.SectionIndex(section.Info) != code.Section {
			continue
		}
		entries, err := section.Data()
		if err != nil {
			return nil, true, err
		}
		for ; len(entries) >= 24; entries = entries[24:] {
			offset := binary.LittleEndian.Uint64(entries)
			symbol := binary.LittleEndian.Uint64(entries[8:]) >> 32
			if offset < code.Value || offset >= code.Value+code.Size {
				continue
			}
			if symbol > 0 && symbol <= uint64(len(symbols)) && counts(file, symbols[symbol-1]) {
				continue
			}
			name := "?"
			if symbol > 0 && symbol <= uint64(len(symbols)) && symbols[symbol-1].Section == elf.SHN_UNDEF {
				name = symbols[symbol-1].Name
			}
			if !slices.Contains(callees, name) {
				callees = append(callees, name)
			}
		}
	}
	return callees, true, nil
}

// counts tells whether a symbol belongs to the counters of wherry stat.
func counts(file *elf.File, symbol elf.Symbol) bool {
	return strings.HasPrefix(symbol.Name, "_wherry_stat_") || symbol.Name == "__start_"+crossing.Section ||
		symbol.Section > 0 && int(symbol.Section) < len(file.Sections) && file.Sections[symbol.Section].Name == crossing.Section
}

// isImported checks that the package's linked C objects take a function from
// a shared library and do not define it themselves.
func isImported(linked, name string) error {
	file, err := elf.Open(linked)
	if err != nil {
		return fmt.Errorf("cannot tell whose %s it is: the package's linked objects cannot be read", name)
	}
	defer file.Close()
	imported, err := file.ImportedSymbols()
	if err != nil {
		return fmt.Errorf("cannot tell whose %s it is: the package's linked objects list no imports", name)
	}
	if !slices.ContainsFunc(imported, func(s elf.ImportedSymbol) bool { return s.Name == name }) {
		return fmt.Errorf("%s is not the C library's: the package's own objects define it", name)
	}
	return nil
}
