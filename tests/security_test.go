package tests

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"
)

// A watchedBuild is a module whose builds are watched, with a home and a temporary
// folder of its own.
type watchedBuild struct {
	*module
	home, temporary string
	goroot, gocache string
	programs        []string // of a C compiler
}

// watchBuilds makes such a module of a program in testdata. Without a home the environment names none.
func watchBuilds(t *testing.T, program, home string) *watchedBuild {
	t.Helper()
	needsFastPath(t)
	needsStrace(t)
	settings := strings.Split(strings.TrimSpace(newModule(t, nil).must("go", "env", "GOROOT", "GOCACHE", "GOMODCACHE", "CC").stdout), "\n")
	cc := filepath.Base(settings[3])
	if cc != "gcc" {
		t.Skipf("which programs %q starts is not known here, only gcc's", cc)
	}
	b := &watchedBuild{module: testdata(t, program), home: home, temporary: filepath.Join(t.TempDir(), "temporary"),
		goroot: settings[0], gocache: settings[1], programs: []string{cc, "cc1", "as", "collect2", "ld", "ld.bfd"}}
	if err := os.Mkdir(b.temporary, 0o777); err != nil {
		t.Fatal(err)
	}
	// The go command that has been chosen: where it chooses, it reads and writes more.
	b.env = append(b.env, "PATH="+filepath.Join(b.goroot, "bin")+":"+os.Getenv("PATH"), "GOTOOLCHAIN=local", "HOME="+home, "XDG_CACHE_HOME=",
		"XDG_CONFIG_HOME=", "TMPDIR="+b.temporary, "GOCACHE="+b.gocache, "GOMODCACHE="+settings[2], "GOFLAGS=-buildvcs=false", "CGO_CFLAGS=-O2")
	return b
}

// asCompiler are the names by which wherry itself stands in front of C compilers.
var asCompiler = regexp.MustCompile(`/wherry-\d+/bin/(gcc|g\+\+)$`)

// watch builds, and complains of programs, connections and writes that SECURITY.md
// does not tell of. allowed may be written too.
func (b *watchedBuild) watch(allowed ...string) trace {
	b.t.Helper()
	before := b.files()
	r := b.traced(tracedCalls, wherry, "build", "-o", "program", ".")
	for _, program := range r.programs {
		switch {
		case program == wherry || within(program, []string{b.goroot}):
		case asCompiler.MatchString(program) && within(program, []string{b.temporary}):
		case within(program, []string{b.temporary, b.dir}) || !slices.Contains(b.programs, filepath.Base(program)):
			b.t.Errorf("the build ran %s", program)
		}
	}
	r.noNetwork(b.t)
	if b.home != "" { // Go's own tools count their use below the user's configuration
		allowed = append(allowed, filepath.Join(b.home, ".config"))
	}
	r.writesOnly(b.t, append(allowed, b.gocache, b.temporary, b.path("program"), b.path("program-go-tmp-umask"))...)
	if left, err := os.ReadDir(b.temporary); err != nil || len(left) > 0 {
		b.t.Errorf("left in the temporary folder: %v %v", left, err)
	}
	before["program"] = b.files()["program"]
	b.unchanged("the build", before)
	if !b.accelerated("program") {
		b.t.Error("the program is not accelerated")
	}
	return r
}

// files returns the content of the module's files.
func (m *module) files() map[string]string {
	m.t.Helper()
	files := map[string]string{}
	err := filepath.WalkDir(m.dir, func(path string, entry os.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		name, _ := filepath.Rel(m.dir, path) // it is below
		text, err := os.ReadFile(path)
		files[name] = string(text)
		return err
	})
	if err != nil {
		m.t.Fatal(err)
	}
	return files
}

// unchanged compares the module's files with what they were.
func (m *module) unchanged(what string, before map[string]string) {
	m.t.Helper()
	now := m.files()
	for _, name := range slices.Sorted(maps.Keys(now)) {
		if was, ok := before[name]; !ok || was != now[name] {
			m.t.Errorf("%s wrote %s", what, name)
		}
	}
	for name := range before {
		if _, ok := now[name]; !ok {
			m.t.Errorf("%s removed %s", what, name)
		}
	}
}

