package main

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
)

var packets string // the command, built once

func TestMain(m *testing.M) {
	dir, err := os.MkdirTemp("", "packets")
	if err != nil {
		panic(err)
	}
	packets = filepath.Join(dir, "packets")
	status := 1
	if out, err := exec.Command("go", "build", "-o", packets, ".").CombinedOutput(); err != nil {
		fmt.Fprintf(os.Stderr, "%v\n%s", err, out)
	} else {
		status = m.Run()
	}
	os.RemoveAll(dir)
	os.Exit(status)
}

// The command runs the program, passes its output and status on, and reports.
func TestRun(t *testing.T) {
	t.Parallel()
	run := func(args ...string) (status int, stdout, stderr string) {
		cmd := exec.Command(packets, args...)
		var out, errors bytes.Buffer
		cmd.Stdout, cmd.Stderr = &out, &errors
		err := cmd.Run()
		if cmd.ProcessState == nil {
			t.Fatal(err)
		}
		return cmd.ProcessState.ExitCode(), out.String(), errors.String()
	}
	for _, args := range []string{"", "-json", "-nonsense -- true"} {
		if status, _, stderr := run(strings.Fields(args)...); status != 2 || !strings.HasPrefix(stderr, "packets: ") {
			t.Errorf("%s: status %d, %q; want wrong usage", args, status, stderr)
		}
	}
	if status, stdout, _ := run("-help"); status != 0 || stdout != usage {
		t.Errorf("-help: status %d, %q", status, stdout)
	}
	status, stdout, stderr := run("--", "sh", "-c", "echo out; exit 3")
	if runtime.GOOS != "linux" || strings.Contains(stderr, "sockdiag: ") {
		if status != 1 {
			t.Errorf("not available: status %d, %q", status, stderr)
		}
		t.Skip(stderr)
	}
	if status != 3 || stdout != "out\n" || !strings.Contains(stderr, "no TCP connection") {
		t.Errorf("got status %d, %q, %q", status, stdout, stderr)
	}
	if status, _, stderr := run("-json", "--", "true"); status != 0 || stderr != "{\"connections\":[]}\n" {
		t.Errorf("-json: status %d, %q", status, stderr)
	}
	if status, _, stderr := run("--", "./missing"); status != 1 || !strings.Contains(stderr, "missing") {
		t.Errorf("a missing program: status %d, %q", status, stderr)
	}
}
