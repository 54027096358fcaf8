package blocking

import (
	"cmp"
	"debug/elf"
	"fmt"
	"slices"
)

// A Library is what a C library exports for programs: the versions of each function.
type Library map[string][]Version

// A Version is one of a function. A C library without versions has one, without a name.
type Version struct {
	Name   string
	Hidden bool   // not what programs are linked with
	Oldest bool   // of the library's first set of versions
	Value  uint64 // the address of its code
}

// ReadLibrary reads the shared libraries that a C library consists of. A function that
// several of them have is the first one's.
func ReadLibrary(paths []string) (Library, error) {
	all := Library{}
	for _, path := range paths {
		file, err := elf.Open(path)
		if err != nil {
			return nil, fmt.Errorf("blocking: reading %s: %w", path, err)
		}
		symbols, err := file.DynamicSymbols()
		file.Close()
		if err != nil {
			return nil, fmt.Errorf("blocking: reading %s: %w", path, err)
		}
		here := Library{}
		for _, s := range symbols {
			kind := elf.ST_TYPE(s.Info)
			if s.Section == elf.SHN_UNDEF || s.Version == "GLIBC_PRIVATE" || kind != elf.STT_FUNC && kind != elf.STT_GNU_IFUNC {
				continue
			}
			here[s.Name] = append(here[s.Name], Version{s.Version, s.VersionIndex.IsHidden(), s.VersionIndex.Index() == 2, s.Value})
		}
		for name, versions := range here {
			if all[name] == nil {
				all[name] = versions
			}
		}
	}
	return all, nil
}

// Linked returns the version that programs are linked with, or were.
func (l Library) Linked(name string) (Version, bool) {
	versions := l[name]
	if len(versions) == 0 {
		return Version{}, false
	}
	if i := slices.IndexFunc(versions, func(v Version) bool { return !v.Hidden }); i >= 0 {
		return versions[i], true
	}
	return versions[len(versions)-1], true
}

// Differs reports whether a program that asks for another version of a function than
// it is linked with gets other code.
func (l Library) Differs(name string) bool {
	byCode := func(a, b Version) int { return cmp.Compare(a.Value, b.Value) }
	versions := slices.SortedFunc(slices.Values(l[name]), byCode)
	return len(versions) > 1 && byCode(versions[0], versions[len(versions)-1]) != 0
}