// What SECURITY.md says of a build: which programs it runs, where it writes, that
// it leaves nothing and opens no connection.
func TestBuildDoesWhatSecuritySays(t *testing.T) {
	t.Parallel()
	home := t.TempDir()
	b := watchBuilds(t, "security/written", home)
	b.newToolchain()
	first := b.watch()
	if _, err := os.Stat(filepath.Join(home, ".cache")); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("there is a cache beside Go's: %v", err)
	}
	// Once for a toolchain: later the offsets are read.
	if !first.probes() {
		t.Error("the first build looked for no offsets")
	}
	b.replace("main.go", "C.back(3)", "C.back(4)")
	again := b.watch()
	if again.probes() || !slices.ContainsFunc(again.reads("wherry"),
		func(path string) bool { return within(path, []string{filepath.Join(b.gocache, "00", "wherry")}) }) {
		t.Error("the second build looked for the runtime's offsets again, or did not read them")
	}
}

// With -n nothing is run but what go runs with -n, which asks tools for their versions.
func TestOnlyPrints(t *testing.T) {
	t.Parallel()
	needsFastPath(t)
	needsStrace(t)
	m := testdata(t, "security/written")
	m.write("main_test.go", "package main\n")
	m.env = append(m.env, "XDG_CACHE_HOME="+t.TempDir(), "GOCACHE="+strings.TrimSpace(m.must("go", "env", "GOCACHE").stdout))
	for _, verb := range []string{"build", "test", "run", "install"} {
		plain := m.traced(tracedCalls, "go", verb, "-n", ".").programs
		r := m.traced(tracedCalls, wherry, verb, "-n", ".")
		for _, program := range r.programs {
			if program != wherry && !slices.Contains(plain, program) {
				t.Errorf("wherry %s -n runs %s, which go does not", verb, program)
			}
		}
		if r.probes() {
			t.Errorf("wherry %s -n looks for the runtime's offsets", verb)
		}
	}
}

// probes reports whether a build looked for the runtime's offsets.
func (r trace) probes() bool {
	return slices.ContainsFunc(r.writes, func(path string) bool { return strings.Contains(path, "wherry-probe") })
}

// newToolchain has builds look for offsets that nobody has looked for: tags can change the runtime.
func (b *watchedBuild) newToolchain() {
	b.env = append(b.env, fmt.Sprintf("GOFLAGS=-buildvcs=false -tags=t%d", time.Now().UnixNano()))
}

// Without a home the offsets are kept all the same: in GOCACHE.
func TestBuildWithoutHome(t *testing.T) {
	t.Parallel()
	b := watchBuilds(t, "security/written", "")
	b.newToolchain()
	if first, again := b.watch(), b.watch(); !first.probes() || again.probes() {
		t.Errorf("the first build looked for offsets: %v, the second: %v, want only the first", first.probes(), again.probes())
	}
}

