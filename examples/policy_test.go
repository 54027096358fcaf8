package examples

import (
	"os"
	"strings"
	"testing"
)

// TestPoliciesJustified demands a reason for every function that a policy names.
// Only sql, a module of its own, has one.
func TestPoliciesJustified(t *testing.T) {
	reasons := read(t, "callbacks/README.md")
	lines := 0
	for line := range strings.Lines(read(t, "callbacks/sql/wherry.policy")) {
		line, _, _ = strings.Cut(line, "#")
		words := strings.Fields(line)
		if len(words) == 0 {
			continue
		}
		lines++
		if !strings.Contains(reasons, "`"+words[1]+"`") {
			t.Errorf("callbacks/README.md does not justify the line about %s", words[1])
		}
	}
	if lines == 0 {
		t.Error("the policy has no line")
	}
}

func read(t *testing.T, file string) string {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}
