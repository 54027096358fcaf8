package tests

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// SAFETY.md has its parts, all it promises stands in tables, and every line of
// these names, in the last cell, tests that exist.
func TestSafetyNamesItsTests(t *testing.T) {
	safety, err := os.ReadFile("../SAFETY.md")
	if err != nil {
		t.Fatal(err)
	}
	tests := map[string]bool{}
	err = filepath.WalkDir("..", func(path string, entry os.DirEntry, err error) error {
		if err != nil || !strings.HasSuffix(path, "_test.go") {
			return err
		}
		text, err := os.ReadFile(path)
		for _, m := range regexp.MustCompile(`(?m)^func ((?:Test|Fuzz)\w+)\(`).FindAllStringSubmatch(string(text), -1) {
			tests[m[1]] = true
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	contains(t, "SAFETY.md", string(safety), "\n## What wherry guarantees\n", "\n## What the user promises by naming", "\n## What is undefined\n", "\n## What happens when\n")
	lines := strings.Split(string(safety), "\n")
	rows := 0
	for i, line := range lines {
		line = strings.TrimSpace(line)
		next := ""
		if i+1 < len(lines) {
			next = lines[i+1]
		}
		if regexp.MustCompile(`^([-*]|\d+\.) `).MatchString(line) {
			t.Errorf("SAFETY.md:%d: a list has no tests; make it a line of a table: %s", i+1, line)
		}
		if !strings.HasPrefix(line, "|") || strings.HasPrefix(line, "| ---") || strings.HasPrefix(next, "| ---") {
			continue
		}
		rows++
		cells := strings.Split(strings.Trim(line, "|"), "|")
		names := regexp.MustCompile(`\b(?:Test|Fuzz)\w+`).FindAllString(cells[len(cells)-1], -1)
		if len(names) == 0 {
			t.Errorf("SAFETY.md:%d: no test holds this: %s", i+1, cells[0])
		}
		for _, name := range names {
			if !tests[name] {
				t.Errorf("SAFETY.md:%d names %s, which does not exist", i+1, name)
			}
		}
	}
	if rows < 140 {
		t.Errorf("found only %d lines in tables", rows)
	}
}

// The README's example is a program that builds, is accelerated and prints
// what it says.
func TestReadmeExample(t *testing.T) {
	needsFastPath(t)
	readme, err := os.ReadFile("../README.md")
	if err != nil {
		t.Fatal(err)
	}
	m := regexp.MustCompile("(?s)```go\n(.*?)```").FindSubmatch(readme)
	if m == nil {
		t.Fatal("README.md has no Go example")
	}
	module := newModule(t, map[string]string{"go.mod": "module example.com/hello\n\ngo 1.24\n", "main.go": string(m[1])})
	r := module.must(wherry, "run", ".")
	for _, line := range strings.Split(strings.TrimSpace(r.stderr+r.stdout), "\n") {
		contains(t, "README.md", string(readme), "    "+line+"\n")
	}
	if r.stdout != "3\n" || !strings.Contains(r.stderr, "1 of 1 C functions are direct") {
		t.Errorf("got %q, %q", r.stdout, r.stderr)
	}
}

// SECURITY.md names every environment variable that the code reads.
func TestSecurityNamesSettings(t *testing.T) {
	security, err := os.ReadFile("../SECURITY.md")
	if err != nil {
		t.Fatal(err)
	}
	found := map[string]bool{}
	for _, dir := range []string{"internal", "cmd", "event", "callback", "direct", "handle", "coalesce", "check"} {
		err := filepath.WalkDir(filepath.Join("..", dir), func(path string, entry os.DirEntry, err error) error {
			if err != nil || strings.HasSuffix(path, "_test.go") || filepath.Ext(path) != ".go" && filepath.Ext(path) != ".c" {
				return err
			}
			text, err := os.ReadFile(path)
			for _, m := range regexp.MustCompile(`"(WHERRY(?:_[A-Z_]+)?)"`).FindAllStringSubmatch(string(text), -1) {
				found[m[1]] = true
			}
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	for name := range found {
		if !regexp.MustCompile("`" + name + "[=`]").Match(security) {
			t.Errorf("SECURITY.md does not name %s", name)
		}
	}
	if len(found) < 10 {
		t.Errorf("found only %v", found)
	}
}
