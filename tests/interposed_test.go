package tests

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// byLinker are programs that depend on the linker, byMachine those of the others that depend on the
// machine; the rest is built by gcc alone.
var (
	byLinker  = []string{"archive", "linked", "versions", "weak", "wraps"}
	byMachine = []string{"keys", "names", "shown", "smallstack", "urgent"}
)

// byTools are the linkers, and arm64.
var byTools = []target{
	{name: "gcc", env: []string{"CC=gcc"}},
	{name: "gold", env: []string{"CC=gcc", "CGO_LDFLAGS=-fuse-ld=gold"}},
	{name: "lld", env: []string{"CC=clang", "CGO_LDFLAGS=-fuse-ld=lld"}},
	arm64,
}

// isHere skips a test where one of a target's tools is not installed.
func (on target) isHere(t *testing.T) {
	t.Helper()
	tools := append(on.tools(), on.cc())
	if on.name == "gold" || on.name == "lld" {
		tools = append(tools, "ld."+on.name)
	}
	for _, tool := range tools {
		if _, err := exec.LookPath(tool); err != nil {
			t.Skipf("%s is not installed", tool)
		}
	}
}

// TestInterposed holds that legal programs cannot tell that functions of the C library
// are interposed: each ends as the plain one does.
func TestInterposed(t *testing.T) {
	t.Parallel()
	needsFastPath(t)
	for _, name := range words("altstack archive deaf filtered ignored keys leaves linked names namespaces ownnames preloaded processes " +
		"robust served shown smallstack taken timeouts times urgent versions weak wraps") {
		for _, on := range byTools {
			if on.name != "gcc" && !slices.Contains(byLinker, name) && !(on.name == "arm64" && slices.Contains(byMachine, name)) {
				continue
			}
			t.Run(name+"/"+on.name, func(t *testing.T) {
				t.Parallel()
				on.isHere(t)
				m := testdata(t, "interposed/"+name).on(on)
				m.makeLibraries(on.cc())
				m.must("go", "build", "-o", "plain", ".")
				m.build("fast", ".")
				// A signal of the runtime's, on its way when C takes a small stack, ends a plain program now and then.
				plain := m.program("./plain")
				for tries := 0; strings.HasPrefix(plain.stderr, "fatal: morestack on gsignal") && tries < 10; tries++ {
					plain = m.program("./plain")
				}
				if plain.status != 0 {
					t.Fatalf("plain: exit status %d\n%s%s", plain.status, plain.stdout, plain.stderr)
				}
				if why, ok := strings.CutPrefix(plain.stdout, "cannot: "); ok {
					t.Skip(why)
				}
				same(t, plain, m.program("./fast"))
			})
		}
	}
}

// makeLibraries compiles the module's C texts, if there are any: NAME_so.txt is that of a
// shared library, the others are those of an archive. A first line of flags is for the compiler.
func (m *module) makeLibraries(compiler string) {
	m.t.Helper()
	texts, err := filepath.Glob(m.path("*.txt"))
	if err != nil {
		m.t.Fatal(err)
	}
	for _, text := range texts {
		if shared, ok := strings.CutSuffix(text, "_so.txt"); ok {
			first, _, _ := strings.Cut(m.read(filepath.Base(text)), "\n")
			flags, _ := strings.CutPrefix(first, "// flags: ")
			if flags == first {
				flags = ""
			}
			m.must(compiler, slices.Concat([]string{"-fPIC", "-shared", "-x", "c", text, "-o", shared + ".so"}, strings.Fields(flags))...)
			continue
		}
		object := strings.TrimSuffix(text, ".txt") + ".o"
		m.must(compiler, "-fPIC", "-c", "-x", "c", text, "-o", object)
		m.must("ar", "rcs", "libarchive.a", object)
		os.Remove(object)
	}
}

// same holds that a program has ended well, and another one as it did.
func same(t *testing.T, want, got result) {
	t.Helper()
	if got.stdout != want.stdout || got.stderr != want.stderr || got.status != want.status || want.status != 0 {
		t.Errorf("got exit status %d and\n%s%s\nwant %d and\n%s%s", got.status, got.stdout, got.stderr, want.status, want.stdout, want.stderr)
	}
}

// TestHostsFunctions holds that a shared library calls those functions of its host, and of what is
// preloaded, that the plain one calls, whatever linker made it.
func TestHostsFunctions(t *testing.T) {
	t.Parallel()
	needsFastPath(t)
	for _, on := range byTools {
		t.Run(on.name, func(t *testing.T) {
			t.Parallel()
			on.isHere(t)
			m := testdata(t, "interposed/hosted").on(on)
			m.must("go", "build", "-buildmode=c-shared", "-o", "plain.so", ".")
			if rep := m.build("fast.so", "-buildmode=c-shared"); rep.fast() != "locks sleeps" {
				t.Errorf("got fast functions %q, want locks and sleeps", rep.fast())
			}
			m.must(on.cc(), "-fPIC", "-shared", "-DWHO=200", "-o", "own.so", "-x", "c", "own.txt")
			preloads := []string{"", "LD_PRELOAD=./own.so"}
			if on.runner != nil {
				preloads = preloads[:1] // the emulator would load it
			}
			for _, own := range []string{"-UOWN", "-DOWN"} {
				m.must(on.cc(), "-rdynamic", own, "-o", "opens", "-x", "c", "host.txt", "-x", "none", "-ldl")
				for _, library := range []string{"plain", "fast"} {
					m.must(on.cc(), "-rdynamic", own, "-DLINKED", "-o", library, "-x", "c", "host.txt", "-x", "none", "./"+library+".so", "-ldl")
				}
				for _, preload := range preloads {
					with := m.with(preload)
					same(t, with.program("./plain"), with.program("./fast"))
					same(t, with.program("./opens", "./plain.so"), with.program("./opens", "./fast.so"))
					same(t, with.program("./opens", "./plain.so", "deep"), with.program("./opens", "./fast.so", "deep"))
				}
			}
		})
	}
}

// A c-archive runs in a host with a static C library, which has no dynamic linker to ask.
func TestStaticHost(t *testing.T) {
	t.Parallel()
	needsFastPath(t)
	m := testdata(t, "interposed/host")
	m.must("go", "build", "-buildmode=c-archive", "-o", "plain.a", ".")
	rep := m.build("fast.a", "-buildmode=c-archive")
	if rep.fast() != "add" {
		t.Errorf("got fast functions %q, want add", rep.fast())
	}
	for _, flags := range []string{"-static", "-static-pie", "-pie", "-no-pie"} {
		results := map[string]result{}
		for _, library := range []string{"plain", "fast"} {
			m.must("gcc", "-w", flags, "-o", library, "-x", "c", "host.txt", "-x", "none", library+".a", "-lpthread")
			results[library] = m.run("./" + library)
		}
		same(t, results["plain"], results["fast"])
	}
}
