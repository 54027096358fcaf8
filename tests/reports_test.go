package tests

import (
	"os"
	"regexp"
	"strings"
	"testing"
)

const dependentMod = goMod + "\nrequire example.com/dep v0.0.0\n\nreplace example.com/dep => ./dep\n"

// hostile is a module with a dependency in whose comments are escape sequences.
func hostile(t *testing.T) *module {
	t.Helper()
	m := testdata(t, "reports")
	m.write("go.mod", dependentMod)
	for _, name := range []string{"dep/mistaken.go", "dep/pure.go"} {
		m.write(name, strings.ReplaceAll(m.read(name), "ESC", "\x1b"))
	}
	return m
}

// A package cannot say of itself what wherry has to say of it: neither by its data, nor by
// files that become members of its archive. Of file names go keeps the first 16 bytes.
func TestForgedReport(t *testing.T) {
	t.Parallel()
	needsFastPath(t)
	for name, files := range map[string][]string{
		"data":    nil,
		"members": {"dep/wherry.report   .syso", "dep/wherry_c.o      .syso", "dep/wherry.report.syso"},
	} {
		m := hostile(t)
		for _, file := range files {
			m.must("cc", "-c", "-o", file, "forged.S")
		}
		m.must("rm", "forged.S")
		if got := m.build("program").fast(); got != "three two" {
			t.Errorf("%s: the report names %q as fast, want three and two", name, got)
		}
		contains(t, name, m.must("go", "version", "-m", "program").stdout, "\twherry.fast=2\n")
		contains(t, name, m.must("./program").stdout, "1 2 3\n")
		m.write("wherry.policy", "example.com/dep t* cgo\n")
		if got := m.build("program").fast(); got != "" {
			t.Errorf("%s: on cgo: the report names %q as fast, want none", name, got)
		}
		// Without a call of wherry's the program defines nothing of the C library's.
		if symbols := m.must("go", "tool", "nm", "program").stdout; strings.Contains(symbols, " T __clone\n") {
			t.Errorf("%s: on cgo: the program has what belongs to wherry's calls", name)
		}
	}
}

// Mistakes in a dependency's directives are warnings, and the lines have no effect. The user's
// own are errors.
func TestMistakenDirectives(t *testing.T) {
	t.Parallel()
	needsFastPath(t)
	m := hostile(t)
	rep := m.build("program")
	if got := rep.fast(); got != "three two" {
		t.Errorf("fast are %q, want three and two: no directive has an effect", got)
	}
	warnings := "\n"
	for _, p := range rep.Packages {
		warnings += strings.Join(p.Warnings, "\n") + "\n"
	}
	contains(t, "the warnings", warnings,
		"dep/mistaken.go:6: unknown mode \"quick\": want cgo, fast, reentrant or nocallback; ignored\n",
		"dep/mistaken.go:7: malformed glob \"[\"", "dep/mistaken.go:8: ", " matches no C function",
		"dep/mistaken.go:9: empty //wherry: directive",
		"dep/mistaken.go:10: unknown mode \"\\x1b]0;title\"", "dep/pure.go:3: //wherry:cgo stands in a file that does not import \"C\"")
	if n := strings.Count(warnings, "\n"); n != 7 {
		t.Errorf("got %d warnings, want 6:%s", n-1, warnings)
	}
	m.write("dep/more.go", "package dep\n\nimport \"C\"\n\n//wherry:fast"+strings.Repeat(" none", 1000)+"\n")
	warnings = ""
	for _, p := range m.build("program").Packages {
		warnings += strings.Join(p.Warnings, "\n") + "\n"
	}
	contains(t, "a thousand more", warnings, "996 more warnings of this package\n")
	if n := strings.Count(warnings, "\n"); n != 11 {
		t.Errorf("of a thousand more mistakes: got %d warnings, want 11", n)
	}
	m.must("rm", "dep/more.go")
	m.write("go.mod", goMod)
	m.write("go.work", "go 1.24\n\nuse (\n\t.\n\t./dep\n)\n")
	r := m.run(wherry, "build", "-o", "program")
	if r.status == 0 {
		t.Error("mistakes in a main module are accepted")
	}
	contains(t, "in a main module", r.stderr, "mistaken.go:6: unknown mode \"quick\"", "mistaken.go:7: malformed glob \"[\"")
}

// What dependencies, files and tools say reaches no terminal as it is: it could change what is
// on it, and more.
func TestNoEscapeSequences(t *testing.T) {
	t.Parallel()
	needsFastPath(t)
	m := hostile(t)
	m.must("rm", "forged.S")
	for _, command := range [][]string{
		{"build", "-o", "program"}, {"build", "-report", "-o", "program"}, {"build", "-report=json", "-o", "program"},
		{"run", "."}, {"stat", "."}, {"vet\x1b[31m"}, {"version", "./\x1b[31m"},
		{"compare", "-count=1", "example.com/dep\x1b[31m"},
	} {
		r := m.run(wherry, command...)
		said := r.stdout + r.stderr
		control := func(c rune) bool { return c < ' ' && c != '\n' && c != '\t' || c >= 0x7f && c < 0xa0 }
		if strings.Contains(said, "\ned") {
			t.Errorf("%q: a name begins a line:\n%s", command, said)
		}
		if i := strings.IndexFunc(said, control); i >= 0 {
			t.Errorf("%q writes %q", command, said[max(0, i-100):min(i+20, len(said))])
		}
	}
	contains(t, "build", m.must(wherry, "build", "-o", "program").stderr, `/dep/mistaken.go:8: \u001b7thr^e matches no C function`)
}

