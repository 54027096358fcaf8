package tests

import (
	"errors"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

// SAFETY.md has its parts, all it promises stands in tables, and every line of
// these names, in the last cell, tests that exist.
func TestSafetyNamesItsTests(t *testing.T) {
	text := namesTests(t, "SAFETY.md", 140)
	contains(t, "SAFETY.md", text, "\n## What wherry guarantees\n", "\n## What the user promises by naming", "\n## What is undefined\n",
		"\n## What happens when\n")
	for i, line := range strings.Split(text, "\n") {
		if regexp.MustCompile(`^\s*([-*]|\d+\.) `).MatchString(line) {
			t.Errorf("SAFETY.md:%d: a list has no tests; make it a line of a table: %s", i+1, line)
		}
	}
}

// So does every line of SECURITY.md's tables; and every part but how to report.
func TestSecurityNamesItsTests(t *testing.T) {
	parts := strings.Split(namesTests(t, "SECURITY.md", 18), "\n## ")[2:]
	for _, part := range parts {
		if title, _, _ := strings.Cut(part, "\n"); !testName.MatchString(part) {
			t.Errorf("SECURITY.md: no test holds what stands under %q", title)
		}
	}
	if len(parts) < 5 {
		t.Errorf("SECURITY.md has only %d parts", len(parts))
	}
}

var testName = regexp.MustCompile(`\b(?:Test|Fuzz)[A-Z]\w*`)

// testsExist returns a document, of which every named test exists.
func testsExist(t *testing.T, document string) string {
	t.Helper()
	content, err := os.ReadFile(filepath.Join("..", document))
	if err != nil {
		t.Fatal(err)
	}
	text := string(content)
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
	for _, name := range testName.FindAllString(text, -1) {
		if !tests[name] {
			t.Errorf("%s names %s, which does not exist", document, name)
		}
	}
	return text
}

// docs/production.md names tests that exist, and measured cases.
func TestProductionNamesItsTests(t *testing.T) {
	text := testsExist(t, "docs/production.md")
	measured, err := os.ReadFile("../BENCHMARKS.md")
	if err != nil {
		t.Fatal(err)
	}
	_, slower, _ := strings.Cut(text, "\n## What gets slower\n")
	slower, _, _ = strings.Cut(slower, "\n## ")
	last := strings.Join(regexp.MustCompile(`(?m)[^|]+\|$`).FindAllString(slower, -1), " ")
	cases := regexp.MustCompile(`[A-Z][a-z]+/[-\w]+`).FindAllString(last, -1)
	if len(cases) < 5 {
		t.Errorf("it names the cases %q only", cases)
	}
	for _, name := range cases {
		if !strings.Contains(string(measured), "\n"+name+" ") {
			t.Errorf("BENCHMARKS.md has no case %s", name)
		}
	}
}

// namesTests returns a document, of which every named test exists and
// each line of a table names one in its last cell.
func namesTests(t *testing.T, document string, least int) string {
	t.Helper()
	text := testsExist(t, document)
	lines := strings.Split(text, "\n")
	rows := 0
	for i, line := range lines {
		line = strings.TrimSpace(line)
		next := ""
		if i+1 < len(lines) {
			next = lines[i+1]
		}
		if !strings.HasPrefix(line, "|") || strings.HasPrefix(line, "| ---") || strings.HasPrefix(next, "| ---") {
			continue
		}
		rows++
		cells := strings.Split(strings.Trim(line, "|"), "|")
		if !testName.MatchString(cells[len(cells)-1]) {
			t.Errorf("%s:%d: no test holds this: %s", document, i+1, cells[0])
		}
	}
	if rows < least {
		t.Errorf("%s has only %d lines in tables", document, rows)
	}
	return text
}

// Documents link to what is there. Stored runs are text and JSON: what can be
// drawn from them is not tracked.
func TestLinks(t *testing.T) {
	links := 0
	for _, path := range tracked(t) {
		switch ext := filepath.Ext(path); {
		case strings.HasPrefix(path, "lab/runs/") && ext != ".txt" && ext != ".json" && ext != ".md":
			t.Errorf("%s: stored runs are text and JSON", path)
		case ext != ".md":
			continue
		}
		text, err := os.ReadFile(filepath.Join("..", path))
		if errors.Is(err, os.ErrNotExist) {
			continue // removed, and not yet committed
		} else if err != nil {
			t.Fatal(err)
		}
		prose := regexp.MustCompile("(?s)```.*?```").ReplaceAll(text, nil)
		for _, m := range regexp.MustCompile(`\]\(([^)\s]+)\)`).FindAllStringSubmatch(string(prose), -1) {
			target, _, _ := strings.Cut(m[1], "#")
			if target == "" || strings.Contains(target, "://") {
				continue
			}
			links++
			if _, err := os.Stat(filepath.Join("..", filepath.Dir(path), target)); err != nil {
				t.Errorf("%s links to %s, which is not there", path, target)
			}
		}
	}
	if links < 30 {
		t.Errorf("found only %d links", links)
	}
}

// README.md's table of other languages quotes the run that it links to.
func TestReadmeQuotesForeign(t *testing.T) {
	readme, err := os.ReadFile("../README.md")
	if err != nil {
		t.Fatal(err)
	}
	name := regexp.MustCompile(`lab/runs/[-\d]+/foreign\.txt`).Find(readme)
	run, err := os.ReadFile(filepath.Join("..", string(name)))
	if err != nil {
		t.Fatal(err)
	}
	medians := map[string]float64{}
	for _, m := range regexp.MustCompile(`(?m)^([-\w]+) +([\d.]+) +[\d.]+ +[\d.]+$`).FindAllStringSubmatch(string(run), -1) {
		medians[m[1]], _ = strconv.ParseFloat(m[2], 64)
	}
	for row, ways := range map[string]string{"C, through": "floor rust", "LuaJIT": "luajit", "Java FFM, ": "java-ffm-critical",
		"**Go, wherry": "wherry", "Deno": "deno", "Java FFM; ": "java-ffm java-jni", "Node": "node-api node-koffi", "Go, cgo": "cgo",
		"Python": "python-cffi python-ctypes", "Go, [purego": "purego"} {
		_, line, _ := strings.Cut(string(readme), "\n| "+row)
		cells := strings.Split(line, "|")
		if len(cells) < 2 {
			t.Errorf("README.md has no row %q", row)
			continue
		}
		quoted := strings.Split(strings.Trim(cells[1], " *"), "; ")
		for i, way := range strings.Fields(ways) {
			// One number may stand for several ways.
			said, err := strconv.ParseFloat(quoted[min(i, len(quoted)-1)], 64)
			if err != nil || medians[way] == 0 || math.Abs(said/medians[way]-1) > 0.03 {
				t.Errorf("README.md says %s ns of %s, %s %g", cells[1], way, name, medians[way])
			}
		}
	}
}

// BENCHMARKS.md has what people can read, and nothing of the machine that generated it.
func TestBenchmarksDocument(t *testing.T) {
	text, err := os.ReadFile("../BENCHMARKS.md")
	if err != nil {
		t.Fatal(err)
	}
	if n := strings.Count(string(text), "\n"); n > 320 || n < 100 {
		t.Errorf("BENCHMARKS.md has %d lines, want at most 320; script/report generates it", n)
	}
	if repository, err := filepath.Abs(".."); err != nil || strings.Contains(string(text), repository) {
		t.Errorf("BENCHMARKS.md names %s, %v", repository, err)
	}
}

// README.md lists every file beside it, and every program in testdata is a test's.
func TestReadmeListsTests(t *testing.T) {
	readme, err := os.ReadFile("README.md")
	if err != nil {
		t.Fatal(err)
	}
	listed := map[string]bool{"README.md": true}
	for _, row := range regexp.MustCompile(`(?m)^\| ([\w., ]+\.(?:go|md)) \|`).FindAllStringSubmatch(string(readme), -1) {
		for _, name := range strings.Split(row[1], ", ") {
			if _, err := os.Stat(name); err != nil || listed[name] {
				t.Errorf("README.md lists %s, which is listed already or no file: %v", name, err)
			}
			listed[name] = true
		}
	}
	files, err := filepath.Glob("*.*")
	if err != nil {
		t.Fatal(err)
	}
	tests := ""
	for _, name := range files {
		if !listed[name] {
			t.Errorf("README.md does not list %s", name)
		}
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		tests += string(text)
	}
	programs, err := os.ReadDir("testdata")
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range programs {
		if !regexp.MustCompile(`["/]` + p.Name() + `["/]`).MatchString(tests) {
			t.Errorf("no test uses testdata/%s", p.Name())
		}
	}
	if len(listed) < 70 || len(programs) < 50 {
		t.Errorf("%d files are listed, and %d programs found", len(listed), len(programs))
	}
}

// The README's example is a program that builds, is accelerated and prints
// what it says.
func TestReadmeExample(t *testing.T) {
	t.Parallel()
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
	if r.stdout != "3\n" || !strings.Contains(r.stderr, "1 of 1 C functions are fast") {
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
	for _, dir := range []string{"internal", "cmd", "event", "callback", "direct", "handle", "coalesce"} {
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
