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
	t.Parallel()
	needsFastPath(t)
	m := testdata(t, "stat/counts")
	m.must(wherry, "stat", "-build", "counting", ".")
	for duration := 2 * time.Second; ; duration *= 4 {
		r, report, counts := m.stat("-duration", duration.String(), "./counting", "wait")
		if r.stdout == "" && duration < 30*time.Second {
			continue // a busy machine: the program was not done with its crossings
		}
		if r.status != 0 || r.stdout != "done\n" || report.WallNS < int64(duration)*95/100 {
			t.Errorf("-duration %v: status %d, %q after %d ns: %s", duration, r.status, r.stdout, report.WallNS, r.stderr)
		}
		compareCrossings(t, counts)
		break
	}

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
		if status, ok := cmd.ProcessState.Sys().(syscall.WaitStatus); !ok || !status.Signaled() || status.Signal() != how {
			t.Errorf("%v: got %v", how, err)
		}
		contains(t, how.String(), stderr.String(), "C.byFast", "72,000", "CPU time")
	}
}
