//go:build linux && amd64

package event

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"
)

// The tests once more on arm64, under qemu-user, with fewer records. What needs
// a kernel or a compiler of its own is left out, and what only the models use.
func TestArm64(t *testing.T) {
	for _, tool := range []string{"aarch64-linux-gnu-gcc", "qemu-aarch64"} {
		if _, err := exec.LookPath(tool); err != nil {
			t.Skipf("%s is not installed (Debian: qemu-user, gcc-aarch64-linux-gnu)", tool)
		}
	}
	binary := filepath.Join(t.TempDir(), "event.test")
	build := exec.Command("go", "test", "-c", "-o", binary, ".")
	build.Env = append(os.Environ(), "GOARCH=arm64", "CGO_ENABLED=1", "CC=aarch64-linux-gnu-gcc")
	if output, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, output)
	}
	run := exec.Command("qemu-aarch64", "-L", "/usr/aarch64-linux-gnu", binary,
		"-test.short", "-test.skip", "Model|Fingerprints|Header|Sanitizer|SystemCall|Fork", "-test.timeout", "9m") // a minute on a busy machine
	run.Env = append([]string{"WHERRY_STRESS=1s"}, append(os.Environ(), "WHERRY_EVENT_RECORDS=1500")...) // if it is not set
	if output, err := run.CombinedOutput(); err != nil {
		t.Errorf("%v\n%s", err, output)
	}
}
