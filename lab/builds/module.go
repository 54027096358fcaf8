package main

import (
	"embed"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"text/template"
)

const cFiles, functions = 24, 20

//go:embed *.tpl
var files embed.FS

var templates = template.Must(template.ParseFS(files, "*.tpl"))

// A module is the package that is built. Each change adds a line or a number that it never had.
type module struct {
	dir    string
	goStd  string // a build cache
	copies int

	lines []int
	added int // by the C file that changes
}

func newModule(dir string) (*module, error) {
	m := &module{dir: dir, lines: []int{0}}
	if err := os.Mkdir(dir, 0o777); err != nil {
		return nil, err
	}
	if err := os.WriteFile(filepath.Join(dir, "go.mod"), []byte("module example.com/builds\n\ngo 1.24\n"), 0o666); err != nil {
		return nil, err
	}
	for i := range cFiles {
		if err := m.write(fmt.Sprintf("part%d.c", i), "part.c.tpl", map[string]any{"Part": i, "Functions": functions, "Added": 0}); err != nil {
			return nil, err
		}
	}
	return m, m.changeGo()
}

// prints is what the program prints: the function k of a part adds k to the sum that comes from k-1.
func (m *module) prints() string {
	return fmt.Sprintf("%d\n", cFiles*functions*(functions-1)/2+m.added+len(m.lines))
}

func (m *module) changeGo() error {
	m.lines = append(m.lines, len(m.lines))
	return m.write("main.go", "main.go.tpl", map[string]any{"Parts": cFiles, "Lines": m.lines})
}

func (m *module) changeC() error {
	m.added++
	return m.write("part0.c", "part.c.tpl", map[string]any{"Part": 0, "Functions": functions, "Added": m.added})
}

func (m *module) write(file, template string, with any) error {
	var text strings.Builder
	if err := templates.ExecuteTemplate(&text, template, with); err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(m.dir, file), []byte(text.String()), 0o666)
}

// copied returns a copy of a build cache.
func (m *module) copied(cache string) (string, error) {
	m.copies++
	to := fmt.Sprintf("%s-copy%d", cache, m.copies)
	return to, copyFolder(cache, to)
}
