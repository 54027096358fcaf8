package main

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"

	"github.com/wherrygo/wherry/cmd/wherry/internal/bench"
	"github.com/wherrygo/wherry/internal/build/gotool"
)

// A twice is packages that the go command builds plainly and accelerated, each into a folder.
type twice struct {
	a           *acceleration
	verb, flags []string
	dir         string
}

func (b *twice) plain(importPath string) string {
	return filepath.Join(b.dir, "plain", b.name(importPath))
}
func (b *twice) wherry(importPath string) string {
	return filepath.Join(b.dir, "wherry", b.name(importPath))
}

var majorVersion = regexp.MustCompile(`/v([2-9]|[1-9][0-9]+)$`)

// name is what the go command calls the executable of a package.
func (b *twice) name(importPath string) string {
	name := path.Base(majorVersion.ReplaceAllString(importPath, ""))
	if b.verb[0] == "test" {
		name += ".test"
	}
	return name
}

// testVerb has the go command build test binaries.
var testVerb = []string{"test", "-c", "-vet=off"}

// buildTests builds the test binaries of those packages that have tests. One go command
// takes all whose binaries have different names.
func (a *acceleration) buildTests(c *gotool.Command, packages []gotool.Package, vet string) (map[string]*twice, error) {
	built := map[string]*twice{}
	for {
		var paths, names []string
		b := &twice{a: a, verb: []string{"test", "-c", "-vet=" + vet}, flags: c.Flags}
		for _, p := range packages {
			name := b.name(p.ImportPath)
			if len(p.TestGoFiles)+len(p.XTestGoFiles) > 0 && built[p.ImportPath] == nil && !slices.Contains(names, name) {
				paths, names = append(paths, p.ImportPath), append(names, name)
				built[p.ImportPath] = b
			}
		}
		if len(paths) == 0 {
			return built, nil
		}
		if err := b.build(paths...); err != nil {
			return nil, err
		}
	}
}

// build has two go commands at work at the same time. What both compile of C is compiled
// once: compilers.go. What is wrong with the packages the plain one says.
func (b *twice) build(packages ...string) (err error) {
	if b.dir == "" {
		if b.dir, err = os.MkdirTemp(b.a.tmpdir, "built-"); err != nil {
			return err
		}
	}
	what := packages[0]
	if len(packages) > 1 {
		what = fmt.Sprintf("%d packages", len(packages))
	}
	fmt.Fprintf(os.Stderr, "%s: building without wherry and with it\n", what)
	out := bench.Wait(os.Stderr, "building")
	defer out.Stop()
	run := func(out io.Writer, folder string, flags ...string) error {
		folder = filepath.Join(b.dir, folder) + string(filepath.Separator)
		return goCommandTo(out, slices.Concat(b.verb, b.flags, flags, []string{"-o", folder}, packages))
	}
	return b.a.compiling(func() error {
		var held bytes.Buffer
		accelerated := make(chan error)
		go func() { accelerated <- run(&held, "wherry", b.a.flags...) }()
		plain := run(out, "plain")
		err := <-accelerated
		if plain != nil {
			return plain
		}
		held.WriteTo(out)
		return err
	})
}
