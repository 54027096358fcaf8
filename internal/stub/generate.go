package stub

import (
	"bytes"
	"embed"
	"fmt"
	"go/format"
	"path/filepath"
	"strings"
	"text/template"
	"unicode"

	"github.com/wherrygo/wherry/internal/rt/self"
)

//go:embed *.tpl
var templates embed.FS

// Generate returns the files for a Go file, by their names. An error has a line
// for each problem: FILE:LINE:COLUMN: what is wrong and what to do.
func Generate(name string, text []byte) (map[string][]byte, error) {
	base, ok := strings.CutSuffix(filepath.Base(name), ".go")
	if !ok {
		return nil, fmt.Errorf("%s is no Go file", name)
	}
	f, err := parse(name, text)
	if err != nil {
		return nil, err
	}
	f.Source, f.Base = base+".go", base
	files := map[string][]byte{}
	for _, out := range []struct{ template, name string }{
		{"bind.go.tpl", "z" + base + "_unsafe.go"},
		{"stubs.go.tpl", "z" + base + "_stubs.go"},
		{"other.go.tpl", "z" + base + "_other.go"},
		{"amd64.s.tpl", "z" + base + "_amd64.s"},
		{"arm64.s.tpl", "z" + base + "_arm64.s"},
	} {
		text, err := f.fill(out.template)
		if err == nil && strings.HasSuffix(out.name, ".go") {
			text, err = format.Source(text)
		}
		if err != nil {
			return nil, fmt.Errorf("BUG: %s: %w", out.template, err)
		}
		files[out.name] = text
	}
	return files, nil
}

func (f *file) fill(name string) ([]byte, error) {
	functions := template.FuncMap{
		"stackguard0": func() int { return self.GStackGuard0 }, "m": func() int { return self.GM },
		"sched_sp": func() int { return self.GSchedSP }, "g0": func() int { return self.MG0 },
	}
	for _, m := range machines {
		if strings.HasPrefix(name, m.arch) {
			functions["arguments"], functions["result"] = m.arguments, m.result
		}
	}
	if functions["result"] == nil {
		functions["arguments"], functions["result"] = func(function) string { return "" }, func(function) string { return "" }
	}
	t, err := template.New(name).Funcs(functions).ParseFS(templates, name)
	if err != nil {
		return nil, err
	}
	var b bytes.Buffer
	err = t.Execute(&b, f)
	return b.Bytes(), err
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

// Unsafe reports whether a signature names unsafe.Pointer.
func (f *file) Unsafe() bool {
	for _, fn := range f.Functions {
		if strings.Contains(fn.Signature(), "unsafe.Pointer") {
			return true
		}
	}
	return false
}
