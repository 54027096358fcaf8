package accel

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"
)

// splitter is what code calls that was compiled with -fsplit-stack.
const splitter = "__morestack"

// A reading is what is known about a package's C code.
type reading struct {
	facts     map[string]facts // by wrapper
	missing   []string         // symbols that its objects lack
	libraries []Library        // that the facts rest on
	callers   map[string]bool  // functions that call an exported one, or pass it on
}

// read reads twins in the package's linked C objects. Of a function that could not be
// read nothing is assumed; that never fails the build.
func (c *Config) read(objdir string, p *plan) (r *reading) {
	r = &reading{facts: map[string]facts{}}
	fail := func(err error) {
		for _, d := range p.Calls {
			if d.Symbol != "" {
				r.facts[d.Symbol] = unread(err)
			}
		}
	}
	defer func() {
		if bug := recover(); bug != nil {
			fail(fmt.Errorf("BUG: %v", bug))
		}
	}()
	linked, elsewhere, aligned, err := c.openObjects(objdir, p, r)
	if err != nil {
		fail(err)
		return r
	}
	files, functions := linked.files(), linked.functions()
	var twins, names []string
	for _, d := range p.Calls {
		if _, known := slices.BinarySearch(functions, twinSymbol(d.Symbol)); known && d.Symbol != "" {
			twins, names = append(twins, twinSymbol(d.Symbol)), append(names, d.Name)
		}
	}
	found, err := c.answersOf(linked, elsewhere, twins)
	if err != nil {
		fail(err)
		return r
	}
	bounds := asksForBounds(linked, found.Comparing)
	if bounds == "" && len(r.missing) > 0 {
		bounds = mayAsk(r.missing[0] + ", which another package defines,")
	}
	splits := slices.Contains(functions, splitter) || slices.Contains(r.missing, splitter)
	cxx := ""
	for _, l := range files[1:] {
		if strings.HasPrefix(l.Soname, "libstdc++.") || strings.HasPrefix(l.Soname, "libc++.") {
			cxx = l.Soname
		}
	}
	for _, d := range p.Calls {
		if i := slices.Index(twins, twinSymbol(d.Symbol)); i >= 0 {
			f := factsOf(&found.Functions[i], names[i])
			f.bounds, f.cxx, f.splits, f.alignments = bounds, cxx, splits, aligned[alignmentSymbol(d.Symbol)]
			r.facts[d.Symbol] = f
		} else if d.Symbol != "" {
			r.facts[d.Symbol] = unread(errNoSymbols)
		}
	}
	r.libraries = restsOn(files, r.facts, c.archives(p))
	return r
}

// openObjects links the package's objects, and opens them with what only stands in for
// something else told to the reader: functions elsewhere. The alignments are those that the twins'
// files say.
func (c *Config) openObjects(objdir string, p *plan, r *reading) (linked code, elsewhere []string, aligned map[string][]byte, err error) {
	weak, err := replaceable(objdir)
	if err != nil {
		return code{}, nil, nil, err
	}
	file, missing, err := c.linkedObjects(objdir, p)
	r.missing = missing
	if err != nil {
		return code{}, nil, nil, err
	}
	if aligned, err = readAlignments(file); err != nil {
		return code{}, nil, nil, err
	}
	elsewhere = append(weak, missing...)
	linked, err = openCode(file, elsewhere, c.Unseen, c.beside(), c.ForHost)
	return linked, elsewhere, aligned, err
}

// beside returns the folder of musl's C library: its name, libc.so, is elsewhere that of a
// linker script of glibc's, and the folders of musl's loader nobody else knows.
func (c *Config) beside() (folders []string) {
	for _, file := range c.CLibrary {
		if filepath.Base(file) == "libc.so" {
			folders = append(folders, filepath.Dir(file))
		}
	}
	return folders
}
