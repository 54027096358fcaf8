package tests

import (
	"os"
	"strings"
	"testing"
)

// script/test goes on after a part that fails, and says at the end which did.
func TestScriptTestGoesOn(t *testing.T) {
	t.Parallel()
	script, err := os.ReadFile("../script/test")
	if err != nil {
		t.Fatal(err)
	}
	m := newModule(t, map[string]string{
		"script/test":              string(script),
		"go":                       "#!/bin/sh\necho \"$*\" >>\"$LOG\"\ncase $PWD in */bench) exit 1 ;; esac\n",
		"bin/wherry":               "#!/bin/sh\necho wherry \"$*\" >>\"$LOG\"\n",
		"internal/measure/bench/x": "", "cmd/wherry/x": "", "coalesce/x": "", "examples/callbacks/sql/x": "",
	})
	for _, program := range []string{"script/test", "go", "bin/wherry"} {
		if err := os.Chmod(m.path(program), 0o777); err != nil {
			t.Fatal(err)
		}
	}
	m.env = []string{"PATH=" + m.dir + ":" + os.Getenv("PATH"), "LOG=" + m.path("log")}
	r := m.run("script/test", "-short")
	if r.status != 1 || !strings.HasSuffix(r.stderr, "script/test: failed: bench\n") {
		t.Errorf("exit status %d, want 1; %s", r.status, r.stderr)
	}
	for _, part := range strings.Fields("all cmd coalesce race examples accelerated sql") {
		contains(t, "summary", r.stdout, "\nok      "+part+" ")
	}
	contains(t, "summary", r.stdout, "\nFAILED  bench ")
	log, err := os.ReadFile(m.path("log"))
	if err != nil {
		t.Fatal(err)
	}
	contains(t, "commands", string(log), "test -timeout 60m -short ./...\n", "test -race -short -short ./handle/...",
		"wherry test -short ./... github.com/mattn/go-sqlite3")
	if r := m.run("script/test", "-part", "race"); r.status != 0 || strings.Count(r.stdout, "== ") != 1 {
		t.Errorf("-part race: exit status %d, %s", r.status, r.stdout)
	}
	if r := m.run("script/test", "-part", "rice"); r.status != 2 {
		t.Errorf("an unknown part: exit status %d, want 2", r.status)
	}
}

// script/release prints a version's notes and no other's.
func TestReleaseNotes(t *testing.T) {
	t.Parallel()
	script, err := os.ReadFile("../script/release")
	if err != nil {
		t.Fatal(err)
	}
	m := newModule(t, map[string]string{"script/release": string(script),
		"CHANGELOG.md": "# Changelog\n\n## Unreleased\n- next\n\n## v0.1.10 - today\n- ten\n\n## v0.1.1 - before\n- one\n\n## v0.1.0\n- first\n"})
	for version, want := range map[string]string{"v0.1.1": "- one\n\n", "v0.1.0": "- first\n", "v0.1.10": "- ten\n\n"} {
		if r := m.run("sh", "script/release", "-notes", version); r.status != 0 || r.stdout != want {
			t.Errorf("%s: exit status %d, got %q, want %q", version, r.status, r.stdout, want)
		}
	}
	if r := m.run("sh", "script/release", "-notes", "v0.2.0"); r.status != 1 || !strings.Contains(r.stderr, "v0.2.0") {
		t.Errorf("a version that is not there: exit status %d, %s", r.status, r.stderr)
	}
}
