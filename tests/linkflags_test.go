package tests

import (
	"debug/elf"
	"strings"
	"testing"
)

// The C library may be named among the linker's flags, as the lists do that other compilers print for
// their static libraries: before wherry's object, which defines its functions at their versions.
func TestLibraryNamedInFlags(t *testing.T) {
	t.Parallel()
	needsFastPath(t)
	m := testdata(t, "small")
	usual := map[string]string{} // versions of what the program defines without such flags
	for _, flags := range []string{"-O2", "-lc", "-lgcc_s -lutil -lrt -lpthread -lm -ldl -lc", "-l c", "-l:libc.so.6", "-Wl,-lm,-lc"} {
		m.env = []string{"CGO_LDFLAGS=" + flags}
		m.must("timeout", "120", wherry, "build", "-o", "fast")
		if r := m.mustProgram("./fast"); r.stdout != "3 42\n" || !m.accelerated("fast") {
			t.Errorf("%s: got %q", flags, r.stdout)
		}
		file, err := elf.Open(m.path("fast"))
		if err != nil {
			t.Fatal(err)
		}
		symbols, _ := file.DynamicSymbols()
		file.Close()
		defined := map[string]string{}
		for _, s := range symbols {
			if s.Section != elf.SHN_UNDEF {
				defined[s.Name] = s.Version
			}
		}
		if _, there := defined["nanosleep"]; !there {
			t.Errorf("%s: nanosleep is not the program's", flags)
		}
		if len(usual) == 0 {
			usual = defined
		}
		if got, want := defined["pthread_cond_wait"], usual["pthread_cond_wait"]; got != want {
			t.Errorf("%s: pthread_cond_wait is of version %q, want %q", flags, got, want)
		}
	}
	m.env = []string{"CGO_LDFLAGS=--static"}
	m.must(wherry, "build", "-o", "fast")
	if r := m.mustProgram("./fast"); r.stdout != "3 42\n" {
		t.Errorf("--static: got %q", r.stdout)
	}
}

// A flag that a package cannot be fast with counts also where the compiler's command does not show it.
func TestCompilerAddsFlags(t *testing.T) {
	t.Parallel()
	needsFastPath(t)
	for _, flag := range []string{"-flto", "-fpcc-struct-return"} {
		m := testdata(t, "small")
		m.inFront("gcc", "exec \"$real\" "+flag+" \"$@\"\n")
		if rep := m.build("fast"); rep.fast() != "" || !strings.Contains(rep.why("add"), flag) {
			t.Errorf("%s: fast are %q, add is on cgo because %q", flag, rep.fast(), rep.why("add"))
		}
		if r := m.mustProgram("./fast"); r.stdout != "3 42\n" {
			t.Errorf("%s: got %q", flag, r.stdout)
		}
	}
}
