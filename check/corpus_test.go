package check

import (
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
)

// A build of the corpus, and how many functions that are safe in truth the
// checker may call unknown: the number may only fall.
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
	{"clang", "-O0", 0, true},
	{"clang", "-O1", 0, true},
	{"clang", "-O2", 0, false},
	{"clang", "-O3", 0, true},
	{"clang", "-Os", 0, true},
	{"clang", "-O2 -fsanitize=undefined -fsanitize-trap=all", 0, true},
	{"clang", "-O2 -mretpoline -fstack-clash-protection", 0, true},
	{"clang", "-O2 -fno-asynchronous-unwind-tables -fPIC", 0, true},
	// Thread-local data of shared code is found through a descriptor's
	// function there, which is called through a pointer: alloc_tls.
	{"aarch64-linux-gnu-gcc", "-O0", 0, true},
	{"aarch64-linux-gnu-gcc", "-O1", 0, true},
	{"aarch64-linux-gnu-gcc", "-O2", 0, false},
	{"aarch64-linux-gnu-gcc", "-O3", 0, true},
	{"aarch64-linux-gnu-gcc", "-Os", 0, true},
	{"aarch64-linux-gnu-gcc", "-O2 -fPIC", 1, true},
	{"aarch64-linux-gnu-gcc", "-O2 -fno-asynchronous-unwind-tables", 0, true},
	{"aarch64-linux-gnu-gcc", "-O3 -march=armv8.4-a+sve -mbranch-protection=standard", 0, true},
	{"aarch64-linux-gnu-gcc", "-O2 -mharden-sls=all -fstack-clash-protection -march=armv8.1-a", 0, true},
	{"clang --target=aarch64-linux-gnu", "-O0", 0, true},
	{"clang --target=aarch64-linux-gnu", "-O1", 0, true},
	{"clang --target=aarch64-linux-gnu", "-O2", 0, true},
	{"clang --target=aarch64-linux-gnu", "-O3", 0, true},
	{"clang --target=aarch64-linux-gnu", "-Os", 0, true},
	{"clang --target=aarch64-linux-gnu", "-O2 -fPIC", 1, true},
	{"clang --target=aarch64-linux-gnu", "-O2 -fno-asynchronous-unwind-tables", 0, true},
	{"clang --target=aarch64-linux-gnu", "-O3 -march=armv8.4-a+sve -mbranch-protection=standard", 0, true},
}

// corpus returns C source: what all corpora share, and those of some rules.
func corpus(t *testing.T, rule string) string {
	t.Helper()
	files, err := filepath.Glob("rules/" + rule + "/corpus.c")
	if err != nil || len(files) == 0 {
		t.Fatalf("rule %s has no corpus.c: %v", rule, err)
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

// TestCorpus asks for a verdict of each function of all corpora. A false
// safe is an error, always.
func TestCorpus(t *testing.T) {
	withEachCompiler(t, corpus(t, "*"), func(t *testing.T, b build, object string) { judgeCorpus(t, object, b.unknown, 116) })
}

// withEachCompiler tests the object that each of builds makes of a C text.
func withEachCompiler(t *testing.T, text string, test func(t *testing.T, b build, object string)) {
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
			test(t, b, object)
		})
	}
}

func judgeCorpus(t *testing.T, object string, mayBeUnknown, atLeast int) {
	p, err := Open(object, Options{Libraries: []string{"libm.so.6"}})
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, name := range p.AllFunctions() {
		if kind, _, _ := strings.Cut(name, "_"); slices.Contains([]string{"safe", "not", "alloc", "loops"}, kind) {
			names = append(names, name)
		}
	}
	results, err := p.Check(names...)
	if err != nil {
		t.Fatal(err)
	}
	unknown, safe := 0, 0
	for _, r := range results {
		if strings.HasPrefix(r.Name, "alloc_") && r.OnlyAllocates() {
			continue
		}
		truth := !strings.HasPrefix(r.Name, "not_")
		switch {
		case !truth && r.Verdict == Safe:
			t.Errorf("%s: FALSE SAFE", r.Name)
		case truth && r.Verdict == Unsafe:
			t.Errorf("%s: unsafe: %v", r.Name, r.Hazards)
		case strings.HasPrefix(r.Name, "loops_") && !r.Loops:
			t.Errorf("%s: FALSE: no loops", r.Name)
		case truth && r.Verdict == Unknown:
			unknown++
			t.Logf("%s: unknown: %+v", r.Name, r.Hazards[0])
		case truth:
			safe++
		}
	}
	t.Logf("%d functions, %d rightly safe, %d unknown though safe", len(results), safe, unknown)
	if len(results) < atLeast || unknown > mayBeUnknown {
		t.Errorf("%d of %d functions unknown, want at most %d", unknown, len(results), mayBeUnknown)
	}
}

// TestHandWritten judges assembly that breaks what compilers keep to.
func TestHandWritten(t *testing.T) {
	for _, c := range []struct {
		compiler, source string
		atLeast          int
	}{{"gcc", "assembly.s", 81}, {"aarch64-linux-gnu-gcc", "assembly_arm64.s", 48}} {
		t.Run(c.source, func(t *testing.T) {
			if _, err := exec.LookPath(c.compiler); err != nil || c.compiler == "gcc" && runtime.GOARCH != "amd64" {
				t.Skipf("no %s for this assembly: %v", c.compiler, err)
			}
			object := filepath.Join(t.TempDir(), "assembly.o")
			if out, err := exec.Command(c.compiler, "-c", "-o", object, "testdata/"+c.source).CombinedOutput(); err != nil {
				t.Fatalf("%v\n%s", err, out)
			}
			judgeCorpus(t, object, 0, c.atLeast)
		})
	}
}
