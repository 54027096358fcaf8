package tests

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
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
		"script/test": string(script),
		"go":          "#!/bin/sh\necho \"$*\" >>\"$LOG\"\ncase $PWD in */lab) exit 1 ;; esac\n",
		"bin/wherry":  "#!/bin/sh\necho wherry \"$*\" >>\"$LOG\"\n",
		"lab/x":       "", "cmd/wherry/x": "", "coalesce/x": "", "examples/callbacks/sql/x": "",
	})
	for _, program := range []string{"script/test", "go", "bin/wherry"} {
		if err := os.Chmod(m.path(program), 0o777); err != nil {
			t.Fatal(err)
		}
	}
	m.env = []string{"PATH=" + m.dir + ":" + os.Getenv("PATH"), "LOG=" + m.path("log")}
	r := m.run("script/test", "-short")
	if r.status != 1 || !strings.HasSuffix(r.stderr, "script/test: failed: lab\n") {
		t.Errorf("exit status %d, want 1; %s", r.status, r.stderr)
	}
	for _, part := range strings.Fields("all cmd coalesce race examples accelerated sql") {
		contains(t, "summary", r.stdout, "\nok      "+part+" ")
	}
	contains(t, "summary", r.stdout, "\nFAILED  lab ")
	contains(t, "commands", m.read("log"), "test -timeout 60m -parallel 4 -short ./tests ./...\n", "test -race -short -short ./handle/...",
		"wherry test -short ./... github.com/mattn/go-sqlite3")
	if r := m.run("script/test", "-part", "race"); r.status != 0 || strings.Count(r.stdout, "== ") != 1 {
		t.Errorf("-part race: exit status %d, %s", r.status, r.stdout)
	}
	if r := m.run("script/test", "-part", "rice"); r.status != 2 {
		t.Errorf("an unknown part: exit status %d, want 2", r.status)
	}
}

// script/demo installs a C compiler where it can, compares benchmarks that exist, and says
// in one line what it cannot do.
func TestDemo(t *testing.T) {
	t.Parallel()
	run := func(env []string, args ...string) (r result, log string) {
		m := newModule(t, map[string]string{"cmd/wherry/x": "", "examples/x": ""})
		script, err := os.ReadFile("../script/demo")
		if err = errors.Join(err, os.CopyFS(m.dir, os.DirFS("testdata/demo"))); err != nil {
			t.Fatal(err)
		}
		m.write("script/demo", string(script))
		dirname, err := exec.LookPath("dirname")
		if err = errors.Join(err, os.Mkdir(m.path("few"), 0o777), os.Symlink(dirname, m.path("few/dirname"))); err != nil {
			t.Fatal(err)
		}
		m.env = append([]string{"PATH=" + m.path("tools") + ":" + os.Getenv("PATH"), "LOG=" + m.path("log"),
			"INSTALLED=" + m.path("installed"), "MISSING=", "BROKEN=", "USER_ID=1000"}, env...)
		r = m.run("/bin/sh", append([]string{"script/demo"}, args...)...)
		text, _ := os.ReadFile(m.path("log"))
		if strings.ContainsAny(r.stdout+r.stderr, "\r\x1b") {
			t.Errorf("control characters without a terminal: %q%q", r.stdout, r.stderr)
		}
		return r, strings.ReplaceAll(string(text), m.dir, "$DIR")
	}
	r, log := run(nil)
	build, compare, _ := strings.Cut(log, "wherry\nexamples\ncompare\n")
	if r.status != 0 || r.stderr != "" || build != "go build -C cmd/wherry -o $DIR/bin/wherry .\n" {
		t.Errorf("exit status %d, %s\n%s", r.status, r.stderr, log)
	}
	contains(t, "the end", r.stdout, "bin/wherry compare ./...", "bin/wherry build")
	var pattern string
	var names []string
	words := strings.Fields(compare)
	for i, word := range words {
		switch {
		case word == "-bench":
			pattern = words[i+1]
		case strings.HasPrefix(word, "./"):
			files, _ := filepath.Glob(filepath.Join("../examples", word, "*_test.go"))
			found := len(names)
			for _, file := range files {
				text, _ := os.ReadFile(file)
				for _, match := range regexp.MustCompile(`(?m)^func (Benchmark\w+)`).FindAllStringSubmatch(string(text), -1) {
					names = append(names, match[1])
				}
			}
			if len(names) == found {
				t.Errorf("%s in examples has no benchmark", word)
			}
		}
	}
	for _, one := range strings.Split(pattern, "|") {
		if one == "" || !slices.ContainsFunc(names, regexp.MustCompile(one).MatchString) {
			t.Errorf("no benchmark matches %q", one)
		}
	}

	for _, test := range []struct {
		what   string
		env    []string
		args   []string
		status int
		want   string
	}{
		{"an argument", nil, []string{"-count", "3"}, 2, `unexpected "-count"`},
		{"no compiler", []string{"MISSING=1"}, nil, 1, "gcc does not compile C; install gcc"},
		{"no Go", []string{"PATH=few"}, nil, 1, "no go command in PATH"},
		{"a broken clone", []string{"BROKEN=1"}, nil, 1, "main.go:1:1: broken"},
	} {
		r, log := run(test.env, test.args...)
		if r.status != test.status || strings.Count(r.stderr, "\n") != 1 || strings.Contains(log, "compare") {
			t.Errorf("%s: exit status %d, want %d and one line\n%s%s", test.what, r.status, test.status, r.stderr, log)
		}
		contains(t, test.what, r.stderr, "script/demo: ", test.want)
	}
	r, log = run([]string{"MISSING=1", "USER_ID=0"})
	if r.status != 0 || !strings.HasPrefix(log, "apt-get update -qq\napt-get install -y -qq gcc libc6-dev\ngo build ") {
		t.Errorf("root without a compiler: exit status %d, %s\n%s", r.status, r.stderr, log)
	}
}

