package check

import (
	"strings"
	"testing"
)

// TestPages holds that each class has a page, whose example lines are
// annotations that can be read.
func TestPages(t *testing.T) {
	examples := 0
	for _, c := range Classes() {
		page := c.Page()
		if !strings.HasPrefix(page, "# "+c.String()+"\n") || !strings.Contains(page, "## Why\n") || !strings.Contains(page, "## What helps\n") {
			t.Errorf("%v: want a page with its name, why, and what helps", c)
		}
		for line := range strings.Lines(page) {
			if text, ok := strings.CutPrefix(line, "    "); ok {
				examples++
				if _, err := ReadAnnotations(strings.NewReader(text), c.String()+".md"); err != nil {
					t.Error(err)
				}
			}
		}
	}
	if examples < 8 {
		t.Errorf("%d examples, want more", examples)
	}
}
