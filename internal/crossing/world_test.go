package crossing

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/wherrygo/wherry/internal/goruntime"
	"github.com/wherrygo/wherry/internal/libc"
)

// A compiler makes programs of Target's files for an architecture.
type compiler struct {
	goarch string
	words  []string
	run    []string // in front of the program
}

// compilers are those of the tests: this machine's, with sanitizers, and another
// machine's.
var (
	// With -O1 gcc takes the address of a weak variable of each thread for NULL.
	sanitizing = compiler{runtime.GOARCH, []string{"gcc", "-fsanitize=address,undefined", "-fno-sanitize=null"}, nil}
	other      = compiler{"arm64", []string{"aarch64-linux-gnu-gcc"}, []string{"qemu-aarch64", "-L", "/usr/aarch64-linux-gnu"}}
	compilers  = []compiler{
		{runtime.GOARCH, []string{"gcc"}, nil},
		{runtime.GOARCH, []string{"clang"}, nil},
		sanitizing,
		{runtime.GOARCH, []string{"gcc", "-fsanitize=thread"}, nil},
		other,
	}
)

func (c compiler) name() string { return strings.Join(c.words, " ") }

func (c compiler) sanitizes() bool { return len(c.words) > 1 }

// compile returns a function that runs a program of files in testdata.
func (c compiler) compile(t *testing.T, target Target, files ...string) func(env string, args ...string) (string, error) {
	t.Helper()
	return c.runs(t, c.build(t, target, program(t, files...)))
}

// program returns the text of files in testdata, after that of world.c.
func program(t *testing.T, files ...string) (all string) {
	t.Helper()
	for _, name := range append([]string{"world.c"}, files...) {
		text, err := os.ReadFile(filepath.Join("testdata", name)) // here, for go test's cache
		if err != nil {
			t.Fatal(err)
		}
		all += fmt.Sprintf("#line 1 %q\n%s", name, text)
	}
	return all
}

func (c compiler) runs(t *testing.T, executable string) func(env string, args ...string) (string, error) {
	return func(env string, args ...string) (string, error) {
		command := slices.Concat(c.run, []string{executable}, args)
		ctx, cancel := context.WithTimeout(t.Context(), 2*time.Minute)
		defer cancel()
		cmd := exec.CommandContext(ctx, command[0], command[1:]...)
		cmd.Env = append(os.Environ(), env)
		out, err := cmd.CombinedOutput()
		return string(out), err
	}
}

// build compiles Target's files and more without a warning, and skips the test where
// there is no such compiler.
func (c compiler) build(t *testing.T, target Target, more string, flags ...string) (output string) {
	t.Helper()
	if c.goarch != "amd64" && c.goarch != "arm64" {
		t.Skipf("calls in flight are not there on %s", c.goarch)
	}
	if testing.Short() && c.name() != "gcc" {
		t.Skip("-short: gcc alone does")
	}
	for _, tool := range slices.Concat(c.words[:1], c.run[:min(1, len(c.run))]) {
		if _, err := exec.LookPath(tool); err != nil {
			t.Skipf("%s is not installed", tool)
		}
	}
	target.GOARCH, target.Offsets = c.goarch, spread()
	files, err := target.Files()
	if err != nil {
		t.Fatal(err)
	}
	text := "#include \"" + Main + "\"\n"
	if !target.Static {
		var taken []string
		if c.sanitizes() { // before its own start, which calls this, nothing that it has compiled can run
			taken = []string{"dl_iterate_phdr"}
		}
		names, err := target.Names(c.library(t), true, false, taken)
		if err != nil {
			t.Fatal(err)
		}
		const end = `REALS {"", "", 0}`
		if !strings.Contains(names, end) {
			t.Fatalf("the table of names does not end with %s", end)
		}
		text += strings.Replace(names, end, `REALS {"no_such_function", "", 0}, {"", "", 0}`, 1)
	}
	dir := t.TempDir()
	source, output := filepath.Join(dir, "program.c"), filepath.Join(dir, "program")
	files["program.c"] = text + more
	for name, text := range files {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	args := slices.Concat(c.words[1:], []string{"-Wall", "-Wextra", "-Werror", "-O1", "-g", "-pthread"}, target.Flags(), // as in a build
		flags, []string{"-o", output, source})
	if out, err := exec.Command(c.words[0], args...).CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	return output
}

// library reads the C library that the compiler links with.
func (c compiler) library(t *testing.T) libc.Library {
	t.Helper()
	for _, name := range []string{"libc.so.6", "libc.so"} {
		path, err := exec.Command(c.words[0], "-print-file-name="+name).Output()
		if err != nil {
			t.Fatal(err)
		}
		if library, err := libc.ReadLibrary([]string{strings.TrimSpace(string(path))}); err == nil {
			return library
		}
	}
	t.Fatalf("%s does not say where its C library is", c.words[0])
	return nil
}

// spread puts each of the runtime's fields a place of its own.
func spread() goruntime.Offsets {
	offsets := goruntime.Offsets{}
	for i, name := range goruntime.Names() {
		offsets[name] = int64(1008 + 8*i)
	}
	return offsets
}
