package accel

import (
	"debug/elf"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/wherrygo/wherry/internal/libc"
	"github.com/wherrygo/wherry/internal/regular"
)

// A linker takes a definition of the program's own before wherry's, which is weak; but not
// where the one is a variable of each thread and the other is a function. So names of the
// C library's that the program has for such variables are left to it. (sigaction is never
// one: cgo's own C calls it.)

// taken returns them, sorted: those of the objects in archives, and in files that the
// external linker is given beside.
func taken(archives []string, externalFlags string) (names []string, err error) {
	for _, archive := range archives {
		found, err := takenIn(archive)
		if err != nil {
			return nil, err
		}
		names = append(names, found...)
	}
	for _, word := range strings.Fields(externalFlags) {
		if extension := filepath.Ext(word); word[0] != '-' && (extension == ".a" || extension == ".o") {
			found, _ := takenIn(word) // the linker says what is wrong with it
			names = append(names, found...)
		}
	}
	slices.Sort(names)
	return slices.Compact(names), nil
}

// takenIn looks into an archive, or an object.
func takenIn(path string) (names []string, err error) {
	if filepath.Ext(path) != ".o" {
		err = membersOf(path, func(_ []byte, content *io.SectionReader) bool {
			names = append(names, threadVariables(content)...)
			return true
		})
		return names, err
	}
	file, _, err := regular.Opener(os.OpenFile).Open(path)
	if err != nil {
		return nil, fmt.Errorf("accel: %w", err)
	}
	defer file.Close()
	return threadVariables(file), nil
}

// threadVariables lists the names of the C library's functions that an object has for variables of
// each thread. What is no object has none.
func threadVariables(object io.ReaderAt) (names []string) {
	file, err := elf.NewFile(object)
	if err != nil {
		return nil
	}
	symbols, _ := file.Symbols() // none, or what the linker refuses
	for _, s := range symbols {
		if f, known := libc.Lookup(s.Name); known && f.Kind > libc.Brief && elf.ST_TYPE(s.Info) == elf.STT_TLS &&
			elf.ST_BIND(s.Info) != elf.STB_LOCAL {
			names = append(names, s.Name)
		}
	}
	return names
}
