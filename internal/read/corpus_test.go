package read

import (
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
)

// A build of the corpus, and of how many functions that are safe in truth that may not be seen:
// the number may only fall. Without optimization clang keeps safe_vla's old stack pointer in memory.
type build struct {
	cc, flags string
	unknown   int
	long      bool
}

var builds = []build{
	{"gcc", "-O0", 0, false},
	{"gcc", "-O1", 0, true},
	{"gcc", "-O2", 0, false},
	{"gcc", "-O3", 0, true},
	{"gcc", "-Os", 0, true},
	{"gcc", "-O2 -fPIC", 0, false},
	{"gcc", "-O3 -funroll-all-loops", 0, false},
	{"gcc", "-O2 -finstrument-functions", 0, true},
	{"gcc", "-O2 -fpatchable-function-entry=16,8 -fstack-clash-protection -mstackrealign", 0, true},
	{"gcc", "-O2 -mindirect-branch=thunk -mno-red-zone -ffunction-sections", 0, true},
	{"gcc", "-O2 -fcf-protection=full -fstack-protector-all", 0, true},
	{"gcc", "-O2 -fno-asynchronous-unwind-tables -fno-plt -fPIC", 0, true},
	{"gcc", "-O3 -march=x86-64-v4", 0, true},
	{"clang", "-O0", 1, true},
	{"clang", "-O1", 0, true},
	{"clang", "-O2", 0, false},
	{"clang", "-O3", 0, true},
	{"clang", "-Os", 0, true},
	{"clang", "-O2 -fsanitize=undefined -fsanitize-trap=all", 0, true},
	{"clang", "-O2 -mretpoline -fstack-clash-protection", 0, true},
	{"clang", "-O2 -fno-asynchronous-unwind-tables -fPIC", 0, true},
	{"aarch64-linux-gnu-gcc", "-O0", 0, true},
	{"aarch64-linux-gnu-gcc", "-O1", 0, true},
	{"aarch64-linux-gnu-gcc", "-O2", 0, false},
	{"aarch64-linux-gnu-gcc", "-O3", 0, true},
	{"aarch64-linux-gnu-gcc", "-Os", 0, true},
	{"aarch64-linux-gnu-gcc", "-O2 -fPIC", 0, true},
	{"aarch64-linux-gnu-gcc", "-O2 -fno-asynchronous-unwind-tables", 0, true},
	{"aarch64-linux-gnu-gcc", "-O3 -march=armv8.4-a+sve -mbranch-protection=standard", 0, true},
	{"aarch64-linux-gnu-gcc", "-O2 -mharden-sls=all -fstack-clash-protection -march=armv8.1-a", 0, true},
	{"clang --target=aarch64-linux-gnu", "-O0 -fPIC", 1, true},
	{"clang --target=aarch64-linux-gnu", "-O1", 0, true},
	{"clang --target=aarch64-linux-gnu", "-O2", 0, true},
	{"clang --target=aarch64-linux-gnu", "-O3", 0, true},
	{"clang --target=aarch64-linux-gnu", "-Os", 0, true},
	{"clang --target=aarch64-linux-gnu", "-O2 -fPIC", 0, true},
	{"clang --target=aarch64-linux-gnu", "-O2 -fno-asynchronous-unwind-tables", 0, true},
	{"clang --target=aarch64-linux-gnu", "-O3 -march=armv8.4-a+sve -mbranch-protection=standard", 0, true},
}

// corpus returns C source: what all corpora share, and those of some classes.
func corpus(t *testing.T, class string) string {
	t.Helper()
	files, err := filepath.Glob("testdata/corpus/" + class + ".c")
	if err != nil || len(files) == 0 {
		t.Fatalf("class %s has no corpus: %v", class, err)
	}
	var all strings.Builder
	for _, name := range append([]string{"testdata/corpus.h", "testdata/plain.c"}, files...) {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		all.Write(text)
	}
	return all.String()
}

// TestCorpus reads each function of all corpora. One that is taken for safe and is not is an
// error, always.
func TestCorpus(t *testing.T) {
	withEachCompiler(t, corpus(t, "*"), func(t *testing.T, b build, program string) { readCorpus(t, program, b.unknown, 116) })
}

