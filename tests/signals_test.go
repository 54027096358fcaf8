package tests

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"
)

// A signal ends a build at once, in each of its parts, and wherry by that signal, as it does go build:
// a shell's script stops then. wherry leaves nothing in the folder for temporary files.
func TestInterrupted(t *testing.T) {
	t.Parallel()
	needsFastPath(t)
	for name, test := range map[string]struct {
		signal syscall.Signal
		group  bool // from the keyboard
		args   []string
		fresh  bool   // no toolchain is known, so that wherry looks into the runtime first
		when   string // a process with this in its command line runs
	}{
		"compiling":                {syscall.SIGINT, true, []string{"build"}, false, "sleep 30"},
		"compiling, for a list":    {syscall.SIGINT, true, []string{"run", "."}, false, "sleep 30"},
		"compiling, for tests":     {syscall.SIGTERM, false, []string{"test"}, false, "sleep 30"},
		"compiling, by the parent": {syscall.SIGTERM, false, []string{"build"}, false, "sleep 30"},
		"running tests":            {syscall.SIGTERM, false, []string{"test", "-count=1", "."}, false, ".test -test."},
		"hung up":                  {syscall.SIGHUP, false, []string{"build"}, false, "sleep 30"},
		"looking into the runtime": {syscall.SIGINT, true, []string{"build"}, true, "/wherry-probe-"},
		"the same, by the parent":  {syscall.SIGTERM, false, []string{"build"}, true, "/wherry-probe-"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			m := testdata(t, "slow")
			m.must("chmod", "+x", m.path("bin/slowcc"))
			m.write("slow.c", m.read("slow.c")+"/* "+name+" */ int "+strings.NewReplacer(" ", "", ",", "").Replace(name)+";\n")
			if name == "running tests" {
				m.replace("bin/slowcc", "sleep 3", ":")
				m.write("wait_test.go", "package main\n\nimport (\n\t\"testing\"\n\t\"time\"\n)\n\n"+
					"func TestWait(t *testing.T) { time.Sleep(time.Minute) }\n")
			}
			m.write("bin/slowcc", strings.Replace(m.read("bin/slowcc"), "sleep 3", "exec sleep 30", 1))
			temporary := t.TempDir()
			cmd := exec.Command("env", append([]string{"--default-signal", wherry}, test.args...)...) // the tests may ignore some
			cmd.Dir, cmd.SysProcAttr = m.dir, &syscall.SysProcAttr{Setsid: true}
			cmd.Env = append(os.Environ(), "PATH="+m.path("bin")+":"+os.Getenv("PATH"), "CC=slowcc", "TMPDIR="+temporary)
			if test.fresh {
				cmd.Env = append(cmd.Env, "GOCACHE="+t.TempDir())
			}
			if err := cmd.Start(); err != nil {
				t.Fatal(err)
			}
			if !runsIn(cmd.Process.Pid, test.when) {
				t.Errorf("no process of it has %q in its command line", test.when)
			}
			to := cmd.Process.Pid
			if test.group {
				to = -to
			}
			if err := syscall.Kill(to, test.signal); err != nil {
				t.Error(err)
			}
			begin := time.Now()
			cmd.Wait()
			if status := cmd.ProcessState.Sys().(syscall.WaitStatus); !status.Signaled() || status.Signal() != test.signal {
				t.Errorf("it ended by %v, want %v", cmd.ProcessState, test.signal)
			}
			if lasts := time.Since(begin); lasts > 20*time.Second {
				t.Errorf("it ended after %v", lasts)
			}
			syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) // compilers go on, as those of go build do
			if left, _ := filepath.Glob(filepath.Join(temporary, "wherry-*")); len(left) > 0 {
				t.Errorf("left behind: %v", left)
			}
		})
	}
}

// What nohup and a script's & have wherry ignore does not end its build, as it does not end go build.
func TestIgnoredSignals(t *testing.T) {
	t.Parallel()
	needsFastPath(t)
	m := testdata(t, "slow")
	m.must("chmod", "+x", m.path("bin/slowcc"))
	m.write("slow.c", m.read("slow.c")+fmt.Sprintf("int unique_%d;\n", time.Now().UnixNano()))
	m.replace("bin/slowcc", "sleep 3", "kill -HUP $WHERRY_PARENT; kill -INT $WHERRY_PARENT; sleep 1")
	m.env = []string{"PATH=" + m.path("bin") + ":" + os.Getenv("PATH"), "CC=slowcc"}
	r := m.must("sh", "-c", "trap '' HUP INT; WHERRY_PARENT=$$ exec \"$0\" build -o fast", wherry)
	contains(t, "stderr", r.stderr, " C functions are fast")
}

// runsIn waits for a process of a session, whose command line contains a text.
func runsIn(session int, text string) bool {
	for range 600 {
		files, _ := filepath.Glob("/proc/[0-9]*/cmdline")
		for _, file := range files {
			line, _ := os.ReadFile(file)
			if !strings.Contains(strings.ReplaceAll(string(line), "\x00", " "), text) {
				continue
			}
			stat, _ := os.ReadFile(filepath.Join(filepath.Dir(file), "stat"))
			_, rest, _ := strings.Cut(string(stat), ") ")
			if words := strings.Fields(rest); len(words) > 3 && words[3] == strconv.Itoa(session) {
				return true
			}
		}
		time.Sleep(100 * time.Millisecond)
	}
	return false
}
