package direct_test

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"testing"

	"github.com/wherrygo/wherry/direct/internal/signature"
)

// A program calls random C functions through cgo and by Bind, fast and slow, with
// more than one C compiler. WHERRY_SIGNATURES sets how many functions for each.
func TestRandomSignaturesAgreeWithCgo(t *testing.T) {
	if runtime.GOOS != "linux" || testing.Short() || runtime.GOARCH != "amd64" && runtime.GOARCH != "arm64" {
		t.Skip("builds large cgo programs: linux on amd64 or arm64, and not with -short")
	}
	n := 550
	if text := os.Getenv("WHERRY_SIGNATURES"); text != "" {
		n, _ = strconv.Atoi(text)
	}
	for seed, compiler := range []struct{ cc, flags string }{{"gcc", "-O2"}, {"gcc", "-O0"}, {"clang", "-O2"}, {"clang", "-O0"}} {
		t.Run(compiler.cc+compiler.flags, func(t *testing.T) {
			if _, err := exec.LookPath(compiler.cc); err != nil {
				t.Skip(err)
			}
			program := build(t, program(t, uint64(seed)+1, n), "CC="+compiler.cc, "CGO_CFLAGS="+compiler.flags)
			want := fmt.Sprintf("functions: %d disagreements: 0\n", n)
			for _, slow := range []string{"", "1"} {
				cmd := exec.Command(program)
				cmd.Env = append(os.Environ(), "WHERRY_SLOW="+slow)
				output, err := cmd.CombinedOutput()
				if slow == "1" {
					if !strings.HasPrefix(string(output), "direct: calls are slow: WHERRY_SLOW is set\n") {
						t.Error("WHERRY_SLOW=1 does not make calls slow")
					}
					_, rest, _ := strings.Cut(string(output), "\n")
					output = []byte(rest)
				}
				if err != nil || string(output) != want {
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
	cmd.Env = append(append(os.Environ(), "CGO_ENABLED=1", "GOFLAGS=-mod=mod", "GOWORK=off"), env...)
	if output, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v: %v\n%.5000s", env, err, output)
	}
	return filepath.Join(dir, "program")
}

func TestRandomSignaturesAgreeOnArm64(t *testing.T) {
	if testing.Short() || runtime.GOARCH != "amd64" {
		t.Skip("starts programs for arm64 from amd64; not with -short")
	}
	for _, tool := range []string{"aarch64-linux-gnu-gcc", "qemu-aarch64"} {
		if _, err := exec.LookPath(tool); err != nil {
			t.Skip(err)
		}
	}
	const n = 300
	program := build(t, program(t, 9, n), "GOARCH=arm64", "CC=aarch64-linux-gnu-gcc", "CGO_CFLAGS=-O1")
	for _, slow := range []string{"", "1"} {
		cmd := exec.Command("qemu-aarch64", "-L", "/usr/aarch64-linux-gnu", program)
		cmd.Env = append(os.Environ(), "WHERRY_SLOW="+slow)
		output, err := cmd.CombinedOutput()
		want := fmt.Sprintf("functions: %d disagreements: 0\n", n)
		if slow == "1" {
			want = "direct: calls are slow: WHERRY_SLOW is set\n" + want
		}
		if err != nil || string(output) != want {
			t.Errorf("slow=%q: %v\n%.3000s", slow, err, output)
		}
	}
}
