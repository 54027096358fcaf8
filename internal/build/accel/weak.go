package accel

import (
	"debug/elf"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
)

// replaceable names the functions of a package's objects whose place another
// package's function of the same name takes, when the program is linked: the
// weak ones. Not those in section groups, which C++ compilers write for inline
// functions and templates: there every definition is the same. The linked file does not
// tell.
func replaceable(objdir string) ([]string, error) {
	var names []string
	for _, object := range inFolder(objdir, "*.o") {
		found, err := weakFunctions(object)
		if err != nil {
			return nil, fmt.Errorf("reading %s: %w", filepath.Base(object), err)
		}
		names = append(names, found...)
	}
	slices.Sort(names)
	return slices.Compact(names), nil
}

// weakFunctions returns nothing of a file that is no relocatable object.
func weakFunctions(object string) ([]string, error) {
	file, err := elf.Open(object)
	if format := (*elf.FormatError)(nil); errors.As(err, &format) {
		return nil, nil // Go's own
	}
	if err != nil {
		return nil, err
	}
	defer file.Close()
	if file.Type != elf.ET_REL {
		return nil, nil
	}
	symbols, err := file.Symbols()
	if errors.Is(err, elf.ErrNoSymbols) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	var names []string
	for _, s := range symbols {
		kind := elf.ST_TYPE(s.Info)
		if elf.ST_BIND(s.Info) != elf.STB_WEAK || kind == elf.STT_OBJECT || s.Section == elf.SHN_UNDEF || strings.HasPrefix(s.Name, "_wherry_") {
			continue
		}
		if int(s.Section) < len(file.Sections) && file.Sections[s.Section].Flags&elf.SHF_GROUP != 0 {
			continue
		}
		names = append(names, s.Name)
	}
	return names, nil
}
