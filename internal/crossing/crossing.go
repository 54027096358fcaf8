// Package crossing holds the C and the assembly of calls and callbacks, which wherry build
// compiles into programs: the files of folders c and frames, as they are. Package c brings
// the same files into programs that the plain go command builds.
package crossing

import (
	"embed"
	"fmt"
	"io/fs"
	"math/bits"
	"path"
	"regexp"
	"slices"
	"strconv"

	"github.com/wherrygo/wherry/internal/crossing/stat"
	"github.com/wherrygo/wherry/internal/goruntime"
)

//go:embed c/*.c c/*.h c/*.S frames/frames_*.s
var files embed.FS

// The files to compile, in C and in assembly for a C compiler.
const (
	Main     = "crossing.c"
	Assembly = "crossing.S"
)

// A Target says what a program is made for.
type Target struct {
	GOARCH  string
	Offsets goruntime.Offsets
	Static  bool // nothing stands before the C library's functions
	Wraps   bool // C's own calls of crosscall2 come to wherry
	Counts  bool // for wherry stat
	Hidden  bool // a library for a host of its own, whose functions are left alone
}

// Holds reports whether C threads that call Go hold their P. Only where all functions that
// may block are known can C give it back; and such a thread must not enter Go in a way
// that does not know of calls in flight.
func (t Target) Holds() bool { return t.Wraps && !t.Static && !t.Hidden }

// Flags are the macros that c/crossing.c begins with, for the C compiler.
func (t Target) Flags() (flags []string) {
	for macro, on := range map[string]bool{"COUNTS": t.Counts, "INTERPOSES": !t.Static, "HOLDS": t.Holds(), "TRACES": !t.Hidden} {
		if on {
			flags = append(flags, "-D"+macro)
		}
	}
	slices.Sort(flags)
	return flags
}

// Files returns these and what they include but for system headers, by their names. They
// belong into one folder.
func (t Target) Files() (map[string]string, error) {
	texts := map[string]string{}
	err := fs.WalkDir(files, "c", func(name string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		text, err := files.ReadFile(name)
		texts[path.Base(name)] = string(text)
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("crossing: %w", err)
	}
	texts["zoffsets.h"] = t.Offsets.Header("")
	if t.Counts {
		texts["counts.h"] = stat.Declaration + stat.CountHolds("_wherry_holds")
	}
	return texts, nil
}

// Frames returns the functions that Go's unwinder must know, for Go's assembler, which wants
// a go_asm.h with the runtime's offsets, and HOLDS where C threads hold their P.
func Frames(goarch string) (string, error) {
	text, err := files.ReadFile("frames/frames_" + goarch + ".s")
	if err != nil {
		return "", fmt.Errorf("crossing: there is no assembly for %s", goarch)
	}
	return string(text), nil
}

// definition is a number of c/layout.h.
const definition = `(?m)^(?:#if .*defined\(__(\w+)__\)|#(else)|#endif|#define (\w+) (\d+))$`

// Layout returns the numbers of c/layout.h by their names.
func Layout(goarch string) map[string]int64 {
	text, err := files.ReadFile("c/layout.h")
	if err != nil {
		panic(fmt.Sprintf("crossing: BUG: %v", err))
	}
	numbers, holds := map[string]int64{}, true
	for _, m := range regexp.MustCompile(definition).FindAllStringSubmatch(string(text), -1) {
		switch {
		case m[1] != "":
			holds = m[1] == map[string]string{"amd64": "x86_64", "arm64": "aarch64"}[goarch]
		case m[2] != "":
			holds = !holds
		case m[3] == "":
			holds = true
		case holds:
			numbers[m[3]], _ = strconv.ParseInt(m[4], 10, 64)
		}
	}
	return numbers
}

// MaxSize is the largest C stack that can be asked for, in bytes.
const MaxSize = 1 << 30

// Order is the size class of a C stack of at least so many bytes: its size's
// power of two. 0 bytes is the class of the default.
func Order(size int64) int {
	if size == 0 {
		return 0
	}
	return bits.Len64(uint64(size - 1))
}
