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

	"github.com/wherrygo/wherry/cmd/wherry/internal/measure"
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

// buildTests builds the test binaries of those packages that have tests. One go command
// takes all whose binaries have different names.
func (a *acceleration) buildTests(c *gotool.Command, packages []gotool.Package, vet string) (map[string]*twice, error) {
	packages = slices.DeleteFunc(slices.Clone(packages), func(p gotool.Package) bool { return len(p.TestGoFiles)+len(p.XTestGoFiles) == 0 })
	if len(packages) == 0 {
		return nil, nil
	}
	what := packages[0].ImportPath
	if len(packages) > 1 {
		what = fmt.Sprintf("%d packages", len(packages))
	}
	out := waitForBuilds(what)
	defer out.Stop()
	if err := a.buildShared(c, packages); err != nil {
		return nil, err
	}
	built := map[string]*twice{}
	for len(built) < len(packages) {
		b := &twice{a: a, verb: []string{"test", "-c", "-vet=" + vet}, flags: c.Flags}
		var paths, names []string
		for _, p := range packages {
			if name := b.name(p.ImportPath); built[p.ImportPath] == nil && !slices.Contains(names, name) {
				paths, names = append(paths, p.ImportPath), append(names, name)
				built[p.ImportPath] = b
			}
		}
		if err := b.build(out, paths...); err != nil {
			return nil, err
		}
	}
	return built, nil
}

func waitForBuilds(what string) *measure.Waiting {
	fmt.Fprintf(stderr, "%s: building without wherry and with it\n", what)
	return measure.Wait(os.Stderr, "building")
}

// buildShared builds what is the same in both builds: the packages that neither use cgo nor
// import one that does. Two go commands at the same time would compile each of them twice.
func (a *acceleration) buildShared(c *gotool.Command, packages []gotool.Package) error {
	var paths, shared []string
	for _, p := range packages {
		paths = append(paths, p.ImportPath)
	}
	list, err := c.List(paths, "-deps", "-test")
	if err != nil {
		return err
	}
	cgo := map[string]bool{}
	for _, p := range list { // each after those that it imports
		cgo[p.ImportPath] = p.UsesCgo() || slices.ContainsFunc(p.Imports, func(path string) bool { return cgo[path] })
		if !cgo[p.ImportPath] && p.Name != "main" && p.ForTest == "" {
			shared = append(shared, p.ImportPath)
		}
	}
	goCommandTo(io.Discard, slices.Concat([]string{"build"}, c.Flags, shared)) // what is wrong with them is said later
	return nil
}

// build has two go commands at work at the same time. What both compile of C is compiled
// once: compilers.go. What is wrong with the packages the plain one says.
func (b *twice) build(out io.Writer, packages ...string) (err error) {
	if b.dir == "" {
		if b.dir, err = os.MkdirTemp(b.a.tmpdir, "built-"); err != nil {
			return err
		}
	}
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
