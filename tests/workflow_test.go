package tests

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// What CI takes from others is named by digest, and a job has no more rights than it needs:
// who writes a pull request runs code there.
func TestWorkflows(t *testing.T) {
	files, err := filepath.Glob("../.github/workflows/*")
	if err != nil || len(files) == 0 {
		t.Fatalf("no workflows: %v", err)
	}
	pinned := regexp.MustCompile(`@[0-9a-f]{40} # v[0-9.]+$|@sha256:[0-9a-f]{64}$`)
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		keeps := 0 // the token, in .git/config
		for i, line := range strings.Split(string(text), "\n") {
			key, value, _ := strings.Cut(strings.TrimPrefix(strings.TrimSpace(line), "- "), ": ")
			switch key {
			case "uses", "image":
				if !pinned.MatchString(value) {
					t.Errorf("%s:%d: %s: want a digest, with the tag in a comment for an action", file, i+1, value)
				}
				if strings.HasPrefix(value, "actions/checkout@") {
					keeps++
				}
			case "persist-credentials":
				if value == "false" {
					keeps--
				}
			case "options":
				if strings.Contains(value, "--privileged") && !strings.HasPrefix(value, "${{ github.event_name == 'push' && ") {
					t.Errorf("%s:%d: a pull request runs with --privileged", file, i+1)
				}
			case "contents", "actions", "checks", "deployments", "id-token", "issues", "packages", "pages", "pull-requests", "statuses":
				if value != "read" && value != "none" {
					t.Errorf("%s:%d: %s may be written", file, i+1, key)
				}
			}
			if strings.Contains(line, "pull_request_target") || strings.Contains(line, "write-all") {
				t.Errorf("%s:%d: %s", file, i+1, strings.TrimSpace(line))
			}
		}
		if keeps != 0 {
			t.Errorf("%s: a checkout leaves its token in .git/config: want persist-credentials: false", file)
		}
		if !strings.Contains(string(text), "\npermissions:\n  contents: read\n") {
			t.Errorf("%s: want permissions for the whole file: contents: read", file)
		}
	}
}
