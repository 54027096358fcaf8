package tests

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
)

// Of a package with many fast functions wherry compare shows those that the benchmarks
// call most often, and counts them.
func TestCompareRanksFunctions(t *testing.T) {
	t.Parallel()
	needsFastPath(t)
	const functions = 30
	var c, calls strings.Builder
	for i := range functions {
		fmt.Fprintf(&c, "// static int f%d(int n) { return n + %d; }\n", i, i)
		fmt.Fprintf(&calls, "\tfor range %d {\n\t\tC.f%d(1)\n\t}\n", i, i)
	}
	m := newModule(t, map[string]string{
		"p.go":      "package p\n\n" + c.String() + "import \"C\"\n\nfunc All() {\n" + calls.String() + "}\n",
		"p_test.go": "package p\n\nimport \"testing\"\n\nfunc BenchmarkAll(b *testing.B) {\n\tfor range b.N {\n\t\tAll()\n\t}\n}\n",
	})
	args := []string{"compare", "-count", "1", "-benchtime", "100x", "."}
	r := m.must(wherry, args...)
	_, list, found := strings.Cut(r.stdout, fmt.Sprintf("fast (%d of %[1]d C functions):\n", functions))
	lines := strings.Split(list, "\n")
	if !found || len(lines) < 11 || strings.Count(r.stdout, "  f") > 12 {
		t.Fatalf("want ten functions in\n%s%s", r.stdout, r.stderr)
	}
	for i, line := range lines[:10] {
		if want := fmt.Sprintf("  f%d", functions-1-i); !strings.HasSuffix(line, want) {
			t.Errorf("line %d: got %q, want ...%q", i, line, want)
		}
	}
	if want := "calls in a short run; 20 more functions in the JSON report, 19 of them called"; !strings.Contains(lines[10], want) {
		t.Errorf("got %q, want %q", lines[10], want)
	}
	r = m.must(wherry, append(args[:1:1], append([]string{"-json"}, args[1:]...)...)...)
	var result struct {
		Packages []struct {
			Accelerated []struct {
				Function string
				Calls    uint64
			}
		}
	}
	if err := json.Unmarshal([]byte(r.stdout), &result); err != nil {
		t.Fatal(err)
	}
	counts := map[string]uint64{}
	for _, f := range result.Packages[0].Accelerated {
		counts[f.Function] = f.Calls
	}
	if len(counts) != functions || counts["f0"] != 0 || counts["f1"] == 0 || counts["f29"] != 29*counts["f1"] {
		t.Errorf("got calls %v, want f29 called 29 times as often as f1", counts)
	}
}
