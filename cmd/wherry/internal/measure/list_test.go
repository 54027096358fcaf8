package measure

import (
	"slices"
	"strings"
	"testing"
)

// What it says of a real test binary is in TestRealTestBinary.
func TestHasBenchmarksFails(t *testing.T) {
	target := fake(t, "no-list")
	if _, err := HasBenchmarks(target.Plain, target.Dir, "["); err == nil {
		t.Error("no error for a malformed pattern")
	}
	_, err := HasBenchmarks(target.Plain, target.Dir, ".")
	if err == nil || !strings.Contains(err.Error(), "exit status 3") || !strings.Contains(err.Error(), "\n\tcannot reach the database") {
		t.Errorf("got error %v, want exit status and output", err)
	}
}

func TestSelects(t *testing.T) {
	for _, c := range []struct {
		pattern, name string
		want          bool
	}{
		{".", "Sum", true},
		{".", "Sum/rows=10", true},
		{"Sum/rows", "Sum", false},
		{"Sum/rows", "Sum/rows=10", true},
		{"Sum/rows", "Sum/cols/rows", false},
		{"Max|Sum/rows", "Max", true},
		{"Max|Sum/rows", "Sum", false},
	} {
		if got := selects(c.pattern, c.name); got != c.want {
			t.Errorf("selects(%q, %q): got %v, want %v", c.pattern, c.name, got, c.want)
		}
	}
}

func TestSplitOutside(t *testing.T) {
	for _, c := range []struct {
		pattern   string
		separator byte
		want      []string
	}{
		{"", '/', []string{""}},
		{"A/B", '/', []string{"A", "B"}},
		{"A[/]B/C", '/', []string{"A[/]B", "C"}},
		{"(A/B)/C", '/', []string{"(A/B)", "C"}},
		{`A\/B/C`, '/', []string{`A\/B`, "C"}},
		{"A|B(C|D)|E", '|', []string{"A", "B(C|D)", "E"}},
		{"[(]/A", '/', []string{"[(]", "A"}},
	} {
		if got := splitOutside(c.pattern, c.separator); !slices.Equal(got, c.want) {
			t.Errorf("splitOutside(%q, %q): got %q, want %q", c.pattern, c.separator, got, c.want)
		}
	}
}
