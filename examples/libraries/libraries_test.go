package libraries

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// Each program checks its own results. It is built without cgo, and run with
// an empty environment: no compiler, no PATH.
func TestPrograms(t *testing.T) {
	for name, needs := range map[string]string{"crc": "libz.so.1", "sort": "libc.so.6", "lua": "liblua5.4.so.0"} {
		for _, cgo := range []string{"0", "1"} {
			t.Run(name+"/cgo="+cgo, func(t *testing.T) {
				program := filepath.Join(t.TempDir(), name)
				build := exec.Command("go", "build", "-o", program, "./"+name)
				build.Env = append(os.Environ(), "CGO_ENABLED="+cgo)
				if output, err := build.CombinedOutput(); err != nil {
					t.Fatalf("%v\n%s", err, output)
				}
				cmd := exec.Command(program)
				cmd.Env = []string{}
				output, err := cmd.CombinedOutput()
				if strings.Contains(string(output), "cannot open "+needs) {
					t.Skipf("%s", output)
				}
				if err != nil || !strings.Contains(string(output), "ns each") {
					t.Errorf("%v\n%s", err, output)
				}
				t.Logf("%s", output)
			})
		}
	}
}
