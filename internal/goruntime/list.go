// Package goruntime holds everything that depends on the inside of Go's runtime: what the
// crossing relies on (runtime.list), which Go versions are understood, where a toolchain's
// runtime keeps these things, and how each of those facts was verified. CONTRIBUTING.md
// lists what else a new Go version needs.
package goruntime

import (
	_ "embed"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"sync"
)

//go:generate go run ./write ../..

//go:embed runtime.list
var listText string

// A Line is one of runtime.list.
type Line struct {
	Name string // in C, in assembly and in Go; "" of a variable
	What string // a field, =CONSTANT or &VARIABLE of the runtime
	Size int64  // bytes; 0: any
	At   []int  // its offset, by the versions of the list's head; nil: only builds by wherry use it
	Why  string
}

// The kinds of lines.
func (l Line) isConstant() bool { return l.What[0] == '=' }
func (l Line) isVariable() bool { return l.What[0] == '&' }

// path returns the name of a field's type and the fields that lead to it.
func (l Line) path() (typ string, fields []string) {
	words := strings.Split(l.What, ".")
	if words[0] == "abi" {
		return "internal/abi." + words[1], words[2:]
	}
	return "runtime." + words[0], words[1:]
}

// List returns runtime.list, and the minor versions of Go from which on a column of it holds.
var List = sync.OnceValues(func() ([]Line, []int) { return parse(listText) })

// lines are those of the list.
func lines() []Line {
	lines, _ := List()
	return lines
}

// parse panics where the list is not as its head says: it is part of this package.
func parse(text string) (lines []Line, versions []int) {
	number := func(word string) int {
		n, err := strconv.Atoi(word)
		if err != nil {
			panic(fmt.Sprintf("goruntime: BUG: runtime.list: %v", err))
		}
		return n
	}
	for line := range strings.Lines(text) {
		words := strings.Fields(line)
		switch {
		case len(words) > 3 && words[1] == "name" && words[2] == "what":
			for _, word := range words {
				if minor, ok := strings.CutPrefix(word, "go1."); ok {
					versions = append(versions, number(minor))
				}
			}
			continue
		case len(words) == 0 || words[0] == "#":
			continue
		}
		n := 3 + len(versions)
		l := Line{Name: strings.Trim(words[0], "-"), What: words[1], Why: strings.Join(words[n:], " ")}
		if words[2] != "-" {
			l.Size = int64(number(words[2]))
		}
		if words[3] != "-" {
			for _, word := range words[3:n] {
				l.At = append(l.At, number(word))
			}
		}
		lines = append(lines, l)
	}
	return lines, versions
}

// Names returns the names of fields and constants.
func Names() (names []string) {
	for _, l := range lines() {
		if !l.isVariable() {
			names = append(names, l.Name)
		}
	}
	return names
}

// Offsets say where a runtime keeps what the list has, by its names: byte offsets, and the
// values of constants.
type Offsets map[string]int64

// Header returns them as macros, whose names begin so: with const_ they are for Go's
// assembler, as the compiler writes a package's constants.
func (o Offsets) Header(prefix string) string {
	var text strings.Builder
	for _, name := range slices.Sorted(maps.Keys(o)) {
		fmt.Fprintf(&text, "#define %s%s %d\n", prefix, name, o[name])
	}
	return text.String()
}

// largestStruct is more than any of the runtime's structs has, in bytes.
const largestStruct = 1 << 26

// plausible reports whether a file can be a whole answer: it has all names of the list; all
// fields of a struct differ and lie in it, and none is at its begin that the list has elsewhere.
func (o Offsets) plausible() bool {
	seen := map[[2]any]bool{}
	for _, l := range lines() {
		if l.isVariable() {
			continue
		}
		offset, ok := o[l.Name]
		place, _ := l.path()
		key := [2]any{place, offset}
		switch {
		case !ok, seen[key]:
			return false
		case l.isConstant():
			if offset == 0 && l.Name != "ARENA_BASE" {
				return false
			}
		case offset < 0, offset >= largestStruct, offset == 0 && l.At != nil && !slices.Contains(l.At, 0):
			return false
		}
		seen[key] = true
	}
	return true
}

// A Fact is one verified statement about the runtime, for wherry doctor.
type Fact struct {
	Name  string `json:"name"`
	Value string `json:"value"`
	Why   string `json:"why"`
	How   string `json:"verified_by"`
}

// Facts lists the offsets with what each is for.
func (o Offsets) Facts(how string) []Fact {
	var facts []Fact
	for _, l := range lines() {
		switch {
		case l.isVariable():
		case l.isConstant():
			facts = append(facts, Fact{l.What[1:], fmt.Sprintf("%#x", uint64(o[l.Name])), l.Why, how})
		default:
			facts = append(facts, Fact{l.What, fmt.Sprintf("offset %d, %d byte", o[l.Name], l.Size), l.Why, how})
		}
	}
	return facts
}
