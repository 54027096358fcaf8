package tests

import (
	"os"
	"os/exec"
	"strings"
	"testing"
)

// withGo has a module's builds use a go command that writes its command lines to a file, and
// returns what does a command and returns these.
func (m *module) withGo() (logged func(args ...string) (commands string, r result)) {
	m.t.Helper()
	log := m.path("commands")
	m.inFront("go", "echo \"go $*\" >> '"+log+"'; exec \"$real\" \"$@\"\n")
	return func(args ...string) (commands string, r result) {
		m.t.Helper()
		os.Remove(log)
		r = m.run(wherry, args...)
		return m.read("commands"), r
	}
}

// Tests that were run before need no list of packages, whatever has changed in Go; with another
// policy they do, so that C that the policy does not concern is not compiled again.
func TestTestsAskOnce(t *testing.T) {
	t.Parallel()
	onEachGo(t, func(t *testing.T, env string) {
		m := testdata(t, "tested")
		m.must("rm", "-r", m.path("part"))
		m.env = strings.Fields(env)
		logged := m.withGo()
		test := func(what string, lists bool, args ...string) {
			t.Helper()
			commands, r := logged(append([]string{"test", "-report"}, args...)...)
			if got := strings.Contains(commands, " -deps -export "); got != lists || r.status != 0 ||
				!strings.HasPrefix(r.stderr, "example.com/m: ") || !strings.Contains(r.stdout, "ok  \texample.com/m\t") {
				t.Errorf("%s: listed: %v, want %v; exit status %d\n%s%s%s", what, got, lists, r.status, commands, r.stdout, r.stderr)
			}
		}
		test("the first time", true)
		test("again", false)
		m.write("more.go", "package tested\n\nfunc init() {}\n")
		test("one package changed", false)
		if !firstOrLast(env) {
			return
		}
		test("another test", false, "-run", "Sum", "-count=1")
		test("other packages", true, "./...")
		m.write("wherry.policy", "example.com/m add cgo\n")
		test("another policy", true)
		test("the same policy", false)
		m.write("sum_test.go", "package tested\n\nfunc init() { panic(1) }\n")
		if commands, r := logged("test"); r.status != 1 || !strings.Contains(r.stderr, "0 of 1 C functions are fast") {
			t.Errorf("tests that fail: exit status %d\n%s%s%s", r.status, commands, r.stdout, r.stderr)
		}
		m.write("sum_test.go", "package tested\n\nvar _ = x\n")
		if commands, r := logged("test"); r.status != 1 || strings.Contains(r.stderr, "wherry: ") {
			t.Errorf("tests that do not compile: exit status %d\n%s%s%s", r.status, commands, r.stdout, r.stderr)
		}
	})
}

// Nothing is run that was built with another library than is there, or that opens plugins, also where
// the packages were not known to be of the tests.
func TestRefusedTests(t *testing.T) {
	t.Parallel()
	needsFastPath(t)
	gcc, err := exec.LookPath("gcc")
	if err != nil {
		t.Skip("gcc is not installed")
	}
	m := testdata(t, "tested")
	m.withoutSpaces()
	library := func(text string) {
		t.Helper()
		m.write("part.c.txt", "int part(int n) { "+text+" }\n")
		m.must(gcc, "-shared", "-fPIC", "-O2", "-Wl,-soname,libpart.so", "-o", "libpart.so", "-x", "c", "part.c.txt")
	}
	library("return n;")
	logged := m.withGo()
	const again = "wherry: changed since packages were built with it: libpart.so; building these again\n"
	m.must(wherry, "test", ".")
	m.must(wherry, "build", "./part")
	library("return n + 1;")
	uses := "package tested\n\nimport (\n\t\"testing\"\n\n\t\"example.com/m/part\"\n)\n\nfunc TestPart(t *testing.T) { t.Log(part.Part(1)) }\n"
	m.write("part_test.go", uses)
	commands, r := logged("test", "-v", "-count=1", ".")
	if r.status != 0 || !strings.Contains(r.stderr, again) || strings.Count(r.stdout, "=== RUN   TestPart\n") != 1 ||
		!strings.Contains(r.stdout, ": 2\n") || !strings.Contains(r.stderr, "example.com/m/part was built with another libpart.so") {
		t.Errorf("a package that is new to the tests: exit status %d\n%s%s%s", r.status, commands, r.stdout, r.stderr)
	}
	library("return n + 2;")
	commands, r = logged("test", "-v", "-count=1", ".")
	if r.status != 0 || !strings.Contains(r.stderr, again) || !strings.Contains(r.stdout, ": 3\n") ||
		strings.Contains(r.stderr, "was built with") {
		t.Errorf("a package that is known: exit status %d\n%s%s%s", r.status, commands, r.stdout, r.stderr)
	}
	m.write("part_test.go", strings.Replace(uses, "\n)", "\n\t_ \"plugin\"\n)", 1))
	commands, r = logged("test", "-v", "-count=1", ".")
	if r.status != 0 || !strings.Contains(r.stderr, "wherry: plain build: plugin opens libraries") {
		t.Errorf("with plugins: exit status %d\n%s%s%s", r.status, commands, r.stdout, r.stderr)
	}
}
