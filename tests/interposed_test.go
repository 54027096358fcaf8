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
var byLinker, byMachine = []string{"archive", "versions", "weak", "wraps"}, []string{"keys", "names", "shown", "smallstack", "urgent"}

// TestInterposed holds that legal programs cannot tell that functions of the C library
// are interposed: each ends as the plain one does.
func TestInterposed(t *testing.T) {
	t.Parallel()
	needsFastPath(t)
	for _, name := range words("altstack archive filtered ignored keys leaves names namespaces ownnames processes robust served shown " +
		"smallstack taken timeouts times urgent versions weak wraps") {
		for _, build := range []struct {
			name string
			on   target
		}{
			{"gcc", target{env: []string{"CC=gcc"}}},
			{"gold", target{env: []string{"CC=gcc", "CGO_LDFLAGS=-fuse-ld=gold"}}},
			{"lld", target{env: []string{"CC=clang", "CGO_LDFLAGS=-fuse-ld=lld"}}},
			{"arm64", arm64},
		} {
			if build.name != "gcc" && !slices.Contains(byLinker, name) && !(build.name == "arm64" && slices.Contains(byMachine, name)) {
				continue
			}
			t.Run(name+"/"+build.name, func(t *testing.T) {
				t.Parallel()
				tools := append(build.on.tools(), build.on.cc())
				if linker := "ld." + build.name; build.name == "gold" || build.name == "lld" {
					tools = append(tools, linker)
				}
				for _, tool := range tools {
					if _, err := exec.LookPath(tool); err != nil {
						t.Skipf("%s is not installed", tool)
					}
				}
				m := testdata(t, "interposed/"+name).on(build.on)
				m.makeLibraries(build.on.cc())
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
// shared library, the others are those of an archive.
func (m *module) makeLibraries(compiler string) {
	m.t.Helper()
	texts, err := filepath.Glob(m.path("*.txt"))
	if err != nil {
		m.t.Fatal(err)
	}
	for _, text := range texts {
		if shared, ok := strings.CutSuffix(text, "_so.txt"); ok {
			m.must(compiler, "-fPIC", "-shared", "-x", "c", text, "-o", shared+".so")
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
