package enter

import (
	"embed"
	"fmt"
	"maps"
	"regexp"
	"strconv"
	"strings"

	"github.com/wherrygo/wherry/internal/inflight"
	"github.com/wherrygo/wherry/internal/rt"
)

//go:embed *.gas *.goasm
var templates embed.FS

// hasArgument decides on a tag ARGS n for a function of so many arguments.
func hasArgument(tag string, arguments int) bool {
	nth, ok := strings.CutPrefix(tag, "ARGS ")
	if !ok {
		return true
	}
	n, err := strconv.Atoi(nth)
	return err == nil && n <= arguments
}

var placeholder = regexp.MustCompile(`\b[A-Z][A-Z0-9_]*\b`)

// fill puts words and offsets into a template. A comment can be a tag, which
// keep decides on; other comments are left out.
func fill(file, goarch string, words map[string]string, offsets rt.Offsets, keep func(tag string) bool) ([]string, error) {
	text, err := templates.ReadFile(file)
	if err != nil {
		return nil, fmt.Errorf("enter: no %s", file)
	}
	all := maps.Clone(words)
	if all == nil {
		all = map[string]string{}
	}
	for name, n := range inflight.Names(goarch, offsets) {
		all[name] = strconv.FormatInt(n, 10)
	}
	var lines []string
	for _, line := range strings.Split(string(text), "\n") {
		code, comment, _ := strings.Cut(line, "# ")
		// An arm64 immediate starts with #, but has no space behind it.
		pair := offsets.MVdsoPC == offsets.MVdsoSP+8
		if !keep(comment) || comment == "PAIR" && !pair || comment == "APART" && pair {
			continue
		}
		if code = strings.TrimRight(code, " "); strings.Trim(code, "#\t ") != "" {
			lines = append(lines, placeholder.ReplaceAllStringFunc(code, func(name string) string {
				if value, ok := all[name]; ok {
					return value
				}
				return name
			}))
		}
	}
	return lines, nil
}