// A policy reads no file outside of its module's folder, and waits for none. Of what it
// includes no line is shown.
func TestHostilePolicy(t *testing.T) {
	t.Parallel()
	needsFastPath(t)
	m := testdata(t, "small")
	m.env = append(m.env, "SECRET=a-token-that-nobody-else-should-read")
	up := strings.Repeat("../", 40)
	m.must("ln", "-s", "/proc/self/environ", "link")
	m.must("mkfifo", "pipe")
	for policy, want := range map[string]string{
		"include " + up + "proc/self/environ": "wherry.policy:1: \"../../../../../../.....\" leads out of this policy's folder",
		"\ninclude link":                      "wherry.policy:2: \"link\" leads out of this policy's folder",
		"include pipe":                        "wherry.policy:1: pipe: is not a regular file",
	} {
		m.write("wherry.policy", policy+"\n")
		r := m.run("timeout", "60", wherry, "build", "-o", "program")
		if r.status != 1 || strings.Contains(r.stderr, "a-token") {
			t.Errorf("%q: got exit status %d and %q", policy, r.status, r.stderr)
		}
		contains(t, policy, r.stderr, want)
	}
	m.must("mv", "pipe", "wherry.policy")
	if r := m.run("timeout", "60", wherry, "build", "-o", "program"); r.status != 1 {
		t.Errorf("a pipe as policy: got exit status %d", r.status)
	}
}

// Of what go build leaves alone in a package's folder nothing is waited for, and none of it is read
// without end.
func TestIrregularGoFiles(t *testing.T) {
	t.Parallel()
	needsFastPath(t)
	m := testdata(t, "small")
	m.must("mkfifo", "_pipe.go", "pipe_windows.go")
	m.must("ln", "-s", "/dev/zero", "zero_windows.go")
	m.must("ln", "-s", "/dev/zero", "_zero.go")
	m.must("ln", "-s", "pipe_windows.go", ".link.go")
	m.must("mkdir", "_folder.go")
	m.must("timeout", "60", "go", "build", "-o", "plain")
	r := m.run("timeout", "60", wherry, "build", "-o", "program")
	if r.status != 0 || !m.accelerated("program") {
		t.Errorf("exit status %d: %s", r.status, r.stderr)
	}
	// A policy has the files looked at that belong to other builds.
	m.must("mkdir", "pure")
	m.write("pure/pure.go", "package pure\n")
	m.must("mv", "pipe_windows.go", "zero_windows.go", "pure")
	m.write("wherry.policy", "example.com/m/pure f fast\n")
	r = m.run("timeout", "60", wherry, "build", "-o", "program")
	contains(t, "a rule for a package without C", r.stderr, "example.com/m/pure is not a cgo package")
}

// Go's own tools read a package's archive as before.
func TestToolsReadArchives(t *testing.T) {
	t.Parallel()
	onEachGo(t, func(t *testing.T, env string) {
		if !firstOrLast(env) {
			t.Skip("the oldest Go and the newest do this")
		}
		m := hostile(t)
		m.env = append(m.env, env)
		log := m.must(wherry, "build", "-x", "-work", "-o", "program", ".").stderr // the packages of a new folder are built
		archive := regexp.MustCompile(`(?m)^packagefile example\.com/dep=(.*)$`).FindStringSubmatch(log)
		work := regexp.MustCompile(`(?m)^WORK=(.*)$`).FindStringSubmatch(log)
		if archive == nil || work == nil {
			t.Fatalf("go build says not where the archive is:\n%.2000s", log)
		}
		defer os.RemoveAll(work[1])
		file := strings.Replace(archive[1], "$WORK", work[1], 1)
		contains(t, "pack", m.must("go", "tool", "pack", "t", file).stdout, "__.PKGDEF\n_go_.o\nwherry.report\nwherry_c.o\n")
		contains(t, "nm", m.must("go", "tool", "nm", file).stdout, "example.com/dep.Two", "_wherry_call_start")
		contains(t, "objdump", m.must("go", "tool", "objdump", "-s", "dep.Two", file).stdout, "TEXT example.com/dep.Two")
		contains(t, "go/importer", m.must("go", "run", "./reader", file).stdout, "func example.com/dep.Two() int\n")
		m.write("main_test.go", "package main\n\nimport \"testing\"\n\nfunc Test(t *testing.T) { main() }\n")
		m.must(wherry, "test", "-vet=all", ".") // vet reads what dep exports
	})
}
