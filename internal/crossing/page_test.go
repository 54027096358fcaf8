package crossing

import (
	"fmt"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/wherrygo/wherry/internal/libc"
)

// docs/production.md names each function of the C library that programs define, once, in a
// row with those that are treated alike.
func TestPageOfInterposed(t *testing.T) {
	treatment := map[string]string{"sigaction": libc.Handler.String()} // c/names.c has it
	for _, f := range libc.Functions() {
		text := &interposition{Target: Target{GOARCH: "amd64"}}
		text.function(f, "")
		if text.thunks.Len()+text.functions.Len() == 0 {
			continue
		}
		if len(f.Name) > 27 {
			t.Errorf("%s has no room in c/reals.c: real_name", f.Name)
		}
		treatment[f.Name] = f.Kind.String()
		if buffered[f.Name] != "" {
			treatment[f.Name] = "buffered"
		}
	}
	page, err := os.ReadFile("../../docs/production.md")
	if err != nil {
		t.Fatal(err)
	}
	_, table, _ := strings.Cut(string(page), "<!-- interposed -->")
	table, _, _ = strings.Cut(table, "<!-- end of interposed -->")
	seen := map[string]bool{}
	for line := range strings.Lines(table) {
		if !strings.HasPrefix(line, "| `") {
			continue
		}
		names, _, _ := strings.Cut(line[1:], "|")
		var kinds []string
		for _, m := range regexp.MustCompile("`(\\w+)`").FindAllStringSubmatch(names, -1) {
			kind, ok := treatment[m[1]]
			if !ok || seen[m[1]] {
				t.Errorf("%s is not interposed, or stands there twice", m[1])
			}
			seen[m[1]] = true
			kinds = append(kinds, kind)
		}
		if kinds = slices.Compact(kinds); len(kinds) > 1 {
			t.Errorf("a row has functions of the kinds %q: %.60s", kinds, line)
		}
	}
	security, err := os.ReadFile("../../SECURITY.md")
	if err != nil {
		t.Fatal(err)
	}
	if says := fmt.Sprintf("at most %d names", len(treatment)); !strings.Contains(string(security), says) {
		t.Errorf("SECURITY.md does not say %q", says)
	}
	for name, kind := range treatment {
		if !seen[name] {
			t.Errorf("%s (%s) is missing", name, kind)
		}
	}
}
