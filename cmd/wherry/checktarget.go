package main

import (
	"fmt"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/wherrygo/wherry/check"
	"github.com/wherrygo/wherry/internal/build/gotool"
	"github.com/wherrygo/wherry/internal/nearest"
)

// A target is a file to judge, and the Go package that it is of.
type target struct {
	name      string // as the user knows it
	file      string
	pkg       string
	libraries []string
	folders   []string
}

// A judgement is what was found out about a target.
type judgement struct {
	*target
	buildID string
	results []check.Result
	missing []string
	names   []string // all that could be asked for
}

// sortWords tells targets from function globs: a file is a target, so is
// what looks like a package, and the first word is one in any case.
func sortWords(words []string) (files, patterns, globs []string, err error) {
	for i, word := range words {
		info, err := os.Stat(word)
		switch {
		case err == nil && info.Mode().IsRegular():
			files = append(files, word)
		case looksLikePackage(word) || i == 0:
			patterns = append(patterns, word)
		default:
			if _, err := path.Match(word, ""); err != nil {
				return nil, nil, nil, fmt.Errorf("malformed glob %q", word)
			}
			globs = append(globs, word)
		}
	}
	if len(words) == 0 {
		return nil, nil, nil, fmt.Errorf("want a target: a Go package, a library, an object or an executable")
	}
	return files, patterns, globs, nil
}

func findTargets(files, patterns []string, tags string) (targets []*target, err error) {
	for _, file := range files {
		targets = append(targets, &target{name: file, file: file})
	}
	if len(patterns) > 0 {
		packages, err := packageTargets(patterns, tags)
		if err != nil {
			return nil, err
		}
		targets = append(targets, packages...)
	}
	return targets, nil
}

func looksLikePackage(word string) bool {
	return strings.HasPrefix(word, ".") || strings.Contains(word, "/") || word == "all"
}

// packageTargets returns the archives of all cgo packages that the patterns
// name or need.
func packageTargets(patterns []string, tags string) ([]*target, error) {
	for _, pattern := range patterns {
		if filepath.IsAbs(pattern) || filepath.Ext(pattern) == ".so" || filepath.Ext(pattern) == ".o" || filepath.Ext(pattern) == ".a" {
			if _, err := os.Stat(pattern); err != nil {
				return nil, err
			}
		}
	}
	command := &gotool.Command{Verb: "build"}
	if tags != "" {
		command.Flags = []string{"-tags=" + tags}
	}
	list, err := command.List(patterns, "-deps", "-export")
	if err != nil {
		return nil, err
	}
	var targets []*target
	for _, p := range list {
		if p.Error != nil && (len(p.CgoFiles) > 0 || len(list) == 1) {
			return nil, fmt.Errorf("%s: %s", p.ImportPath, p.Error.Err)
		}
		named := slices.Contains(patterns, p.ImportPath)
		if len(p.CgoFiles) == 0 || p.Export == "" || p.Standard && !named {
			continue
		}
		t := &target{name: p.ImportPath, pkg: p.ImportPath, file: p.Export}
		if err := t.links(p.CgoLDFLAGS); err != nil {
			return nil, err
		}
		targets = append(targets, t)
	}
	if len(targets) == 0 {
		return nil, fmt.Errorf("no cgo package among %s and what they need", strings.Join(patterns, " "))
	}
	return targets, nil
}

var importedLibrary = regexp.MustCompile(`\["cgo_import_dynamic","[^"]*","[^"]*","([^"]+)"\]`)

// links finds the libraries that the package's C code is linked with: the
// shared ones stand in its archive, static ones are in its flags.
func (t *target) links(flags []string) error {
	content, err := os.ReadFile(t.file)
	if err != nil {
		return err
	}
	for _, m := range importedLibrary.FindAllSubmatch(content, -1) {
		if name := string(m[1]); !slices.Contains(t.libraries, name) {
			t.libraries = append(t.libraries, name)
		}
	}
	for i, f := range flags {
		switch {
		case f == "-L" && i+1 < len(flags):
			t.folders = append(t.folders, flags[i+1])
		case strings.HasPrefix(f, "-L"):
			t.folders = append(t.folders, f[2:])
		case strings.HasPrefix(f, "-Wl,-rpath,"), strings.HasPrefix(f, "-Wl,-rpath="):
			t.folders = append(t.folders, f[len("-Wl,-rpath,"):])
		case strings.HasSuffix(f, ".a"):
			t.libraries = append(t.libraries, f)
		}
	}
	for _, f := range flags {
		name, ok := strings.CutPrefix(f, "-l")
		if !ok {
			continue
		}
		for _, dir := range t.folders {
			_, shared := os.Stat(filepath.Join(dir, "lib"+name+".so"))
			static := filepath.Join(dir, "lib"+name+".a")
			if _, err := os.Stat(static); err == nil && shared != nil {
				t.libraries = append(t.libraries, static)
				break
			}
		}
	}
	return nil
}

func (t *target) open(options check.Options) (*check.Program, error) {
	options.Libraries = append(slices.Clone(options.Libraries), t.libraries...)
	options.LibraryPath = append(slices.Clone(options.LibraryPath), t.folders...)
	p, err := check.Open(t.file, options)
	if err != nil && t.pkg != "" {
		return nil, fmt.Errorf("%s: %w", t.pkg, err)
	}
	return p, err
}

// judge judges the functions that globs name, or all.
func (t *target) judge(options check.Options, globs []string, all bool) (*judgement, error) {
	p, err := t.open(options)
	if err != nil {
		return nil, err
	}
	j := &judgement{target: t, buildID: p.BuildID()}
	wanted := func(name string) bool {
		j.names = append(j.names, name)
		return isWanted(name, globs)
	}
	cgo := p.CgoFunctions()
	if t.pkg != "" || len(cgo) > 0 && !all {
		cgo = slices.DeleteFunc(cgo, func(f check.CgoFunction) bool { return !wanted(f.Name) })
		j.results, err = p.CheckCgo(cgo...)
	} else {
		names := p.Functions()
		if all || len(globs) > 0 {
			names = p.AllFunctions()
		}
		names = slices.DeleteFunc(names, func(name string) bool { return !wanted(name) })
		j.results, err = p.Check(names...)
	}
	j.missing = p.Missing()
	return j, err
}

// isWanted reports whether globs name a function; none name all.
func isWanted(name string, globs []string) bool {
	return len(globs) == 0 || slices.ContainsFunc(globs, func(glob string) bool { ok, _ := path.Match(glob, name); return ok })
}

// unmatched finds globs that name no function of any target.
func unmatched(judgements []*judgement, globs []string) error {
	var names []string
	for _, j := range judgements {
		names = append(names, j.names...)
	}
	for _, glob := range globs {
		if !slices.ContainsFunc(names, func(name string) bool { return isWanted(name, []string{glob}) }) {
			return fmt.Errorf("no function matches %s%s", glob, nearest.DidYouMean(glob, names))
		}
	}
	return nil
}
