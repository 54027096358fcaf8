package libc

import (
	"cmp"
	"debug/elf"
	"fmt"
	"slices"
	"strconv"
	"strings"
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
			return nil, fmt.Errorf("libc: reading %s: %w", path, err)
		}
		symbols, err := file.DynamicSymbols()
		file.Close()
		if err != nil {
			return nil, fmt.Errorf("libc: reading %s: %w", path, err)
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

// everywhere are functions that each dynamic program with cgo asks for: without
// their versions it does not start. A shared library starts without the first.
var everywhere = []string{"__libc_start_main", "pthread_create", "pthread_sigmask", "pthread_getattr_np", "pthread_key_create"}

// leastRelease is the release of glibc that wherry's own C asks for: 2.17.
const leastRelease = 17

// Oldest is the release of glibc, the number after "2.", that has what each program asks for
// that is linked with this one. A program does not start on an older one.
func (l Library) Oldest() int {
	oldest := leastRelease
	for _, name := range everywhere {
		oldest = max(oldest, l.release(name))
	}
	return oldest
}

// release is the release of glibc that has the version of a function that programs are linked
// with, or 0 where the library does not tell.
func (l Library) release(name string) (minor int) {
	linked, _ := l.Linked(name)
	if text, ok := strings.CutPrefix(linked.Name, "GLIBC_2."); ok {
		text, _, _ = strings.Cut(text, ".")
		minor, _ = strconv.Atoi(text)
	}
	return minor
}

// Always reports whether each C library on which the program starts has a function: so a program
// that defines it is no surprise to who asks by a weak reference whether it is there. A nil
// Library is one that nobody knows; one without versions does not tell, and has what it has.
func (l Library) Always(f Function) bool {
	if l == nil {
		return f.Since == ""
	}
	_, there := l.Linked(f.Name)
	return there && l.release(f.Name) <= l.Oldest()
}

// Unseen returns the functions that a program may call, which may wait, and which it does not
// define since an older C library on which it starts has none.
func (l Library) Unseen() (unseen []Function) {
	for _, f := range whole().functions {
		if _, there := l.Linked(f.Name); (there || l == nil) && (f.Kind == Blocks || f.Kind == Tries) && !l.Always(f) {
			unseen = append(unseen, f)
		}
	}
	return unseen
}