// script/matrix takes all rows at one commit: -continue runs again what passed at another,
// and what passes after a commit, or after a file has changed, has not passed.
func TestMatrixIsOfOneCommit(t *testing.T) {
	t.Parallel()
	script, err := os.ReadFile("../script/matrix")
	if err != nil {
		t.Fatal(err)
	}
	m := newModule(t, map[string]string{"script/matrix": string(script), "tests/matrix.md": "",
		"go": "#!/bin/sh\ncase $1 in test) ;; version) exit 1 ;; *) exit 0 ;; esac\n" + // no other Go can be had
			"echo ok; echo \"$*\" >>\"$LOG\"; case $* in *NoMemory*) eval \"$DURING\" ;; esac\n"})
	for _, program := range []string{"script/matrix", "go"} {
		if err := os.Chmod(m.path(program), 0o777); err != nil {
			t.Fatal(err)
		}
	}
	const anew = "git -c user.name=x -c user.email=x@example.com commit -q --allow-empty -a -m x"
	commit := func() string {
		m.must("sh", "-c", anew)
		return strings.TrimSpace(m.must("git", "rev-parse", "--short", "HEAD").stdout)
	}
	m.must("git", "init", "-q")
	m.must("git", "add", ".")
	// matrix runs the script, and something during a row.
	matrix := func(during string, args ...string) (status, ran int, table string) {
		t.Helper()
		log := filepath.Join(t.TempDir(), "log")
		m.env = []string{"PATH=" + m.dir + ":" + os.Getenv("PATH"), "LOG=" + log, "DURING=" + during}
		status = m.run("script/matrix", args...).status
		lines, _ := os.ReadFile(log) // none if no row has run
		table = m.read("tests/matrix.md")
		passed, not := strings.Count(table, "` | passed | "), strings.Count(table, " | passed at ")+strings.Count(table, "| not run: ")
		contains(t, "the heading", table, fmt.Sprintf("\n%d of %d rows passed at ", passed, passed+not))
		return status, strings.Count(string(lines), "\n"), table
	}
	before := commit()
	status, all, table := matrix("")
	if got := strings.Count(table, " | "+before+" |"); status != 0 || got != all || all < 15 {
		t.Errorf("exit status %d, %d rows of %d are of commit %s", status, got, all, before)
	}
	if status, ran, _ := matrix("", "-continue"); status != 0 || ran != 0 {
		t.Errorf("-continue at the same commit: exit status %d, %d rows run again", status, ran)
	}
	after := commit()
	status, ran, table := matrix("", "-continue")
	if got := strings.Count(table, "` | passed | "); status != 0 || got != all || ran != all || strings.Contains(table, before) {
		t.Errorf("-continue at another commit: exit status %d, %d of %d rows run, %d passed", status, ran, all, got)
	}
	for _, during := range []string{"echo >>go.mod", anew} {
		m.must("git", "checkout", "-q", ".")
		status, _, table = matrix(during)
		if got := strings.Count(table, ", no longer at "+after+" | "); status != 1 || got == 0 || got == all {
			t.Errorf("%s: exit status %d, want 1; %d of %d rows no longer passed", during, status, got, all)
		}
	}
	m.must("sh", "-c", "echo >>go.mod")
	matrix("")
	if status, ran, _ := matrix("", "-continue"); status != 0 || ran != all {
		t.Errorf("-continue with changed files: exit status %d, %d of %d rows run", status, ran, all)
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
