package check

import (
	"os"
	"os/exec"
	"slices"
	"strings"
	"testing"
)

// TestRules holds that each rule has a name of its own, words, and a folder with a page
// and a corpus; and that some function of its corpus that may not be called safe has it.
func TestRules(t *testing.T) {
	folders, err := os.ReadDir("rules")
	if err != nil || len(folders) != len(Classes()) {
		t.Errorf("%d folders for %d rules, %v", len(folders), len(Classes()), err)
	}
	for _, c := range Classes() {
		t.Run(c.String(), func(t *testing.T) {
			if parsed, ok := ParseClass(c.String()); !ok || parsed != c || c.Says() == "" {
				t.Errorf("class %d has no name of its own, or no words: %q, %q", c, c, c.Says())
			}
			source := corpus(t, c.String())
			if _, err := exec.LookPath("gcc"); err != nil {
				t.Skip(err)
			}
			p, err := Open(compile(t, "gcc", source, "-O2"), Options{})
			if err != nil {
				t.Fatal(err)
			}
			names := slices.DeleteFunc(p.AllFunctions(), func(name string) bool {
				return !strings.HasPrefix(name, "not_") && !strings.HasPrefix(name, "alloc_")
			})
			results, err := p.Check(names...)
			if err != nil {
				t.Fatal(err)
			}
			if !slices.ContainsFunc(results, func(r Result) bool {
				return slices.ContainsFunc(r.Hazards, func(h Hazard) bool { return h.Class == c })
			}) {
				t.Errorf("no function of rules/%s/corpus.c has it: %v", c, names)
			}
		})
	}
}
