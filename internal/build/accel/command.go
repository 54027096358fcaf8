package accel

import (
	"cmp"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

// A cgoCommand is what cgo's command line says of a package. The go command runs
// cgo in the package's folder.
type cgoCommand struct {
	dir, objdir string
	importPath  string
	ldflags     []string
	cflags      []string
	files       []string // of Go; flags' values may look like one
	unsuitable  string   // a C compiler flag under which the added code would not assemble, or could not be checked
}

func (c *Config) readCgoCommand(args []string) (*cgoCommand, error) {
	dir, err := os.Getwd()
	if err != nil {
		return nil, fmt.Errorf("accel: %w", err)
	}
	var cflags []string
	if i := slices.Index(args, "--"); i >= 0 {
		cflags = slices.DeleteFunc(slices.Clone(args[i+1:]), func(arg string) bool { return strings.HasSuffix(arg, ".go") })
	}
	return &cgoCommand{
		dir:        dir,
		cflags:     cflags,
		objdir:     flagValue(args, "-objdir"),
		importPath: flagValue(args, "-importpath"),
		ldflags:    unquoted(flagValue(args, "-ldflags")),
		files:      goArguments(args),
		unsuitable: cmp.Or(UnsuitableFlag(slices.Concat(c.CC, cflags)), c.Unsuitable),
	}, nil
}

// A compileCommand is what the compiler's command line says of a package.
type compileCommand struct {
	archive  string // that compile writes
	pkg      string // the name that symbols begin with
	shared   bool
	action   string   // the go command's ID for it, or empty
	standard bool     // of the standard library
	files    []string // of Go
	gotypes  string   // the one of them that cgo wrote its declarations to, or empty
}

func readCompileCommand(args []string) *compileCommand {
	action, _, _ := strings.Cut(flagValue(args, "-buildid"), "/")
	c := &compileCommand{
		action:   action,
		standard: slices.Contains(args, "-std"),
		archive:  flagValue(args, "-o"),
		pkg:      flagValue(args, "-p"),
		shared:   slices.Contains(args, "-shared"),
		files:    goArguments(args),
	}
	if i := slices.IndexFunc(c.files, func(file string) bool { return filepath.Base(file) == gotypesName }); i >= 0 {
		c.gotypes = c.files[i]
	}
	return c
}

func flagValue(args []string, name string) string {
	for i, arg := range args {
		if value, ok := strings.CutPrefix(arg, name+"="); ok {
			return value
		}
		if arg == name && i+1 < len(args) {
			return args[i+1]
		}
	}
	return ""
}

func goArguments(args []string) (files []string) {
	for _, arg := range args {
		if strings.HasSuffix(arg, ".go") {
			files = append(files, arg)
		}
	}
	return files
}

// unquoted splits words of which the go command has quoted each.
func unquoted(text string) (words []string) {
	for text = strings.TrimSpace(text); text != ""; text = strings.TrimSpace(text) {
		quoted, err := strconv.QuotedPrefix(text)
		if err != nil {
			break
		}
		word, _ := strconv.Unquote(quoted) // QuotedPrefix has looked at it
		words, text = append(words, word), text[len(quoted):]
	}
	return words
}

var unsuitablePrefixes = []string{"-flto", "-fwhole-program", "-masm=intel",
	"-fsanitize", "-fpcc-struct-return", "-fpack-struct", "-m32", "-mx32"}

// UnsuitableFlag returns a flag of the C compiler that keeps a package on cgo, or "".
func UnsuitableFlag(compiler []string) string {
	for _, arg := range compiler {
		if slices.ContainsFunc(unsuitablePrefixes, func(prefix string) bool { return strings.HasPrefix(arg, prefix) }) {
			return arg
		}
	}
	return ""
}
