package accel

import (
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/wherrygo/wherry/internal/build/gotool"
	"github.com/wherrygo/wherry/internal/build/policy"
)

// A parsed package is what cgo left of one, as far as it is of concern.
type parsed struct {
	*gotypes
	rules    []policy.Rule
	wrappers map[string]wrapper
}

// afterCgo decides about the package that cgo just handled and adds the C
// side of its direct calls.
func (c *Config) afterCgo(cgo *cgoCommand) error {
	if cgo.importPath == "" || within(cgo.dir, filepath.Join(c.GoRoot, "src")) {
		return nil // the standard library stays as it is
	}
	if !c.Static && slices.ContainsFunc(cgo.ldflags, gotool.IsStatic) {
		return c.becomeStatic(cgo.importPath)
	}
	generated, err := parseGotypes(filepath.Join(cgo.objdir, gotypesName))
	if err != nil {
		return nil // no plan: compile finds none and changes nothing
	}
	generated.own = ownNames(generated.file.Name.Name, c.goFiles(cgo))
	p := &plan{Package: cgo.importPath, Dir: cgo.dir, Shadowed: predeclared(generated.own)}
	directives, mistakes := readDirectives(cgo)
	if p.Warnings, err = c.mistaken(mistakes, p); err != nil {
		return err
	}
	source := &parsed{generated, slices.Concat(policy.For(c.Rules, cgo.importPath), directives), readWrappers(cgo.objdir)}
	warnings, err := c.unmatched(source, p)
	if err != nil {
		return err
	}
	p.Warnings = append(p.Warnings, warnings...)
	p.Mistaken = len(p.Warnings) > 0 && !isOthers(p.Dir)
	text := &cText{c, cgo, source, c.newCounter(cgo), map[string]*strings.Builder{}, map[string][]*alignments{}}
	for _, f := range generated.functions {
		d := c.byRule(source.rules, f)
		if d.Mode != policy.Cgo {
			if err := text.addTwin(&d, f); err != nil {
				d.Mode, d.Why, d.ByRule = policy.Cgo, fmt.Sprintf("%s (%s)", err, c.GoVersion), false
			}
		}
		text.counter.call(d, f, source)
		p.Calls = append(p.Calls, d)
	}
	if err := text.finish(p); err != nil {
		return err
	}
	c.linkInputs(p, cgo)
	return errors.Join(breakLines(cgo.objdir), p.store(cgo.objdir))
}

func within(path, dir string) bool {
	rel, err := filepath.Rel(dir, path)
	return err == nil && filepath.IsLocal(rel)
}