// TestClasses holds that each class has a name of its own, words and a corpus, of which some
// function that is not safe has it.
func TestClasses(t *testing.T) {
	files, err := os.ReadDir("testdata/corpus")
	if err != nil || len(files) != int(classes) {
		t.Errorf("%d files for %d classes, %v", len(files), classes, err)
	}
	for c := range classes {
		t.Run(c.String(), func(t *testing.T) {
			if parsed, ok := parseClass(c.String()); !ok || parsed != c || c.Says() == "" {
				t.Errorf("class %d has no name of its own, or no words: %q, %q", c, c, c.Says())
			}
			source := corpus(t, c.String())
			if _, err := exec.LookPath("gcc"); err != nil {
				t.Skip(err)
			}
			p := open(t, linked(t, "gcc", compile(t, "gcc", source, "-O2")))
			for _, name := range p.files.Functions() {
				if (strings.HasPrefix(name, "not_") || strings.HasPrefix(name, "alloc_")) && does(readOne(t, p, name), c) {
					return
				}
			}
			t.Errorf("no function of testdata/corpus/%s.c has it", c)
		})
	}
}

// withEachCompiler tests the program that each of builds makes of a C text.
func withEachCompiler(t *testing.T, text string, test func(t *testing.T, b build, program string)) {
	source := filepath.Join(t.TempDir(), "corpus.c")
	if err := os.WriteFile(source, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	for _, b := range builds {
		t.Run(b.cc+" "+b.flags, func(t *testing.T) {
			if b.long && os.Getenv("WHERRY_LONG") == "" {
				t.Skip("WHERRY_LONG=1 runs all compilers and levels")
			}
			cc := strings.Fields(b.cc)
			if _, err := exec.LookPath(cc[0]); err != nil {
				t.Skip(err)
			}
			object := filepath.Join(t.TempDir(), "corpus.o")
			args := append(append(cc[1:], strings.Fields(b.flags)...), "-w", "-c", "-o", object, source)
			if out, err := exec.Command(cc[0], args...).CombinedOutput(); err != nil {
				t.Fatalf("%v\n%s", err, out)
			}
			test(t, b, linked(t, linker(cc), object))
		})
	}
}

// linker returns the compiler that links what a compiler compiles.
func linker(cc []string) string {
	if strings.Contains(strings.Join(cc, " "), "aarch64") {
		return "aarch64-linux-gnu-gcc"
	}
	return "gcc"
}

func readCorpus(t *testing.T, program string, mayBeUnknown, atLeast int) {
	p := open(t, program)
	var names []string
	for _, name := range p.files.Functions() {
		if kind, _, _ := strings.Cut(name, "_"); slices.Contains([]string{"safe", "not", "alloc", "loops"}, kind) {
			names = append(names, name)
		}
	}
	functions, err := p.Read(names...)
	if err != nil {
		t.Fatal(err)
	}
	unknown, safe := 0, 0
	for i, f := range functions {
		name := names[i]
		if strings.HasPrefix(name, "alloc_") && len(f.Does) == 1 && does(f, Alloc) {
			continue
		}
		truth := !strings.HasPrefix(name, "not_")
		switch {
		case !truth && len(f.Does) == 0:
			t.Errorf("%s: FALSE SAFE", name)
		case truth && slices.ContainsFunc(f.Does, func(r Reason) bool { return !r.Class.Unknown() }):
			t.Errorf("%s: unsafe: %v", name, f.Does)
		case strings.HasPrefix(name, "loops_") && !f.Loops:
			t.Errorf("%s: FALSE: no loops", name)
		case truth && len(f.Does) > 0:
			unknown++
			t.Logf("%s: unknown: %+v", name, f.Does[0])
		case truth:
			safe++
		}
	}
	t.Logf("%d functions, %d rightly safe, %d unknown though safe", len(functions), safe, unknown)
	if len(functions) < atLeast || unknown > mayBeUnknown {
		t.Errorf("%d of %d functions unknown, want at most %d", unknown, len(functions), mayBeUnknown)
	}
}

// TestHandWritten reads assembly that breaks what compilers keep to.
func TestHandWritten(t *testing.T) {
	for _, c := range []struct {
		compiler, source string
		atLeast          int
	}{{"gcc", "assembly.s", 80}, {"aarch64-linux-gnu-gcc", "assembly_arm64.s", 48}} {
		t.Run(c.source, func(t *testing.T) {
			if _, err := exec.LookPath(c.compiler); err != nil || c.compiler == "gcc" && runtime.GOARCH != "amd64" {
				t.Skipf("no %s for this assembly: %v", c.compiler, err)
			}
			object := filepath.Join(t.TempDir(), "assembly.o")
			if out, err := exec.Command(c.compiler, "-c", "-o", object, "testdata/"+c.source).CombinedOutput(); err != nil {
				t.Fatalf("%v\n%s", err, out)
			}
			readCorpus(t, linked(t, c.compiler, object), 0, c.atLeast)
		})
	}
}
