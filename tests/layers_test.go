package tests

import (
	"encoding/json"
	"errors"
	"go/ast"
	"go/parser"
	"go/token"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// layers says which packages of this module a package may import. A package
// that is not listed fails the test; so does one that asks for more. Packages
// that users import may use nothing else but the standard library.
var layers = map[string]struct {
	imports []string
	others  []string // modules of others
}{
	"handle":                   {},
	"handle/internal/cexample": {imports: words("handle")},

	"event":                  {},
	"event/header":           {imports: words("event")},
	"event/internal/cthread": {},

	"internal/crossing/abi":                {},
	"internal/crossing/rt/self":            {},
	"internal/crossing/stub":               {},
	"internal/crossing/reentrant":          {imports: words("internal/crossing/reentrant/inflight internal/crossing/rt/self")},
	"internal/crossing/reentrant/inflight": {},
	"callback":                             {imports: words("internal/crossing/abi internal/crossing/reentrant")},
	"callback/internal/cexample":           {},
	"direct/internal/loader":               {},
	"direct/internal/cexample":             {},
	"direct/internal/signature":            {},
	"direct":                               {imports: words("direct/internal/loader internal/crossing/abi internal/crossing/reentrant internal/crossing/reentrant/inflight internal/crossing/rt/self")},

	"internal/crossing/rt":           {},
	"internal/build/policy":          {},
	"internal/crossing/blocking":     {},
	"internal/crossing/inflight":     {imports: words("internal/crossing/blocking internal/crossing/stat internal/crossing/rt")},
	"internal/crossing/stat":         {},
	"internal/crossing/enter":        {imports: words("internal/crossing/abi internal/crossing/inflight internal/crossing/rt")},
	"internal/crossing/enter/plain":  {imports: words("internal/crossing/enter")},
	"internal/build/accel":           {imports: words("check internal/crossing/blocking internal/crossing/stat internal/crossing/enter internal/crossing/inflight internal/build/policy internal/crossing/rt")},
	"internal/build/gotool":          {imports: words("internal/build/policy internal/crossing/rt")},
	".":                              {}, // sources for wherry bench
	"internal/latency/probe":         {},
	"internal/latency/program":       {imports: words("direct handle internal/latency/probe internal/latency/program/kept internal/latency/program/stubs")},
	"internal/latency/program/stubs": {imports: words("direct")},
	"internal/latency/program/kept":  {},
	"internal/latency":               {imports: words(". internal/bench internal/bench/page internal/latency/probe"), others: words("golang.org/x/perf")},
	"internal/bench/page":            {others: words("gonum.org/v1/plot")},
	"internal/bench":                 {imports: words("internal/bench/page"), others: words("golang.org/x/perf golang.org/x/term")},
	"internal/sockdiag":              {},
	"internal/traffic":               {imports: words("internal/sockdiag")},
	"coalesce":                       {},
	"cmd/wherry":                     {imports: words("check internal/build/accel internal/bench internal/crossing/stat internal/build/gotool internal/crossing/inflight internal/latency internal/build/policy internal/crossing/rt internal/crossing/stub internal/traffic"), others: words("golang.org/x/mod golang.org/x/term")},
	"tests":                          {},
	"internal/machine/cfi":           {},
	"internal/machine/elf":           {imports: words("internal/machine/cfi")},
	"internal/machine":               {},
	"internal/machine/x86":           {imports: words("internal/machine")},
	"internal/machine/arm64":         {imports: words("internal/machine")},
	"internal/machine/flow":          {imports: words("internal/machine/cfi internal/machine")},
	"check":                          {imports: words("internal/machine/cfi internal/machine/elf internal/machine internal/machine/arm64 internal/machine/flow internal/machine/x86")},
}

func words(text string) []string { return strings.Fields(text) }

func TestLayers(t *testing.T) {
	const module = "github.com/wherrygo/wherry/"
	cmd := exec.Command("go", "list", "-json=ImportPath,Imports", "../...")
	output, err := cmd.Output()
	if err != nil {
		t.Fatal(err)
	}
	seen := map[string]bool{}
	for decoder := json.NewDecoder(strings.NewReader(string(output))); ; {
		var p struct {
			ImportPath string
			Imports    []string
		}
		if err := decoder.Decode(&p); errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			t.Fatal(err)
		}
		if p.ImportPath+"/" == module {
			p.ImportPath = module + "."
		}
		name := strings.TrimPrefix(p.ImportPath, module)
		layer, ok := layers[name]
		seen[name] = true
		if !ok {
			t.Errorf("%s has no place in the layers; give it one, and ARCHITECTURE.md too", name)
		}
		for _, path := range p.Imports {
			if path+"/" == module {
				path = module + "."
			}
			own, ours := strings.CutPrefix(path, module)
			inOthers := slices.ContainsFunc(layer.others, func(m string) bool { return path == m || strings.HasPrefix(path, m+"/") })
			switch {
			case ours && !slices.Contains(layer.imports, own):
				t.Errorf("%s imports %s, which its layer does not allow", name, own)
			case !ours && strings.Contains(strings.Split(path, "/")[0], ".") && !inOthers:
				t.Errorf("%s imports %s, which its layer does not allow", name, path)
			}
		}
	}
	for name := range layers {
		if !seen[name] {
			t.Errorf("the layers speak of %s, which does not exist", name)
		}
	}
}

// Nobody sees what begins with a dot: nothing such is tracked but CI and the forms
// of the usual forge.
func TestNothingHiddenIsTracked(t *testing.T) {
	out, err := exec.Command("git", "-C", "..", "ls-files", "-z").Output()
	if err != nil {
		t.Skipf("this is no clone by git: %v", err)
	}
	known := words(".gitignore .ci/run .github/workflows/ci.yml .github/ISSUE_TEMPLATE/bug.yml .github/ISSUE_TEMPLATE/config.yml")
	for _, path := range strings.Split(string(out), "\x00") {
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
		if says := strings.HasSuffix(strings.TrimSuffix(path, "_test.go")+".go", "_unsafe.go") || strings.HasSuffix(path, "_unsafe.go"); says != uses {
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
