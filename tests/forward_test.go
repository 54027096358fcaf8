package tests

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// Where a tool lets one name the go command, wherry can be named: what is not wherry's is the go
// command's, with its output and exit status.
func TestGoCommands(t *testing.T) {
	t.Parallel()
	m := testdata(t, "small")
	m.must("go", "build", "-o", "program")
	for _, line := range []string{"env", "list ./nowhere", "vet .", "version -m program", "version -m -json program", "help mod",
		"generate ./...", "-C . list -m", "tool nothing"} {
		got, want := m.run(wherry, strings.Fields(line)...), m.run("go", strings.Fields(line)...)
		got.cpu, want.cpu = 0, 0
		got.stdout, want.stdout = withoutFolders(got.stdout), withoutFolders(want.stdout)
		if got != want {
			t.Errorf("wherry %s: got %+v, want %+v", line, got, want)
		}
	}
	const input = "echo 0x0 | "
	got := m.must("sh", "-c", input+"'"+wherry+"' tool addr2line program").stdout
	if want := m.must("sh", "-c", input+"go tool addr2line program").stdout; got != want || got == "" {
		t.Errorf("of what the input asks: got %q, want %q", got, want)
	}
}

// withoutFolders leaves out a line of go env with a name that is another one each time.
func withoutFolders(text string) string {
	lines := strings.SplitAfter(text, "\n")
	for i, line := range lines {
		if strings.HasPrefix(line, "GOGCCFLAGS=") {
			lines[i] = ""
		}
	}
	return strings.Join(lines, "")
}

// The command that runs is the go command itself, which signals reach.
func TestGoCommandReplaces(t *testing.T) {
	t.Parallel()
	needsFastPath(t)
	m := newModule(t, nil)
	m.write("bin/go", "#!/bin/sh\necho $$ $PPID $*\n")
	m.must("chmod", "+x", m.path("bin/go"))
	m.env = []string{"PATH=" + m.path("bin") + ":" + os.Getenv("PATH")}
	r := m.must("sh", "-c", "'"+wherry+"' list & echo $!; wait")
	if words := strings.Fields(r.stdout); len(words) != 4 || words[0] != words[1] && words[0] != words[3] {
		t.Errorf("go is not the process that wherry was: %q", r.stdout)
	}
}

// The first line of wherry version is that of go version, which tools read.
func TestVersionOfGo(t *testing.T) {
	t.Parallel()
	m := newModule(t, nil)
	want := m.must("go", "version").stdout + "wherry "
	for _, flag := range []string{"version", "-version", "--version"} {
		if got := m.must(wherry, flag).stdout; !strings.HasPrefix(got, want) || strings.Count(got, "\n") != 2 {
			t.Errorf("%s: got %q, want it to begin with %q", flag, got, want)
		}
	}
	m.env = []string{"PATH=" + t.TempDir()}
	for _, line := range []string{"version", "env", "build", "nothing"} {
		r := m.run(wherry, line)
		if r.status != 1 || r.stderr != "wherry: the go command is not in PATH; install Go from https://go.dev/dl\n" {
			t.Errorf("%s without go: got exit status %d\n%s", line, r.status, r.stderr)
		}
	}
}

// -C is the folder to work in, before the command and behind it.
func TestFolder(t *testing.T) {
	t.Parallel()
	needsFastPath(t)
	m := testdata(t, "small")
	outside := &module{t: t, dir: t.TempDir()}
	for i, args := range [][]string{
		{"-C", m.dir, "build", "-o", "program0"}, {"-C=" + m.dir, "build", "-o", "program1", "."}, {"--C", m.dir, "build", "-o", "program2"},
		{"build", "-C", m.dir, "-o", "program3"}, {"build", "-C=" + m.dir, "-o", "program4", "."},
	} {
		contains(t, strings.Join(args, " "), outside.must(wherry, args...).stderr, " C functions are fast")
		if program := "program" + string(rune('0'+i)); !m.accelerated(program) {
			t.Errorf("%q: the program is not accelerated", args)
		}
	}
	if got := outside.must(wherry, "-C", m.dir, "run", ".").stdout; got != "3 42\n" {
		t.Errorf("run: got %q", got)
	}
	for _, args := range [][]string{{"-C"}, {"-C", "nowhere", "build"}, {"-C=nowhere", "list"}} {
		got, want := outside.run(wherry, args...), outside.run("go", args...)
		if got.status != want.status {
			t.Errorf("%q: got exit status %d, want %d: %s", args, got.status, want.status, got.stderr)
		}
	}
}

// wherry can stand in PATH by the name of go, and finds the go command behind itself.
func TestNamedGo(t *testing.T) {
	t.Parallel()
	needsFastPath(t)
	m := testdata(t, "small")
	dir := t.TempDir()
	if err := os.Symlink(wherry, filepath.Join(dir, "go")); err != nil {
		t.Fatal(err)
	}
	m.env = []string{"PATH=" + dir + ":" + os.Getenv("PATH")}
	m.must("sh", "-c", "go build -o program && go vet")
	if !m.accelerated("program") {
		t.Error("the program is not accelerated")
	}
	if got := m.must("sh", "-c", "go env GOMOD").stdout; got != m.path("go.mod")+"\n" {
		t.Errorf("go env: got %q", got)
	}
	m.env = []string{"PATH=" + dir}
	for _, line := range []string{"env", "build"} {
		r := m.run(wherry, line)
		if r.status != 1 || !strings.HasPrefix(r.stderr, "wherry: the go command in PATH is wherry itself, and there is no other") {
			t.Errorf("%s with no other: got exit status %d\n%s", line, r.status, r.stderr)
		}
	}
}
