package main

import (
	"fmt"
	"io"
	"slices"

	"github.com/wherrygo/wherry/internal/build/accel"
	"github.com/wherrygo/wherry/internal/build/gotool"
	"github.com/wherrygo/wherry/internal/build/policy"
)

// suggest prints lines for wherry.policy, as comments, by which functions would become
// faster than a build makes them now, and what they ask of the user.
func suggest(w io.Writer, patterns, globs []string, tags string) error {
	c := &gotool.Command{Verb: "build", Packages: patterns}
	if tags != "" {
		c.Flags = []string{"-tags=" + tags}
	}
	a, err := prepare(c, false)
	if err != nil {
		return err
	}
	defer a.Close()
	if a.plain != nil {
		return fmt.Errorf("check: -suggest: a build would be plain: %w", a.plain)
	}
	packages, err := a.reports(c)
	if err != nil {
		return err
	}
	var names []string
	some := false
	for _, report := range packages {
		lines := suggestions{pkg: report.Package, byHead: map[string][]string{}}
		for _, f := range slices.Concat(report.Kept, report.Accelerated) {
			names = append(names, f.Name)
			if isWanted(f.Name, globs) {
				lines.add(f)
			}
		}
		some = lines.write(w) || some
	}
	if err := unmatched([]*judgement{{names: names}}, globs); err != nil {
		return usageError{fmt.Errorf("check: %w", err)}
	}
	if some {
		return exitError(1)
	}
	fmt.Fprintln(stderr, "wherry: no line would make a function faster")
	return nil
}

// suggestions are lines for one package, by what is said of several.
type suggestions struct {
	pkg    string
	heads  []string
	byHead map[string][]string
}

func (s *suggestions) add(f accel.Function) {
	head, word := "", f.Word
	switch {
	case f.Mode == policy.Cgo && word != "":
		head = fmt.Sprintf("on cgo; by %s %s", word, f.Asks)
	case f.EscapesByCode() && !f.ByRule:
		word = policy.NoCallback.String()
		head = fmt.Sprintf("fast, but what their arguments point to is allocated; by %s %s", word, policy.Asks(policy.NoCallback))
	default:
		return
	}
	if s.byHead[head] == nil {
		s.heads = append(s.heads, head)
	}
	s.byHead[head] = append(s.byHead[head], fmt.Sprintf("# %s %s %s", s.pkg, f.Name, word))
}

// write reports whether there was anything to write.
func (s *suggestions) write(w io.Writer) bool {
	for _, head := range s.heads {
		fmt.Fprintf(w, "# %s: %s\n", s.pkg, head)
		for _, line := range s.byHead[head] {
			fmt.Fprintln(w, line)
		}
	}
	return len(s.heads) > 0
}
