package main

import (
	"os"
	"os/exec"
	"testing"
)

// TestWithLibuv runs the tests of walk_test.go if libuv is there.
func TestWithLibuv(t *testing.T) {
	if os.Getenv("CGO_ENABLED") == "0" {
		t.Skip("CGO_ENABLED=0")
	}
	if err := exec.Command("pkg-config", "--exists", "libuv").Run(); err != nil {
		t.Skipf("libuv is not installed (Debian: libuv1-dev, pkg-config): %v", err)
	}
	for _, args := range [][]string{{"vet"}, {"test", "-run", "Sums|Missing|Leaving|Header"}} {
		cmd := exec.Command("go", append(args, "-tags", "libuv", ".")...)
		if output, err := cmd.CombinedOutput(); err != nil {
			t.Errorf("go %v: %v\n%s", args, err, output)
		}
	}
}
