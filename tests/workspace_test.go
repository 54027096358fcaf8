package tests

import (
	"os/exec"
	"strings"
	"syscall"
	"testing"
	"time"
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

// A signal to wherry ends the go command too, and leaves no file behind.
func TestTerminate(t *testing.T) {
	t.Parallel()
	needsFastPath(t)
	m := testdata(t, "small")
	m.write("wait_test.go", "package main\n\nimport (\n\t\"os\"\n\t\"testing\"\n\t\"time\"\n)\n\n"+
		"func TestWait(t *testing.T) {\n\tparent := os.Getppid()\n\tprintln(\"waiting\")\n"+
		"\tfor range 600 {\n\t\ttime.Sleep(100 * time.Millisecond)\n\t\tif os.Getppid() != parent {\n\t\t\tos.Exit(1) // the go command is "+
		"gone and has left this\n\t\t}\n\t}\n}\n")
	tmp := t.TempDir()
	cmd := exec.Command(wherry, "test", "-v", "-count=1", ".")
	cmd.Dir, cmd.Env = m.dir, append(cmd.Environ(), append(m.env, "TMPDIR="+tmp)...)
	output, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	cmd.Stderr = cmd.Stdout
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	for text := ""; !strings.Contains(text, "waiting"); {
		part := make([]byte, 100)
		n, err := output.Read(part)
		if err != nil {
			t.Fatalf("%v after %q", err, text)
		}
		text += string(part[:n])
	}
	start := time.Now()
	if err := cmd.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	if err := cmd.Wait(); err == nil {
		t.Error("got exit status 0 after SIGTERM")
	}
	if took := time.Since(start); took > 50*time.Second { // TestWait ends after a minute
		t.Errorf("ended %v after SIGTERM", took)
	}
	if left := m.must("find", tmp, "-name", "wherry-*").stdout; left != "" {
		t.Errorf("left behind: %s", left)
	}
}
