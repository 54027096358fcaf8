package accel

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"

	"github.com/wherrygo/wherry/internal/build/gotool"
)

// linksLibrary reports whether the external linker is given the C library by name, by a package's
// LDFLAGS or by a user's flags: so it comes before wherry's object, and not last, as the compiler names it.
// Lists of libraries that other compilers print have it.
func linksLibrary(archives []string, externalFlags string) (bool, error) {
	words := gotool.SplitQuoted(externalFlags)
	for _, archive := range archives {
		flags, err := linkerFlags(archive)
		if err != nil {
			return false, err
		}
		words = append(words, flags...)
	}
	return slices.ContainsFunc(words, namesLibrary), nil
}

// namesLibrary is asked about one word, which may be the value of a flag such as -l.
func namesLibrary(word string) bool {
	return slices.ContainsFunc(strings.Split(word, ","), func(part string) bool {
		name, _ := strings.CutPrefix(part, "-l")
		name, _ = strings.CutPrefix(name, "--library=")
		name, _ = strings.CutPrefix(name, ":")
		return name == "c" || strings.HasPrefix(filepath.Base(name), "libc.so")
	})
}

// linkerFlags are those that a package's archive has for the external linker: cgo says them to the
// compiler, which writes them behind such a line of the object.
func linkerFlags(archive string) (flags []string, err error) {
	const line = "\n$$  // cgo\n"
	var failed error
	err = membersOf(archive, func(head []byte, content *io.SectionReader) bool {
		if !isGoObject(head, content) {
			return true
		}
		var text []byte
		if text, failed = io.ReadAll(content); failed != nil {
			return false
		}
		text, _, _ = bytes.Cut(text, []byte(objectEnd+objectMagic))
		_, said, found := bytes.Cut(text, []byte(line))
		var directives [][]string
		if found {
			failed = json.NewDecoder(bytes.NewReader(said)).Decode(&directives)
		}
		if failed != nil {
			failed = fmt.Errorf("accel: %s: what cgo has said to the linker: %w", archive, failed)
		}
		for _, d := range directives {
			if len(d) == 2 && d[0] == "cgo_ldflag" {
				flags = append(flags, d[1])
			}
		}
		return failed == nil
	})
	return flags, cmp.Or(err, failed)
}
