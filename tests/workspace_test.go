package tests

import (
	"strings"
	"testing"
)

// In a workspace the policies of all its modules count, and one beside
// go.work, from whatever folder the build is made.
func TestWorkspace(t *testing.T) {
	t.Parallel()
	needsFastPath(t)
	m := newModule(t, map[string]string{
		"go.work":     "go 1.24\n\nuse (\n\t./app\n\t./lib\n)\n",
		"app/go.mod":  "module example.com/app\n\ngo 1.24\n",
		"app/main.go": "package main\n\nimport \"example.com/lib\"\n\nfunc main() { println(lib.Both()) }\n",
		"lib/go.mod":  "module example.com/lib\n\ngo 1.24\n",
		"lib/lib.go": "package lib\n\n// static int one(void) { return 1; }\n// static int two(void) { return 2; }\nimport " +
			"\"C\"\n\nfunc Both() int { return int(C.one() + C.two()) }\n",
		"lib/wherry.policy": "example.com/lib one nocallback\n",
		"wherry.policy":     "example.com/lib two nocallback\n",
	})
	for _, dir := range []string{".", "app", "lib"} {
		r := m.must(wherry, "build", "-C="+dir, "-report", "-o", m.path("fast"), "example.com/app")
		contains(t, dir, r.stdout, "example.com/lib: 2 fast, 0 on cgo", "lib/wherry.policy:1", "wherry.policy:1")
	}
	if got := m.must("./fast").stderr; got != "3\n" {
		t.Errorf("got output %q", got)
	}
	m.write("lib/wherry.policy", "example.com/lib two cgo\n")
	if r := m.run(wherry, "build", "-C=app", "."); r.status != 1 {
		t.Errorf("policies that contradict each other: got exit status %d", r.status)
	} else {
		contains(t, "conflict", r.stderr, "two of example.com/lib is cgo here and nocallback at")
	}
}

// A policy that does not count, where the user works, is reported.
func TestPolicyThatIsNotRead(t *testing.T) {
	t.Parallel()
	needsFastPath(t)
	m := newModule(t, map[string]string{
		"main.go":           "package main\n\n// static int one(void) { return 1; }\nimport \"C\"\n\nfunc main() { println(C.one()) }\n",
		"sub/main.go":       "package main\n\n// static int two(void) { return 2; }\nimport \"C\"\n\nfunc main() { println(C.two()) }\n",
		"wherry.policy":     "example.com/m one nocallback\n",
		"sub/wherry.policy": "example.com/m/sub two cgo\n",
	})
	const warning = "wherry.policy is not read: only one beside the go.mod or go.work of this build counts, and what it includes\n"
	wants := func(where, want string, args ...string) {
		t.Helper()
		if r := m.must(wherry, append(append([]string{"build"}, args...), "-o", m.path("fast"), ".")...); strings.Contains(r.stderr,
			"is not read") != (want != "") || !strings.Contains(r.stderr, want) {
			t.Errorf("%s: got %q, want %q in it", where, r.stderr, want)
		}
	}
	wants("beside go.mod", "")
	wants("below", "wherry: warning: sub/"+warning, "-C=sub")
	m.write("wherry.policy", "example.com/m one nocallback\ninclude sub/wherry.policy\n")
	wants("included", "", "-C=sub")
	m = newModule(t, map[string]string{
		"main.go":       "package main\n\n// static int one(void) { return 1; }\nimport \"C\"\n\nfunc main() { println(C.one()) }\n",
		"wherry.policy": "example.com/m one nocallback\n",
	})
	m.env = append(m.env, "GO111MODULE=off")
	wants("without modules", "wherry: warning: "+warning)
}

// A package that uses cgo only under a tag may stand in the policy.
func TestPolicyOfOtherTags(t *testing.T) {
	t.Parallel()
	needsFastPath(t)
	m := newModule(t, map[string]string{
		"main.go": "package main\n\nfunc main() {}\n",
		"c.go": "//go:build fast\n\npackage main\n\n// static int one(void) { return 1; }\nimport \"C\"\n\nfunc init() { " +
			"println(C.one()) }\n",
		"wherry.policy": "example.com/m one nocallback\n",
	})
	contains(t, "without the tag", m.must(wherry, "build").stderr,
		"warning: wherry.policy:1: example.com/m uses cgo only under other build tags")
	if got := m.must(wherry, "build", "-tags=fast").stderr; strings.Contains(got, "warning") ||
		!strings.Contains(got, "1 of 1 C functions are fast") {
		t.Errorf("with the tag: %s", got)
	}
	if got := m.must(wherry, "build", "-n").stderr; strings.Contains(got, "wherry:") && !strings.Contains(got, "warning") {
		t.Errorf("-n builds nothing, but a summary came: %s", got)
	}
}
