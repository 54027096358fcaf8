package tests

import (
	"os"
	"os/exec"
	"strings"
	"testing"
)

// Where the fast path is not available the build is plain, and a sentence
// says why.
func TestPlainBuilds(t *testing.T) {
	t.Parallel()
	needsFastPath(t)
	for _, test := range []struct{ flags, env, want string }{
		{"-race", "", "plain build: -race watches cgo's own crossings"},
		{"", "GOFLAGS=-race", "plain build: -race"},
		{"-asan", "", "plain build: -asan"},
		{"", "WHERRY=off", "plain build: WHERRY=off"},
		{"", "GO_EXTLINK_ENABLED=0", "plain build: the internal linker"},
		{"-gcflags=all=-d=softfloat", "", "plain build: -d=softfloat has Go pass"},
		{"-ldflags=-linkmode=internal", "", "plain build: the internal linker cannot link wherry's calls; leave -linkmode"},
		{"-ldflags=-w  -linkmode 'internal'", "", "plain build: the internal linker cannot link wherry's calls; leave -linkmode"},
	} {
		t.Run(test.flags+test.env, func(t *testing.T) {
			m := testdata(t, "small")
			if test.env != "" {
				m.env = []string{test.env}
			}
			args := []string{"build", "-o", "plain"}
			if test.flags != "" {
				args = append(args, test.flags)
			}
			r := m.run(wherry, args...)
			contains(t, "stderr", r.stderr, test.want)
			if plain := m.run("go", args...); r.status != plain.status {
				t.Fatalf("exit status %d, go build's is %d\n%s", r.status, plain.status, r.stderr)
			}
			if r.status == 0 && m.accelerated("plain") {
				t.Error("the executable has calls in flight")
			}
		})
	}
}

func TestOtherTargetsArePlain(t *testing.T) {
	t.Parallel()
	m := newModule(t, map[string]string{"main.go": "package main\n\nfunc main() {}\n"})
	for env, want := range map[string]string{
		"CGO_ENABLED=0":                "plain build: cgo is off (CGO_ENABLED=0); set CGO_ENABLED=1",
		"GOOS=windows":                 "the fast path needs linux, this build is for windows",
		"GOOS=darwin GOARCH=arm64":     "the fast path needs linux, this build is for darwin",
		"GOARCH=riscv64 CGO_ENABLED=1": "the fast path needs amd64 or arm64, this build is for riscv64",
		"GOARCH=386 GO386=softfloat":   "needs amd64 or arm64, this build is for 386",
	} {
		m.env = strings.Fields(env)
		r := m.must(wherry, "build", "-o", os.DevNull)
		contains(t, env, r.stderr, want)
	}
}

// What wherry says at the end is true where packages do not compile, and of what SWIG writes.
func TestSummaryIsTrue(t *testing.T) {
	t.Parallel()
	needsFastPath(t)
	broken := newModule(t, map[string]string{
		"main.go": "package main\n\n// static int f(void) { return x; }\nimport \"C\"\n\nfunc main() { C.f() }\n"})
	for _, verb := range []string{"build", "run", "test"} {
		r := broken.run(wherry, verb, ".")
		if r.status == 0 || strings.Contains(r.stderr, "wherry: ") {
			t.Errorf("%s: exit status %d\n%s", verb, r.status, r.stderr)
		}
	}
	if _, err := exec.LookPath("swig"); err != nil {
		t.Skip("no swig here")
	}
	swig := newModule(t, map[string]string{
		"main.go":      "package main\n\nimport \"example.com/m/sums\"\n\nfunc main() { println(sums.Add(1, 2)) }\n",
		"sums/sums.go": "package sums\n", "sums/sums.swig": "%{\nstatic int add(int a, int b) { return a + b; }\n%}\nint add(int a, int b);\n",
	})
	r := swig.must(wherry, "build", "-o", "program")
	contains(t, "stderr", r.stderr, " C functions are fast (example.com/m/sums ")
	if got := swig.must("./program").stderr; got != "3\n" {
		t.Errorf("got %q", got)
	}
}

