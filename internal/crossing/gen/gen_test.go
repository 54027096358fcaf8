package gen

import (
	"flag"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "write the golden files")

func generated(t *testing.T) map[string][]byte {
	t.Helper()
	text, err := os.ReadFile("testdata/calls/calls.go")
	if err != nil {
		t.Fatal(err)
	}
	name, generated, err := Generate("calls.go", text)
	if err != nil {
		t.Fatal(err)
	}
	return map[string][]byte{name: generated}
}

func TestGolden(t *testing.T) {
	for name, text := range generated(t) {
		golden := filepath.Join("testdata/calls", name+".golden")
		if *update {
			if err := os.WriteFile(golden, text, 0o666); err != nil {
				t.Fatal(err)
			}
		}
		want, err := os.ReadFile(golden)
		if err != nil {
			t.Fatal(err)
		}
		if string(text) != string(want) {
			t.Errorf("%s differs from its golden file; go test -update writes it", name)
		}
	}
}

// A fresh module with the generated files: vetted for both architectures, and
// run, fast and slow.
func TestModule(t *testing.T) {
	if runtime.GOOS != "linux" || testing.Short() {
		t.Skip("builds cgo programs: linux, and not with -short")
	}
	root, err := filepath.Abs("../../..")
	if err != nil {
		t.Fatal(err)
	}
	files, others := generated(t), map[string][]byte{}
	for name, text := range files { // without cgo, for other systems
		others["other/"+name] = text
	}
	maps.Copy(files, others)
	files["other/main.go"] = []byte("package main\n\nfunc main() {}\n")
	for name, from := range map[string]string{"main.go": "main.go.txt", "c/c.go": "c.go.txt"} {
		if files[name], err = os.ReadFile("testdata/calls/" + from); err != nil {
			t.Fatal(err)
		}
	}
	files["go.mod"] = []byte("module example.com/calls\n\ngo 1.24\n\nrequire github.com/wherrygo/wherry v0.0.0\n\nreplace " +
		"github.com/wherrygo/wherry => " + root + "\n")
	dir := t.TempDir()
	for name, text := range files {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, text, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	run := func(env []string, name string, args ...string) string {
		t.Helper()
		cmd := exec.Command(name, args...)
		cmd.Dir = dir
		cmd.Env = append(append(os.Environ(), "CGO_ENABLED=1", "GOFLAGS=-mod=mod", "GOWORK=off"), env...)
		output, err := cmd.CombinedOutput()
		if err != nil {
			t.Fatalf("%v %s %v: %v\n%s", env, name, args, err, output)
		}
		return string(output)
	}
	slow := []string{"WHERRY_SLOW=1"}
	// Without -a: no other package's run can have left a result for this one.
	run(nil, "go", "vet", ".")
	run(nil, "go", "build", "-o", "program", ".")
	if got, want := run(nil, "./program")+run(slow, "./program"), "all agree; fast: true\nall agree; fast: false\n"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	run([]string{"GOGC=1"}, "./program")
	run([]string{"GOOS=darwin", "GOARCH=arm64", "CGO_ENABLED=0"}, "go", "build", "-o", "mac", "./other")
	for _, tool := range []string{"aarch64-linux-gnu-gcc", "qemu-aarch64"} {
		if _, err := exec.LookPath(tool); err != nil {
			t.Skip("arm64 is not tried:", err)
		}
	}
	arm := []string{"GOARCH=arm64", "CC=aarch64-linux-gnu-gcc"}
	run(arm, "go", "vet", ".")
	run(arm, "go", "build", "-o", "arm", ".")
	for _, env := range [][]string{nil, slow} {
		run(env, "qemu-aarch64", "-L", "/usr/aarch64-linux-gnu", "./arm")
	}
}

func TestProblems(t *testing.T) {
	const head = "//go:build ignore\n\npackage p\n\n"
	for text, want := range map[string]string{
		"package p\n\n//wherry:bind a\nfunc a()\n":                        "x.go:1:1: want the line //go:build ignore",
		head + "func a()\n":                                               "x.go:5:1: a has no comment //wherry:bind C_NAME",
		head + "//wherry:bind a-b\nfunc a()\n":                            `x.go:6:1: a: "a-b" is no name of a C function`,
		head + "//wherry:bind a\nfunc a() {}\n":                           "x.go:6:10: a has a body",
		head + "//wherry:bind a\nfunc (t T) a()\n":                        "methods and generic functions",
		head + "//wherry:bind a\nfunc a(x map[int]int)\n":                 "x.go:6:10: a: type map[int]int: stubs pass",
		head + "//wherry:bind a\nfunc a(x [3]int)\n":                      "take a pointer to [3]int",
		head + "//wherry:bind a\nfunc a(p []time.Duration)\n":             "stubs know no package but unsafe",
		head + "//wherry:bind a\nfunc a() (int, error)\n":                 "one result",
		head + "//wherry:bind a\nfunc a() string\n":                       "C returns no string",
		head + "//wherry:bind a\nfunc a()\n\n//wherry:bind a\nfunc a()\n": "a is declared twice",
		head: "no function has a comment",
	} {
		if _, _, err := Generate("x.go", []byte(text)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("got %v, want %q", err, want)
		}
	}
}
