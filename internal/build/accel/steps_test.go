package accel

import (
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"testing"
)

// Of the steps the last one counts whose process has not ended, and nothing is written where
// nobody looks on.
func TestSteps(t *testing.T) {
	dir := t.TempDir()
	Step(dir, "compiling a")
	if files, _ := os.ReadDir(dir); len(files) > 0 {
		t.Fatalf("there is a file, and nobody looks on: %v", files)
	}
	if err := WatchSteps(dir); err != nil {
		t.Fatal(err)
	}
	if s := ReadSteps(dir); s.Compiled != 0 || s.Now() != "" {
		t.Errorf("before the first step: %+v", s)
	}
	t.Setenv("TOOLEXEC_IMPORTPATH", "b")
	c := &Config{dir: dir}
	c.step("compile", []string{"-V=full"})
	c.step("asm", []string{"x.s"})
	c.step("compile", []string{"-p", "b"})
	c.step("cgo", []string{"-objdir", "."})
	Step(dir, "two\nlines")
	ended := exec.Command(os.Args[0], "-test.run=^$")
	if err := ended.Run(); err != nil {
		t.Fatal(err)
	}
	file, err := os.OpenFile(filepath.Join(dir, stepsFile), os.O_WRONLY|os.O_APPEND, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	file.WriteString(strconv.Itoa(ended.ProcessState.Pid()) + " compiling c\nno number\n12")
	if s := ReadSteps(dir); s.Compiled != 2 || len(s.now) != 4 || s.Now() != `two\nlines` {
		t.Errorf("got %+v, now %q", s, s.Now())
	}
	if s := (Steps{now: []step{{ended.ProcessState.Pid(), "a"}, {ended.ProcessState.Pid(), "b"}}}); s.Now() != "b" {
		t.Errorf("of steps that have all ended: got %q, want the last", s.Now())
	}
}
