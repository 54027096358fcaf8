package tests

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"text/template"
)

// A piece of programs is a file of testdata/programs/pieces: README.md there says how to
// write one.
type piece struct {
	name, text string
	bubble     bool // may run in a bubble of testing/synctest
	rare       bool // changes what others do: a program has one such at most
	keeps      bool // has to stay on its thread's stack, so that no rule may say reentrant
}

// A rendered piece is one whose holes are filled.
type rendered struct {
	name    string // as the program knows it: the piece's with a number
	c, code string
	bubble  bool
}

// readPieces returns the pieces and the names of the types that head.h has for them.
func readPieces(t *testing.T) (pieces []piece, types []string) {
	t.Helper()
	files, err := filepath.Glob("testdata/programs/pieces/*.piece")
	if err != nil || len(files) < 25 {
		t.Fatalf("got the pieces %q, %v; want twenty at least", files, err)
	}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		pieces = append(pieces, piece{
			name:   strings.TrimSuffix(filepath.Base(file), ".piece"),
			text:   string(text),
			bubble: !strings.Contains(string(text), "\n// Not in bubbles"),
			rare:   strings.Contains(string(text), "\n// Rare"),
			keeps:  strings.Contains(string(text), "\n// Never reentrant"),
		})
	}
	head, err := os.ReadFile("testdata/programs/base/head.h")
	if err != nil {
		t.Fatal(err)
	}
	for _, field := range regexp.MustCompile(`(?m)^FIELD\((\w+),`).FindAllStringSubmatch(string(head), -1) {
		types = append(types, field[1])
	}
	return pieces, types
}

// A programSource is a program without its plan: what is compiled.
type programSource struct {
	seed   uint64
	pieces []rendered
	cflags string
	policy string
}

// newProgramSource makes one from a seed: each piece once, but of the rare at most one, and some once more.
func newProgramSource(t *testing.T, seed uint64) *programSource {
	t.Helper()
	random := rand.New(rand.NewPCG(seed, 3))
	pieces, types := readPieces(t)
	source := &programSource{seed: seed}
	source.policy = oneOf(random, "", "", "", "", "", "", "example.com/m * reentrant\n", "example.com/m * fast\n")
	rare := oneOf(random, "", "", rares(pieces)[random.IntN(len(rares(pieces)))])
	for i := range len(pieces) + 8 {
		p := pieces[i%len(pieces)]
		if i >= len(pieces) {
			p = pieces[random.IntN(len(pieces))]
		}
		if p.rare && p.name != rare || p.keeps && strings.Contains(source.policy, "reentrant") {
			continue
		}
		source.pieces = append(source.pieces, p.render(t, i, rand.New(rand.NewPCG(seed, uint64(i)+4)), types))
	}
	source.cflags = "-D_GNU_SOURCE -g " +
		oneOf(random, "-O2", "-O2", "-O0", "-O1", "-O3", "-Os", "-O2 -fno-inline", "-O2 -fno-omit-frame-pointer")
	return source
}

// rares are the names of the pieces of which a program has at most one.
func rares(pieces []piece) (names []string) {
	for _, p := range pieces {
		if p.rare {
			names = append(names, p.name)
		}
	}
	return names
}

func oneOf(random *rand.Rand, words ...string) string { return words[random.IntN(len(words))] }

// A field is what a template knows of a field, a parameter or a variable.
type field struct{ Type, Name string }

// Those that Go may not have in a variable of its own: small numbers in pointers.
var notByValue = []string{"t_opaque", "t_handle"}

// Those of which Go cannot tell that there are no pointers in them.
var notNumbers = []string{"t_union", "t_union_pointer", "t_ldouble", "t_bits", "t_packed"}

// render fills the holes of a piece.
func (p piece) render(t *testing.T, number int, random *rand.Rand, types []string) rendered {
	t.Helper()
	values := slices.DeleteFunc(slices.Clone(types), func(name string) bool { return slices.Contains(notByValue, name) })
	numbers := slices.DeleteFunc(slices.Clone(values), func(name string) bool { return slices.Contains(notNumbers, name) })
	between := func(low, high int) int { return low + random.IntN(high-low+1) }
	some := func(types []string, low, high int) (fields []field) {
		for i := range between(low, high) {
			fields = append(fields, field{oneOf(random, types...), fmt.Sprintf("p%d", i)})
		}
		return fields
	}
	holes := template.FuncMap{
		"int":       between,
		"pick":      func(words ...string) string { return oneOf(random, words...) },
		"list":      func(words ...string) []string { return words },
		"contains":  strings.Contains,
		"fields":    func(low, high int) []field { return some(types, low, high) },
		"numbers":   func(low, high int) []field { return some(numbers, low, high) },
		"values":    func(low, high int) []field { return some(values, low, high) },
		"valuetype": func() string { return oneOf(random, values...) },
		"nums": func(n int) (numbers []int) {
			for i := range n {
				numbers = append(numbers, i)
			}
			return numbers
		},
	}
	filled, err := template.New(p.name).Funcs(holes).Parse(p.text)
	if err != nil {
		t.Fatalf("%s.piece: %v", p.name, err)
	}
	var text bytes.Buffer
	if err := filled.Execute(&text, nil); err != nil {
		t.Fatalf("%s.piece: %v", p.name, err)
	}
	own := strings.ReplaceAll(text.String(), "@", fmt.Sprintf("_%d", number))
	_, own, begins := strings.Cut(own, "\n/*\n")
	c, code, ends := strings.Cut(own, "\n*/\nimport \"C\"\n")
	if !begins || !ends {
		t.Fatalf("%s.piece: want C between the lines /* and */, import \"C\", and then Go", p.name)
	}
	return rendered{fmt.Sprintf("%s_%d", p.name, number), c, code, p.bubble}
}

// write writes the program into a module.
func (s *programSource) write(m *module) {
	m.t.Helper()
	if err := os.CopyFS(m.dir, os.DirFS("testdata/programs/base")); err != nil {
		m.t.Fatal(err)
	}
	var c, list, code strings.Builder
	for i, p := range s.pieces {
		fmt.Fprintf(&c, "\n// %s\n%s\n", p.name, p.c)
		fmt.Fprintf(&list, "\t{%q, piece%s, %v},\n", p.name, p.name[strings.LastIndex(p.name, "_"):], p.bubble)
		fmt.Fprintf(&code, "\n// %d: %s\n%s", i, p.name, p.code)
	}
	around, err := os.ReadFile("testdata/programs/pieces.go.txt")
	if err != nil {
		m.t.Fatal(err)
	}
	m.write("pieces.go", fmt.Sprintf(string(around), c.String(), list.String(), code.String()))
	m.write("go.mod", goMod)
	if s.policy != "" {
		m.write("wherry.policy", s.policy)
	}
	m.env = append(m.env, "CGO_CFLAGS="+s.cflags)
}
