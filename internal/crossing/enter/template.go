package enter

import (
	"embed"
	"fmt"
	"maps"
	"regexp"
	"strconv"
	"strings"

	"github.com/wherrygo/wherry/internal/crossing"
)

//go:embed *.gas
var templates embed.FS

// sizes are those of what the macros save, in bytes.
var sizes = map[string]map[string]int64{
	"amd64": {"ARGUMENTS": 176, "RESULTS": 32, "SAVED": 48},
	"arm64": {"ARGUMENTS": 208, "RESULTS": 48, "SAVED": 160},
}

// hasArgument decides on a tag ARGS n for a function of so many arguments.
func hasArgument(tag string, arguments int) bool {
	nth, ok := strings.CutPrefix(tag, "ARGS ")
	if !ok {
		return true
	}
	n, err := strconv.Atoi(nth)
	return err == nil && n <= arguments
}

var (
	tags = regexp.MustCompile(`^(ARGS [1-8]|CHECK|SHORT|OPEN|TWO|REGISTERS|EXPORTED|CLOSURE|FRAME|PAIR|APART|` +
		`NAMED|BOUND|WARY|FULL|VIA)$`)
	shouted     = regexp.MustCompile(`^[A-Z]+( [0-9])?$`)
	placeholder = regexp.MustCompile(`\b[A-Z][A-Z0-9_]*\b`)
	macroUse    = regexp.MustCompile(`^([0-9]+:)?\t([A-Z_]+)$`)
)

// A template is a file of assembly with the names that stand for something in it.
type template struct {
	file   string
	words  map[string]string
	macros map[string][]string
	keep   func(tag string) bool
	pair   bool // m.vdsoSP and m.vdsoPC are neighbours
}

// fill puts words, offsets and macros into a template. A comment can be a tag, which
// keep decides on; other comments are left out. A tag or a name that nobody knows is an
// error.
func fill(file, goarch string, words map[string]string, offsets Offsets, keep func(tag string) bool) ([]string, error) {
	t := template{file: file, words: map[string]string{}, keep: keep, pair: offsets.pair()}
	for name, n := range crossing.Layout(goarch) {
		t.words[name] = strconv.FormatInt(n, 10)
	}
	for name, n := range sizes[goarch] {
		t.words[name] = strconv.FormatInt(n, 10)
	}
	maps.Copy(t.words, offsets)
	maps.Copy(t.words, words)
	text, err := templates.ReadFile(file)
	if err == nil {
		t.macros, err = readMacros("macros_" + goarch + ".gas")
	}
	if err != nil {
		return nil, fmt.Errorf("enter: no %s for %s", file, goarch)
	}
	return t.lines(strings.Split(string(text), "\n"))
}

func (t *template) lines(text []string) (lines []string, err error) {
	for i, line := range text {
		code, comment, _ := strings.Cut(line, "# ")
		if shouted.MatchString(comment) && !tags.MatchString(comment) {
			return nil, fmt.Errorf("enter: %s:%d: unknown tag %q: want one that matches %v", t.file, i+1, comment, tags)
		}
		if !t.keep(comment) || comment == "PAIR" && !t.pair || comment == "APART" && t.pair {
			continue
		}
		code = strings.TrimRight(code, " ")
		if strings.Trim(code, "#\t ") == "" { // an arm64 immediate starts with #, but has no space behind it
			continue
		}
		if use := macroUse.FindStringSubmatch(code); use != nil && t.macros[use[2]] != nil {
			if use[1] != "" {
				lines = append(lines, use[1])
			}
			more, err := t.lines(t.macros[use[2]])
			if err != nil {
				return nil, err
			}
			lines = append(lines, more...)
			continue
		}
		unknown := ""
		filled := placeholder.ReplaceAllStringFunc(code, func(name string) string {
			value, ok := t.words[name]
			if ok {
				return value
			}
			unknown = name
			return name
		})
		if unknown != "" {
			return nil, fmt.Errorf("enter: %s:%d: unknown name %s: want a name of runtime.list, of layout.h, or a macro", t.file, i+1,
				unknown)
		}
		lines = append(lines, filled)
	}
	return lines, nil
}

// readMacros reads the bodies between .macro NAME and .endm.
func readMacros(file string) (map[string][]string, error) {
	text, err := templates.ReadFile(file)
	if err != nil {
		return nil, err
	}
	macros, name := map[string][]string{}, ""
	for line := range strings.Lines(string(text)) {
		line = strings.TrimSuffix(line, "\n")
		if begun, ok := strings.CutPrefix(line, ".macro "); ok {
			name = begun
		} else if line == ".endm" {
			name = ""
		} else if name != "" {
			macros[name] = append(macros[name], line)
		}
	}
	return macros, nil
}
