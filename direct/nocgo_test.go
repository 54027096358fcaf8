package direct_test

import (
	"os"
	"os/exec"
	"runtime"
	"testing"
)

// Without cgo both packages compile, and say what is missing.
func TestWithoutCgo(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("elsewhere the error names the system")
	}
	cmd := exec.Command("go", "run", "./testdata/nocgo")
	cmd.Env = append(os.Environ(), "CGO_ENABLED=0")
	const why = "the program has no C runtime; build with CGO_ENABLED=1\n"
	const want = "true direct: cannot open libc.so.6: " + why + "true direct: cannot bind func(): " + why +
		"true direct: cannot bind func(): " + why + "true direct: " + why + "true callback: " + why
	if output, err := cmd.CombinedOutput(); err != nil || string(output) != want {
		t.Errorf("got %v\n%swant\n%s", err, output, want)
	}
}
