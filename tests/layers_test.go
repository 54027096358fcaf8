package tests

import (
	"cmp"
	"encoding/json"
	"errors"
	"go/ast"
	"go/parser"
	"go/token"
	"io"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// modules are the folders of those whose layers are held.
var modules = words(". cmd/wherry coalesce")

// layers says which packages of ours a package may import: first those that know
// nothing of what follows. A package that is not listed fails the test; so does one
// that asks for more. Packages that users import use nothing else but the standard
// library, which their modules' go.mod files show: they require nothing.
var layers = map[string]struct {
	imports []string
	others  []string // modules of others
}{
	".":                  {}, // a page
	"internal/kept":      {},
	"internal/nearest":   {},
	"internal/printable": {},
	"internal/regular":   {},
	"internal/temporary": {},

	// Packages for users, alone.
	"handle":                     {},
	"handle/internal/cexample":   {imports: words("handle")},
	"event":                      {},
	"event/header":               {imports: words("event")},
	"event/internal/cthread":     {},
	"coalesce":                   {},
	"callback/internal/cexample": {},
	"direct/internal/loader":     {},
	"direct/internal/cexample":   {},
	"direct/internal/signature":  {},

	// The crossing.
	"internal/goruntime":         {imports: words("internal/kept internal/temporary")},
	"internal/goruntime/write":   {imports: words("internal/goruntime")},
	"internal/goruntime/running": {},
	"internal/crossing": {imports: words("internal/crossing/abi internal/libc " +
		"internal/crossing/stat internal/goruntime")},
	"internal/crossing/frames": {imports: words("internal/goruntime/running")},
	"internal/crossing/abi":    {},
	"internal/libc":            {},
	"internal/crossing/stat":   {},
	"internal/crossing/c":      {imports: words("internal/crossing/abi internal/crossing/frames internal/goruntime/running")},

	// Packages for users that cross.
	"callback": {imports: words("internal/crossing/abi internal/crossing/c")},
	"direct": {imports: words("direct/internal/loader internal/crossing/abi " +
		"internal/crossing/c internal/goruntime/running")},

	// Machine code.
	"internal/read/machine": {},
	"internal/read/x86":     {imports: words("internal/read/machine")},
	"internal/read/arm64":   {imports: words("internal/read/machine")},
	"internal/read/cfi":     {},
	"internal/read/elf":     {imports: words("internal/read/cfi internal/printable internal/regular")},
	"internal/read/flow":    {imports: words("internal/read/machine internal/read/cfi")},
	"internal/read": {imports: words("internal/read/machine internal/read/arm64 internal/read/cfi internal/read/elf " +
		"internal/read/flow internal/read/x86 internal/libc internal/printable")},

	// The build.
	"internal/build/policy":      {imports: words("internal/printable internal/regular")},
	"internal/build/includes":    {},
	"internal/build/toolversion": {},
	"internal/build/accel": {imports: words("internal/build/gotool internal/build/includes internal/build/policy internal/build/toolversion " +
		"internal/crossing internal/crossing/abi internal/crossing/stat internal/goruntime internal/kept internal/libc " +
		"internal/nearest internal/printable internal/read internal/read/elf internal/regular")},
	"internal/build/gotool": {imports: words("internal/build/policy internal/goruntime internal/kept internal/regular internal/temporary")},

	// Measuring: what is measured, then what measures.
	"internal/scenarios":                {imports: words("direct")},
	"cmd/wherry/internal/measure":       {imports: words("internal/printable"), others: words("golang.org/x/perf golang.org/x/term")},
	"cmd/wherry/internal/measure/quote": {imports: words("cmd/wherry/internal/measure")},

	// The command.
	"cmd/wherry": {imports: words("cmd/wherry/internal/measure internal/build/accel internal/build/gotool internal/build/includes " +
		"internal/build/policy internal/crossing internal/goruntime internal/crossing/stat internal/kept " +
		"internal/nearest internal/printable internal/temporary"),
		others: words("golang.org/x/mod")},

	"tests": {},
}

func words(text string) []string { return strings.Fields(text) }

func TestLayers(t *testing.T) {
	const module = "github.com/wherrygo/wherry"
	short := func(path string) (name string, ours bool) {
		name, ours = strings.CutPrefix(path+"/", module+"/")
		return cmp.Or(strings.TrimSuffix(name, "/"), "."), ours
	}
	embeds := map[string][]string{} // files, by package
	for _, folder := range modules {
		cmd := exec.Command("go", "list", "-json=ImportPath,Imports,EmbedFiles", "./...")
		cmd.Dir = filepath.Join("..", folder)
		output, err := cmd.Output()
		if err != nil {
			t.Fatalf("%s: %v", folder, err)
		}
		for decoder := json.NewDecoder(strings.NewReader(string(output))); ; {
			var p struct {
				ImportPath          string
				Imports, EmbedFiles []string
			}
			if err := decoder.Decode(&p); errors.Is(err, io.EOF) {
				break
			} else if err != nil {
				t.Fatal(err)
			}
			name, _ := short(p.ImportPath)
			layer, ok := layers[name]
			if !ok {
				t.Errorf("%s has no place in the layers; give it one, and ARCHITECTURE.md too", name)
			}
			embeds[name] = p.EmbedFiles
			for _, path := range p.Imports {
				own, ours := short(path)
				inOthers := slices.ContainsFunc(layer.others, func(m string) bool { return path == m || strings.HasPrefix(path, m+"/") })
				switch {
				case ours && !slices.Contains(layer.imports, own):
					t.Errorf("%s imports %s, which its layer does not allow", name, own)
				case !ours && strings.Contains(strings.Split(path, "/")[0], ".") && !inOthers:
					t.Errorf("%s imports %s, which its layer does not allow", name, path)
				}
			}
		}
	}
	for name := range layers {
		if _, seen := embeds[name]; !seen {
			t.Errorf("the layers speak of %s, which does not exist", name)
		}
	}
	// What a package embeds is its own; only the crossing is compiled in two ways.
	for name, files := range embeds {
		for _, file := range files {
			if owner := path.Dir(path.Join(name, file)); owner != name && embeds[owner] != nil && name != "internal/crossing" {
				t.Errorf("%s embeds %s, a file of package %s", name, file, owner)
			}
		}
	}
}

// The tree's first level says what there is.
func TestFirstLevel(t *testing.T) {
	folders := map[string]bool{}
	for _, file := range tracked(t) {
		if folder, _, below := strings.Cut(file, "/"); below && folder[0] != '.' {
			folders[folder] = true
		}
	}
	if len(folders) > 13 || !folders["handle"] {
		t.Errorf("%d folders at the first level: %v; want 13 at most", len(folders), folders)
	}
}

// Who imports a package needs no module of others.
func TestNothingIsRequired(t *testing.T) {
	for _, folder := range []string{"..", "../coalesce"} {
		cmd := exec.Command("go", "list", "-m", "all")
		cmd.Dir = folder
		if out, err := cmd.Output(); err != nil || strings.Count(string(out), "\n") != 1 {
			t.Errorf("%s: the module requires others (%v):\n%s", folder, err, out)
		}
	}
	const module = "github.com/wherrygo/wherry"
	m := newModule(t, map[string]string{"main.go": "package main\n\nimport _ \"" + module + "/handle\"\n\nfunc main() {}\n"})
	m.usesWherry()
	out := m.must("go", "list", "-m", "-f", "{{.Path}}", "all")
	if want := "example.com/m\n" + module + "\n"; out.stdout != want {
		t.Errorf("a module that imports handle has in its build list\n%swant\n%s", out.stdout, want)
	}
}

// Nobody sees what begins with a dot: nothing such is tracked but CI and the forms
// of the usual forge.
func TestNothingHiddenIsTracked(t *testing.T) {
	known := words(".gitignore .ci/run .github/workflows/ci.yml .github/ISSUE_TEMPLATE/bug.yml .github/ISSUE_TEMPLATE/config.yml")
	for _, path := range tracked(t) {
		if strings.HasPrefix(path, ".") && !slices.Contains(known, path) {
			t.Errorf("%s is tracked", path)
		}
	}
}

// Who looks for what the compiler does not check finds it by the files' names:
// those that import unsafe, and no others, end in _unsafe.go or _unsafe_test.go.
// Examples show what users write, and C's pointers are of type unsafe.Pointer.
func TestUnsafeFilesSaySo(t *testing.T) {
	seen := 0
	err := filepath.WalkDir("..", func(path string, entry os.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case entry.IsDir() && (entry.Name() == "testdata" || entry.Name() == "examples" || len(entry.Name()) > 2 && entry.Name()[0] == '.'):
			return filepath.SkipDir
		case filepath.Ext(path) != ".go" || entry.Name() == "example_test.go":
			return nil
		}
		f, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.ImportsOnly)
		if err != nil {
			return err
		}
		uses := slices.ContainsFunc(f.Imports, func(i *ast.ImportSpec) bool { return i.Path.Value == `"unsafe"` })
		if says := strings.HasSuffix(strings.TrimSuffix(path, "_test.go")+".go", "_unsafe.go") ||
			strings.HasSuffix(path, "_unsafe.go"); says != uses {
			t.Errorf("%s: imports unsafe: %v, its name says %v", path, uses, says)
		}
		if uses {
			seen++
		}
		return nil
	})
	if err != nil || seen < 30 {
		t.Errorf("%d files import unsafe; %v", seen, err)
	}
}
