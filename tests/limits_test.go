package tests

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"
)

// Code is read on one screen and in one sitting.
const (
	maxLine       = 140 // characters
	maxLines      = 600 // of a file
	maxParameters = 5
)

// longFiles are longer, for a reason.
var longFiles = map[string]string{
	"event/wherry_event.h":                  "users copy it as one file",
	"event/internal/cthread/wherry_event.h": "a link to it",
	"examples/uv/wherry_event.h":            "a copy of it",
}

// longLines are in files that quote what others read line by line.
var longLines = map[string]string{
	"script/report":              "paragraphs of documents",
	"examples/uv/wherry_event.h": "a copy",
	"direct/example_test.go":     "the output of an example",
}

// wideFunctions have as many parameters as the C functions that they stand for.
var wideFunctions = words("callback/callback_unsafe_test.go event/internal/cthread/cthread_unsafe.go examples/latency/calls.go " +
	"lab/direct/c/c_unsafe.go")

var codeEndings = words(".go .c .h .s .S .tpl .sh")

// generated reports whether a program wrote a file, or it is another program's output
// that a test reads.
func generated(path string, text []byte) bool {
	return strings.Contains(path, "/testdata/") && filepath.Ext(path) == ".go" ||
		strings.HasPrefix(string(text), "// Code generated ")
}

// tracked returns the project's files.
func tracked(t *testing.T) []string {
	t.Helper()
	out, err := exec.Command("git", "-C", "..", "ls-files", "-z").Output()
	if err != nil {
		t.Skipf("this is no clone by git: %v", err)
	}
	return strings.Split(string(out), "\x00")
}

func TestLimits(t *testing.T) {
	seen := 0
	for _, path := range tracked(t) {
		script := strings.HasPrefix(path, "script/") || path == ".ci/run"
		if !script && !slices.Contains(codeEndings, filepath.Ext(path)) {
			continue
		}
		text, err := os.ReadFile(filepath.Join("..", path))
		if os.IsNotExist(err) {
			continue // removed, and not yet committed
		} else if err != nil {
			t.Fatal(err)
		}
		if generated(path, text) {
			continue
		}
		seen++
		lines := strings.Split(strings.TrimSuffix(string(text), "\n"), "\n")
		if _, known := longFiles[path]; len(lines) > maxLines && !known {
			t.Errorf("%s has %d lines; want at most %d", path, len(lines), maxLines)
		}
		for i, line := range lines {
			if n := utf8.RuneCountInString(line); n > maxLine && longLines[path] == "" {
				t.Errorf("%s:%d has %d characters; want at most %d", path, i+1, n, maxLine)
			}
		}
		if filepath.Ext(path) == ".go" && !slices.Contains(wideFunctions, path) {
			parameters(t, path, text)
		}
	}
	if seen < 500 {
		t.Errorf("only %d files of code", seen)
	}
}

// parameters looks at the functions of a file that have a body: others are C's, or in
// assembly.
func parameters(t *testing.T, path string, text []byte) {
	fset := token.NewFileSet()
	f, err := parser.ParseFile(fset, path, text, parser.SkipObjectResolution)
	if err != nil {
		t.Error(err)
		return
	}
	ast.Inspect(f, func(n ast.Node) bool {
		var of *ast.FuncType
		switch n := n.(type) {
		case *ast.FuncDecl:
			if n.Body != nil {
				of = n.Type
			}
		case *ast.FuncLit:
			of = n.Type
		}
		if of != nil && of.Params.NumFields() > maxParameters {
			t.Errorf("%s: a function of %d parameters; want at most %d", fset.Position(n.Pos()), of.Params.NumFields(), maxParameters)
		}
		return true
	})
}
