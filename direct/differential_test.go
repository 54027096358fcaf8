package direct_test

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"testing"

	"github.com/wherrygo/wherry/direct/internal/signature"
)

// A program calls random C functions through cgo and by Bind, fast and slow, with more than one C
// compiler, and for arm64. WHERRY_SIGNATURES sets how many functions for each.
func TestRandomSignaturesAgreeWithCgo(t *testing.T) {
	if runtime.GOOS != "linux" || testing.Short() || runtime.GOARCH != "amd64" && runtime.GOARCH != "arm64" {
		t.Skip("builds large cgo programs: linux on amd64 or arm64, and not with -short")
	}
	emulator := []string{"qemu-aarch64", "-L", "/usr/aarch64-linux-gnu"}
	for seed, compiler := range []struct {
		cc, flags string
		functions int
		runner    []string
	}{
		{"gcc", "-O2", 200, nil}, {"gcc", "-O0", 100, nil}, {"clang", "-O2", 100, nil}, {"aarch64-linux-gnu-gcc", "-O1", 100, emulator},
	} {
		t.Run(compiler.cc+compiler.flags, func(t *testing.T) {
			env := []string{"CC=" + compiler.cc, "CGO_CFLAGS=" + compiler.flags}
			tools := []string{compiler.cc}
			if compiler.runner != nil {
				env, tools = append(env, "GOARCH=arm64"), append(tools, compiler.runner[0])
			}
			for _, tool := range tools {
				if _, err := exec.LookPath(tool); err != nil {
					t.Skip(err)
				}
			}
			n := compiler.functions
			if text := os.Getenv("WHERRY_SIGNATURES"); text != "" {
				n, _ = strconv.Atoi(text)
			}
			words := append(compiler.runner, build(t, program(t, uint64(seed)+1, n), env...))
			want := fmt.Sprintf("functions: %d disagreements: 0\n", n)
			for slow, says := range map[string]string{"": "", "1": "direct: calls are slow: WHERRY_SLOW is set\n"} {
				cmd := exec.Command(words[0], words[1:]...)
				cmd.Env = append(os.Environ(), "WHERRY_SLOW="+slow)
				if output, err := cmd.CombinedOutput(); err != nil || string(output) != says+want {
					t.Errorf("slow=%q: %v\n%.3000s", slow, err, output)
				}
			}
		})
	}
}

func program(t *testing.T, seed uint64, n int) (dir string) {
	dir = t.TempDir()
	header, c, goText := signature.Program(seed, n)
	write(t, dir, "f.h", header)
	write(t, dir, "f.c", c)
	write(t, dir, "main.go", goText)
	return dir
}

func write(t *testing.T, dir, name, text string) {
	t.Helper()
	if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
}

// build makes a module of a folder and builds it.
func build(t *testing.T, dir string, env ...string) (program string) {
	t.Helper()
	root, err := filepath.Abs("..")
	if err != nil {
		t.Fatal(err)
	}
	write(t, dir, "go.mod", "module example.com/program\n\ngo 1.24\n\nrequire github.com/wherrygo/wherry v0.0.0\n\nreplace "+
		"github.com/wherrygo/wherry => "+root+"\n")
	cmd := exec.Command("go", "build", "-o", "program", ".")
	cmd.Dir = dir
	cmd.Env = append(append(os.Environ(), "CGO_ENABLED=1", "GOFLAGS=-mod=mod -ldflags=-compressdwarf=false", "GOWORK=off"), env...)
	if output, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v: %v\n%.5000s", env, err, output)
	}
	return filepath.Join(dir, "program")
}
