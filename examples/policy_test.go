package examples

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestPoliciesJustified demands a reason for every function that a policy
// names, and that the module's policy includes every example's.
func TestPoliciesJustified(t *testing.T) {
	included := read(t, "wherry.policy")
	policies, err := filepath.Glob("*/wherry.policy") // deeper ones belong to modules of their own
	if err != nil || len(policies) == 0 {
		t.Fatalf("no policies found: %v", err)
	}
	for _, policy := range policies {
		if !strings.Contains(included, "include "+filepath.ToSlash(policy)+"\n") {
			t.Errorf("wherry.policy does not include %s", policy)
		}
		justified(t, policy, filepath.Join(filepath.Dir(policy), "README.md"))
	}
	justified(t, "callbacks/sql/wherry.policy", "callbacks/README.md")
}

func justified(t *testing.T, policy, readme string) {
	t.Helper()
	reasons := read(t, readme)
	for line := range strings.Lines(read(t, policy)) {
		line, _, _ = strings.Cut(line, "#")
		if words := strings.Fields(line); len(words) > 0 && !strings.Contains(reasons, "`"+words[1]+"`") {
			t.Errorf("%s does not justify the line about %s", readme, words[1])
		}
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
