package tests

import (
	"encoding/json"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// TestCheckCommand runs wherry check over an object: its formats, what it says
// of mistakes, and its exit status.
func TestCheckCommand(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	build := func(body string) {
		t.Helper()
		source := filepath.Join(dir, "a.c")
		if err := os.WriteFile(source, []byte(body), 0o666); err != nil {
			t.Fatal(err)
		}
		if out, err := exec.Command("gcc", "-w", "-O1", "-g", "-c", "-o", filepath.Join(dir, "a.o"), source).CombinedOutput(); err != nil {
			t.Fatalf("%v\n%s", err, out)
		}
	}
	run := func(args ...string) (stdout, stderr string, status int) {
		t.Helper()
		cmd := exec.Command(wherry, append([]string{"check"}, args...)...)
		cmd.Dir = dir
		var out, errs strings.Builder
		cmd.Stdout, cmd.Stderr = &out, &errs
		err := cmd.Run()
		var exit *exec.ExitError
		if err != nil && !errors.As(err, &exit) {
			t.Fatal(err)
		}
		return out.String(), errs.String(), cmd.ProcessState.ExitCode()
	}
	build("int good(int x) { return x + 1; }\nvoid usleep(unsigned);\nvoid bad(void) {\n usleep(1); }\n")
	for _, c := range []struct {
		args   string
		status int
		want   []string
	}{
		{"a.o good", 0, []string{"good: safe"}},
		{"a.o", 1, []string{"good: safe", "bad: unsafe", "block: bad (", "a.c:4"}},
		{"a.o nothing*", 2, []string{"no function matches nothing*"}},
		{"absent.o", 2, []string{"absent.o: no such file"}},
		{"-json -sarif a.o", 2, []string{"only one of"}},
		{"-explain bad a.o", 0, []string{"bad: unsafe", "Hazard block"}},
		{"-explain recursion", 0, []string{"# recursion", "depth walk 64"}},
		{"-lock verdicts a.o", 0, nil},
		{"-lock verdicts a.o", 0, nil},
	} {
		stdout, stderr, status := run(strings.Fields(c.args)...)
		if status != c.status {
			t.Errorf("check %s: status %d, want %d\n%s%s", c.args, status, c.status, stdout, stderr)
		}
		for _, want := range c.want {
			if !strings.Contains(stdout+stderr, want) {
				t.Errorf("check %s: want %q, got\n%s%s", c.args, want, stdout, stderr)
			}
		}
	}
	stdout, _, _ := run("-json", "a.o")
	var report struct {
		Target    string
		Functions []struct {
			Name, Verdict string
			Stack         int
			Loops         *bool
			Hazards       []struct {
				Class string
				Path  []string
			}
		}
	}
	if err := json.Unmarshal([]byte(stdout), &report); err != nil {
		t.Fatal(err)
	}
	if f := report.Functions; report.Target != "a.o" || len(f) != 2 || f[0].Name != "bad" || f[0].Verdict != "unsafe" ||
		f[0].Hazards[0].Class != "block" ||
		strings.Join(f[0].Hazards[0].Path, " ") != "bad usleep" || f[1].Verdict != "safe" || f[1].Loops == nil || *f[1].Loops {
		t.Errorf("unexpected report:\n%s", stdout)
	}
	build("void usleep(unsigned); int good(int x) { usleep(x); return x + 1; }\nvoid bad(void) { usleep(1); }\n")
	if stdout, _, status := run("-lock", "verdicts", "a.o"); status != 1 || !strings.Contains(stdout, "good: was safe, is unsafe") {
		t.Errorf("a locked verdict changed: status %d\n%s", status, stdout)
	}
}
