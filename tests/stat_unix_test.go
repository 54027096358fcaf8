//go:build unix

package tests

import (
	"fmt"
	"os/exec"
	"strings"
	"syscall"
	"testing"
	"time"
)

// An interrupt and -duration end the program, and the report comes.
func TestStatEnds(t *testing.T) {
	needsFastPath(t)
	m := newModule(t, map[string]string{"main.go": crossings})
	m.must(wherry, "stat", "-build", "counting", ".")
	begin := time.Now()
	r, report, counts := m.stat("-duration", "2s", "./counting", "wait")
	if r.status != 0 || time.Since(begin) > 30*time.Second || report.WallNS < 19e8 {
		t.Errorf("-duration: status %d after %v: %s", r.status, time.Since(begin), r.stderr)
	}
	compareCrossings(t, counts)

	for _, how := range []syscall.Signal{syscall.SIGINT, syscall.SIGTERM} {
		cmd := exec.Command(wherry, "stat", "./counting", "wait")
		cmd.Dir = m.dir
		cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true} // no terminal
		var stderr strings.Builder
		out, err := cmd.StdoutPipe()
		if err != nil {
			t.Fatal(err)
		}
		cmd.Stderr = &stderr
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		fmt.Fscanln(out, new(string)) // "done"
		if err := cmd.Process.Signal(how); err != nil {
			t.Fatal(err)
		}
		err = cmd.Wait()
		if cmd.ProcessState.ExitCode() <= 0 {
			t.Errorf("%v: got %v", how, err)
		}
		contains(t, how.String(), stderr.String(), "C.byDirect", "72,000", "CPU time")
	}
}
