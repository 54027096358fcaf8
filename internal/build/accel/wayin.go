package accel

import (
	"bytes"
	"cmp"
	"encoding/binary"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
)

// Go's assembly may enter Go as C does: its callers are C, through a pointer, so that no one
// can read which functions of C come there, and github.com/ebitengine/purego makes function
// pointers so. During a call in flight that needs more than crosscall2 does. C's own calls of it
// are redirected by the external linker, which takes those in Go's objects for settled. So Go's
// linker reads copies of such objects, in which the name is another. Other assembly, made by
// another command line, would lie in the build cache under the keys of plain builds.
const (
	wayIn    = "crosscall2"
	ownWayIn = "_wherry_in" // in callback_ARCH.S, and as long
)

// searched is what the objects of the program's own packages, those of Go, refer to.
type searched struct {
	setsTraceback bool     // runtime.SetCgoTraceback, which works once in a program: it is left to that package then
	enter         []string // the archives that refer to crosscall2
}

// search reads the names that they have.
func (c *Config) search(lines []string) (found searched, err error) {
	for _, archive := range c.ownArchives(lines) {
		var failed error
		enters := false
		err := membersOf(archive, func(head []byte, content *io.SectionReader) bool {
			var text []byte
			if isGoObject(head, content) {
				text, failed = io.ReadAll(content)
			}
			if bytes.Contains(text, []byte(wayIn)) && !bytes.Contains(text, []byte(objectEnd+objectMagic)) {
				failed = fmt.Errorf("accel: %s: an object that names %s is of another format than %q, so calls of that cannot be "+
					"redirected; build with a Go that wherry was tried with, or by go build", archive, wayIn, objectMagic[1:])
			}
			found.setsTraceback = found.setsTraceback || bytes.Contains(names(text), []byte("runtime.SetCgoTraceback"))
			enters = enters || reference(text, wayIn) >= 0
			return failed == nil
		})
		if err = cmp.Or(err, failed); err != nil {
			return found, err
		}
		if enters {
			found.enter = append(found.enter, archive)
		}
	}
	return found, nil
}

// isGoObject reports whether a member of an archive is one, and not what importers read.
func isGoObject(head []byte, content *io.SectionReader) bool {
	const begin = "go object "
	var text [len(begin)]byte
	n, _ := content.ReadAt(text[:], 0)
	return string(text[:n]) == begin && !bytes.HasPrefix(head, []byte("__.PKGDEF"))
}

// An object of Go's has lines of text, with such an end, and then begins so.
const objectEnd, objectMagic = "\n!\n", "\x00go120ld"

// In an object of Go numbers have four bytes and are counted from the magic. Behind that are a
// fingerprint and flags, and where its tables are; before the first of these are all names. See
// cmd/internal/goobj/objfile.go.
const objectTables = len(objectMagic) + 8 + 4

// names returns the part of an object of Go that has all names which it defines or refers to, and
// none of what a program prints or embeds; or the whole object, if it is of another format.
func names(object []byte) []byte {
	_, behind, ok := bytes.Cut(object, []byte(objectEnd+objectMagic))
	first := objectTables - len(objectMagic)
	if !ok || len(behind) < first+4 {
		return object
	}
	end := int(binary.LittleEndian.Uint32(behind[first:])) - len(objectMagic)
	if end < first || end > len(behind) {
		return object
	}
	return behind[:end]
}

// reference returns where an object of Go has a name that it refers to and that has no package,
// or -1. The table of such references has a line of 21 for each, which begins with the name's length
// and place.
func reference(object []byte, name string) int {
	const references, line = objectTables + 7*4, 21
	start := bytes.Index(object, []byte(objectEnd+objectMagic)) + len(objectEnd)
	if start < len(objectEnd) || !bytes.Contains(object, []byte(name)) {
		return -1
	}
	number := func(at int) int {
		if at < 0 || at > len(object)-start-4 {
			return -1
		}
		return int(binary.LittleEndian.Uint32(object[start+at:]))
	}
	for at, end := number(references), number(references+4); at >= 0 && at <= end-line; at += line {
		if place := number(at + 4); number(at) == len(name) && place >= 0 &&
			bytes.HasPrefix(object[min(start+place, len(object)):], []byte(name)) {
			return start + place
		}
	}
	return -1
}

// renamed has the linker read copies of archives, in which crosscall2 has another name.
func (c *Config) renamed(args, lines, archives []string) ([]string, error) {
	if len(archives) == 0 {
		return args, nil
	}
	args, lines = slices.Clone(args), slices.Clone(lines)
	for _, archive := range archives {
		renamed, err := c.rename(archive)
		if err != nil {
			return nil, err
		}
		for i, line := range lines {
			if path, ok := strings.CutSuffix(line, "="+archive); ok && strings.HasPrefix(line, "packagefile ") {
				lines[i] = path + "=" + renamed
			}
		}
		if last := &args[len(args)-1]; *last == archive {
			*last = renamed
		}
	}
	file := flagValue(args, importConfig) + ".renamed"
	if err := os.WriteFile(file, []byte(strings.Join(lines, "\n")), 0o666); err != nil {
		return nil, fmt.Errorf("accel: %w", err)
	}
	return append([]string{importConfig + "=" + file}, without(args, importConfig)...), nil
}

// rename makes such a copy, beside the configuration.
func (c *Config) rename(archive string) (string, error) {
	text, err := os.ReadFile(archive)
	if err != nil {
		return "", fmt.Errorf("accel: %w", err)
	}
	err = membersOf(archive, func(head []byte, content *io.SectionReader) bool {
		if isGoObject(head, content) {
			_, at, size := content.Outer()
			if i := reference(text[at:at+size], wayIn); i >= 0 {
				copy(text[int(at)+i:], ownWayIn)
			}
		}
		return true
	})
	if err != nil {
		return "", err
	}
	file, err := os.CreateTemp(c.dir, "renamed-*.a")
	if err != nil {
		return "", fmt.Errorf("accel: %w", err)
	}
	if _, err := file.Write(text); err != nil {
		return "", fmt.Errorf("accel: %w", err)
	}
	return file.Name(), file.Close()
}
