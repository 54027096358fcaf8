package gen

import (
	"bytes"
	_ "embed"
	"fmt"
	"go/format"
	"path/filepath"
	"strings"
	"text/template"
	"unicode"
)

//go:embed stubs.go.tpl
var stubsText string

var stubs = template.Must(template.New("stubs").Parse(stubsText))

// Generate returns the name and the text of the file for a Go file. An error has a line
// for each problem: FILE:LINE:COLUMN: what is wrong and what to do.
func Generate(name string, text []byte) (string, []byte, error) {
	base, ok := strings.CutSuffix(filepath.Base(name), ".go")
	if !ok {
		return "", nil, fmt.Errorf("%s is no Go file", name)
	}
	f, err := parse(name, text)
	if err != nil {
		return "", nil, err
	}
	f.Source, f.Base = base+".go", base
	var b bytes.Buffer
	if err := stubs.Execute(&b, f); err != nil {
		return "", nil, fmt.Errorf("BUG: stubs.go.tpl: %w", err)
	}
	generated, err := format.Source(b.Bytes())
	if err != nil {
		return "", nil, fmt.Errorf("BUG: stubs.go.tpl: %w", err)
	}
	return "z" + base + "_unsafe.go", generated, nil
}

// Title is the file's name as a part of an identifier.
func (f *file) Title() string {
	var b strings.Builder
	upper := true
	for _, r := range f.Base {
		switch {
		case !unicode.IsLetter(r) && !unicode.IsDigit(r):
			upper = true
		case upper:
			b.WriteRune(unicode.ToUpper(r))
			upper = false
		default:
			b.WriteRune(r)
		}
	}
	return b.String()
}
