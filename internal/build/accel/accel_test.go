package accel

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/wherrygo/wherry/internal/build/gotool"
	"github.com/wherrygo/wherry/internal/build/policy"
	"github.com/wherrygo/wherry/internal/goruntime"
)

func TestFindWrappers(t *testing.T) {
	const file = `extern char* _cgo_topofstack(void);
CGO_NO_SANITIZE_THREAD
int
_cgo_01ab_C2func_f(void *v)
{
	int _cgo_errno;

	return _cgo_errno;
}

CGO_NO_SANITIZE_THREAD
void
_cgo_01ab_Cfunc_f(void *v)
{
	f();
}

CGO_NO_SANITIZE_THREAD
void _cgo_01ab_Cfunc__Cmalloc(void *v) {
	if (1) {
		x();
	}
}
`
	found := map[string]wrapper{}
	findWrappers("f.c", file, found)
	for symbol, want := range map[string][2]string{
		"_cgo_01ab_C2func_f":       {"int", "\tint _cgo_errno;\n\n\treturn _cgo_errno;\n"},
		"_cgo_01ab_Cfunc_f":        {"void", "\tf();\n"},
		"_cgo_01ab_Cfunc__Cmalloc": {"void", "\tif (1) {\n\t\tx();\n\t}\n"},
	} {
		if got := found[symbol]; got.result != want[0] || got.body != want[1] {
			t.Errorf("%s: got %+v, want %q", symbol, got, want)
		}
	}
	if len(found) != 3 {
		t.Errorf("found %d wrappers, want 3", len(found))
	}
}

func TestQuote(t *testing.T) {
	for _, word := range []string{"plain", "with space", "it's", "tab\there"} {
		quoted, err := quote(word)
		if err != nil {
			t.Fatal(err)
		}
		if words := gotool.SplitQuoted(quoted + " next"); !slices.Equal(words, []string{word, "next"}) {
			t.Errorf("%q: got %q after %q", word, words, quoted)
		}
	}
	if _, err := quote(`say "x"`); err == nil {
		t.Error("a word with a double quote was accepted")
	}
}

// The ID differs with everything that changes a package, and not with what
// does not.
func TestIdentity(t *testing.T) {
	id := func(change func(*Config)) string {
		c := &Config{GoVersion: "go1.26", GoArch: "amd64", Offsets: goruntime.Offsets{"G_M": 48},
			Rules: []policy.Rule{{File: "f", Line: 1, Package: "p", Glob: "g", Mode: policy.Fast}}, Main: []Module{{"m", "/dir"}}}
		wherry := "this one"
		if change == nil {
			wherry = "another"
		} else {
			change(c)
		}
		c.Identify(wherry)
		return c.ID
	}
	base := id(func(*Config) {})
	for name, change := range map[string]func(*Config){
		"wherry":  nil,
		"go":      func(c *Config) { c.GoVersion = "go1.27" },
		"arch":    func(c *Config) { c.GoArch = "arm64" },
		"offsets": func(c *Config) { c.Offsets["G_M"] = 56 },
		"mode":    func(c *Config) { c.Rules[0].Mode = policy.Cgo },
		"glob":    func(c *Config) { c.Rules[0].Glob = "h" },
		"default": func(c *Config) { c.OnCgo = true },
		"C":       func(c *Config) { c.CC = []string{"clang"} },
		"C++":     func(c *Config) { c.CXX = []string{"clang++"} },
		"count":   func(c *Config) { c.Count = true },
		"static":  func(c *Config) { c.Static = true },
		"wraps":   func(c *Config) { c.Wraps = true },
		"library": func(c *Config) { c.ForHost = true },
		"changed": func(c *Config) { c.Changed = []Library{{"libz.so", "1"}} },
	} {
		if id(change) == base {
			t.Errorf("another %s has the same identity", name)
		}
	}
	for name, change := range map[string]func(*Config){
		"main":   func(c *Config) { c.Main[0].Path = "n" },
		"line":   func(c *Config) { c.Rules[0].Line = 9 },
		"folder": func(c *Config) { c.Main[0].Dir = "/elsewhere" },
	} {
		if id(change) != base {
			t.Errorf("another %s has another identity", name)
		}
	}
}

func TestUnsuitableFlag(t *testing.T) {
	for _, test := range []struct {
		cc          []string
		flags, want string
	}{
		{[]string{"gcc"}, "-objdir x -- -O2 -g", ""},
		{[]string{"gcc"}, "-objdir x -- -O2 -flto=auto", "-flto=auto"},
		{[]string{"gcc"}, "-objdir -flto -- -O2", ""},
		{[]string{"gcc"}, "-- -masm=intel -fsanitize=ub", "-masm=intel"},
		{[]string{"gcc", "-m32"}, "-- -O2", "-m32"},
		{[]string{"gcc"}, "-- -fpcc-struct-return", "-fpcc-struct-return"},
		{[]string{"gcc"}, "-- -O2 -fpack-struct=2", "-fpack-struct=2"},
	} {
		cgo, err := (&Config{CC: test.cc}).readCgoCommand(strings.Fields(test.flags))
		if err != nil || cgo.unsuitable != test.want {
			t.Errorf("%q, %s: got %+v, %v, want %q", test.cc, test.flags, cgo, err, test.want)
		}
	}
}

// Folders of the standard library that are no package may be the name of somebody's module.
func TestIsStandard(t *testing.T) {
	output, err := exec.Command("go", "env", "GOROOT").Output()
	if err != nil {
		t.Fatal(err)
	}
	goroot := strings.TrimSpace(string(output))
	folders, err := filepath.Glob(filepath.Join(goroot, "src", "*"))
	if err != nil || len(folders) < 30 {
		t.Fatalf("found %q, %v", folders, err)
	}
	for _, folder := range folders {
		path := filepath.Base(folder)
		sources, _ := filepath.Glob(filepath.Join(folder, "*.go"))
		info, err := os.Stat(folder)
		if err != nil || !info.IsDir() || path == "simd" { // which is a package since Go 1.27
			continue
		}
		if got := IsStandard(goroot, path); got != (len(sources) > 0) {
			t.Errorf("%s: got %v, it has %d Go files", path, got, len(sources))
		}
	}
	if IsStandard(goroot, "example.com/m") || !IsStandard(goroot, "debug/elf") {
		t.Error("example.com/m, debug/elf")
	}
}

// What a main module's path begins is not always the main module's.
func TestIsMain(t *testing.T) {
	c := &Config{Main: []Module{{Path: "example.com/m", Dir: "/src/m"}}}
	for _, test := range []struct {
		pkg, dir string
		want     bool
	}{
		{"example.com/m", "/src/m", true},
		{"example.com/m/a", "/src/m/a", true},
		{"example.com/more", "/src/more", false},
		{"example.com/m/nested/a", "/go/pkg/mod/example.com/m/nested@v1.0.0/a", false},
		{"example.com/m/nested/a", "/src/m/vendor/example.com/m/nested/a", false},
		{"command-line-arguments", "/tmp", true},
	} {
		if got := c.isMain(&plan{Package: test.pkg, Dir: test.dir}); got != test.want {
			t.Errorf("%s in %s: got %v, want %v", test.pkg, test.dir, got, test.want)
		}
	}
}