// What wherry itself reads in a build, of all that lies in a module, in one that it
// needs, and elsewhere. What Go's tools and the C compiler read is theirs.
func TestBuildReadsWhatSecuritySays(t *testing.T) {
	t.Parallel()
	home := t.TempDir()
	b := watchBuilds(t, "security/read", home)
	for name, text := range map[string]string{
		"go.mod":            dependentMod,
		"wherry.policy":     "include sub/wherry.policy\n",
		"sub/wherry.policy": "example.com/m part fast\n",
		"main_test.go":      "package main\n\ntype ofTests int\n",
		"part.h":            "int part(int);\n",
		"part.c":            "#include \"part.h\"\nint part(int n) { return n + 1; }\n",
		"pure/pure.go":      "package pure\n\nconst Pure = 1\n",
		"other/other.go":    "package other\n\n// int other(void);\nimport \"C\"\n",
		"secret":            "a secret\n",
		"dep/go.mod":        "module example.com/dep\n\ngo 1.24\n",
		"dep/dep.go": "package dep\n\n// static int half(int n) { return n / 2; }\nimport \"C\"\n\n//wherry:fast half\nfunc Half(n int) " +
			"int { return int(C.half(C.int(n))) }\n",
		"dep/wherry.policy": "a policy that does not count\n",
	} {
		b.write(name, text)
	}
	r := b.watch()
	found := map[string]bool{"a shared library": false}
	for _, name := range []string{"go.mod", "wherry.policy", "sub", "sub/wherry.policy", ".", "main.go", "main_test.go", "dep", "dep/dep.go"} {
		found[name] = false
	}
	for _, path := range r.reads("wherry") {
		name, below := strings.CutPrefix(path, b.dir+"/")
		if path == b.dir {
			name, below = ".", true
		}
		_, expected := found[name]
		switch {
		case below && expected:
			found[name] = true
		case below:
			t.Errorf("wherry read %s in the module", name)
		case path == wherry, path == filepath.Join(b.goroot, "go.env"), within(path, []string{b.gocache, b.temporary}):
		case path == os.DevNull, within(path, []string{"/proc/self", "/sys"}): // Go's runtime
		case within(path, []string{filepath.Join(b.goroot, "src/runtime"), filepath.Join(b.goroot, "src/internal")}): // the runtime's types
		case path == "/etc/ld.so.cache", path == "/etc/ld.so.conf", within(path, []string{"/etc/ld.so.conf.d"}):
		case !within(path, []string{home}) && isMachineCode(t, path):
			found["a shared library"] = true
		case within(path, []string{"/usr/include", "/usr/lib/gcc"}) && filepath.Ext(path) == ".h": // what its own C includes
		case !within(path, []string{home}) && isLinkerScript(t, path): // in the place of a library: libc.so
		default:
			t.Errorf("wherry read %s", path)
		}
	}
	for name, read := range found {
		if !read {
			t.Errorf("wherry did not read %s", name)
		}
	}
}

// isMachineCode reports whether a file is an object, archive, library or program.
func isMachineCode(t *testing.T, path string) bool {
	t.Helper()
	text, err := os.ReadFile(path)
	return err == nil && (bytes.HasPrefix(text, []byte("\x7fELF")) || bytes.HasPrefix(text, []byte("!<arch>\n")))
}

// isLinkerScript reports whether a file tells GNU ld which libraries are meant.
func isLinkerScript(t *testing.T, path string) bool {
	t.Helper()
	text, err := os.ReadFile(path)
	return err == nil && bytes.HasPrefix(text, []byte("/* GNU ld script"))
}

// No command leaves anything beside the user's files but those that are told to.
func TestNothingBesideUsersFiles(t *testing.T) {
	t.Parallel()
	needsFastPath(t)
	m := testdata(t, "security/written")
	m.write("main_test.go",
		"package main\n\nimport \"testing\"\n\nfunc BenchmarkInGo(b *testing.B) {\n\tfor range b.N {\n\t\tinGo(1)\n\t}\n}\n")
	for _, test := range []struct {
		command string
		writes  string // the names of the files
		says    string
	}{
		{"test .", "", ""},
		{"doctor", "", " MB for later builds, which can be removed at any time: "}, // status 0: the fast path is on
		{"stat .", "", ""},
		{"stat -json -o counts.json -pprof counts.pprof .", "counts.json counts.pprof", ""},
		{"compare -notest -count=1 -benchtime=1x -raw runs .", "runs", ""},
	} {
		before := m.files()
		if r := m.run(wherry, strings.Fields(test.command)...); r.status != 0 || !strings.Contains(r.stdout, test.says) {
			t.Errorf("wherry %s: exit status %d, want %q in\n%s%s", test.command, r.status, test.says, r.stdout, r.stderr)
		}
		now := m.files()
		for _, name := range strings.Fields(test.writes) {
			if now[name] == before[name] {
				t.Errorf("wherry %s did not write %s", test.command, name)
			}
			before[name] = now[name]
		}
		m.unchanged("wherry "+test.command, before)
	}
}