// A package's own flags can make the program static: it is built again as one.
func TestStaticByPackage(t *testing.T) {
	t.Parallel()
	needsFastPath(t)
	m := testdata(t, "static")
	m.must("go", "build", "-o", "plain")
	want := m.must("./plain").stdout
	r := m.must(wherry, "build", "-o", "fast")
	contains(t, "stderr", r.stderr, "is built again as a static one", " of 3 C functions are fast")
	if got := m.must("./fast").stdout; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	if got := m.must(wherry, "run", ".").stdout; got != want {
		t.Errorf("run: got %s, want %s", got, want)
	}
}

// A program that opens plugins has the packages that these were built from.
func TestPluginsOpen(t *testing.T) {
	t.Parallel()
	needsFastPath(t)
	m := testdata(t, "plugins")
	m.must("go", "build", "-buildmode=plugin", "-o", "p.so", "./pl")
	contains(t, "build", m.must(wherry, "build", "-o", "program", "./host").stderr, "wherry: plain build: plugin opens libraries")
	if got := m.must("./program", "./p.so").stdout; got != "2 42\n" {
		t.Errorf("got %s", got)
	}
	if got := m.must(wherry, "run", "./host", "./p.so").stdout; got != "2 42\n" {
		t.Errorf("run: got %s", got)
	}
}

// An imitated future Go: a go command that reports a version beyond the
// newest tested. The build is plain and says so; the override accelerates.
func TestNewerGoIsPlain(t *testing.T) {
	t.Parallel()
	needsFastPath(t)
	m := testdata(t, "small")
	m.imitateNewerGo()
	r := m.must(wherry, "build", "-o", "plain")
	contains(t, "stderr", r.stderr, "go1.99.1 is newer than go1.27, the newest tested", "WHERRY_UNTESTED_GO=1")
	if m.accelerated("plain") {
		t.Error("accelerated with an untested Go")
	}
	if got := m.must("./plain").stdout; got != "3 42\n" {
		t.Errorf("got output %q", got)
	}
	m.write("main_test.go", "package main\n\nimport \"testing\"\n\nfunc TestMain(t *testing.M) { main(); t.Run() }\n")
	contains(t, "test", m.must(wherry, "test", "-v").stdout, "3 42\n", "ok")
	contains(t, "doctor", m.run(wherry, "doctor").stdout, "the fast path is off", "go1.99.1 is newer than go1.27")
	m.env = append(m.env, "WHERRY_UNTESTED_GO=1")
	m.must(wherry, "build", "-o", "fast")
	if !m.accelerated("fast") {
		t.Error("the override had no effect")
	}
}

// imitateNewerGo has the module's commands find a go command that reports a
// version beyond the newest tested.
func (m *module) imitateNewerGo() {
	m.t.Helper()
	m.inFront("go", "[ \"$1\" = env ] || exec \"$real\" \"$@\"\n\"$real\" \"$@\" | sed 's/\"go1\\.[0-9.]*\"/\"go1.99.1\"/'\n")
}

// A path that the go command's flags cannot carry does not stop a build, and
// doctor names a compiler that does not work.
func TestHostileEnvironment(t *testing.T) {
	t.Parallel()
	needsFastPath(t)
	m := testdata(t, "small")
	m.write(`a'b"c/x`, "")
	executable := m.path(`a'b"c/wherry`)
	m.must("cp", wherry, executable)
	r := m.must(executable, "run", ".")
	contains(t, "quotes", r.stderr, "wherry: plain build: the path", "has a double quote")
	if r.stdout != "3 42\n" {
		t.Errorf("got output %q", r.stdout)
	}
	m.env = []string{"CC=false"}
	if r := m.run(wherry, "doctor"); r.status != 1 {
		t.Errorf("doctor with CC=false: got exit status %d", r.status)
	} else {
		contains(t, "doctor", r.stdout, "the fast path is off: the C compiler false does not work: exit status 1; install gcc or clang, or set "+
			"CC")
	}
	m.env = nil
	if got := m.run(wherry, "run", "./none").stderr; strings.Contains(got, "wherry:") {
		t.Errorf("a package that does not exist: wherry adds to what go run says: %s", got)
	}
}
