package testenv

import (
	"os"
	"os/exec"
	"testing"
)

func Builder() string                      { return "" }
func HasCGO() bool                         { return true }
func HasGoBuild() bool                     { return true }
func MustHaveBuildMode(testing.TB, string) {}
func MustHaveCGO(testing.TB)               {}
func MustHaveExec(testing.TB)              {}
func MustHaveGoBuild(testing.TB)           {}
func MustHaveGoRun(testing.TB)             {}
func SkipFlaky(t testing.TB, issue int)    { t.Skipf("flaky: go.dev/issue/%d", issue) }
func SkipIfOptimizationOff(testing.TB)     {}

func MustHaveExecPath(t testing.TB, path string) {
	if _, err := exec.LookPath(path); err != nil {
		t.Skipf("%s is not installed", path)
	}
}

func Command(_ testing.TB, name string, args ...string) *exec.Cmd { return exec.Command(name, args...) }

func Executable(t testing.TB) string { return must(t)(os.Executable()) }
func GoToolPath(t testing.TB) string { return must(t)(exec.LookPath("go")) }

func must(t testing.TB) func(string, error) string {
	return func(path string, err error) string {
		if err != nil {
			t.Fatal(err)
		}
		return path
	}
}
