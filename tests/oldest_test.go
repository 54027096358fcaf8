package tests

import (
	"bytes"
	"debug/elf"
	"os"
	"strconv"
	"strings"
	"testing"
)

// A program defines no name that the oldest C library lacks on which the plain program starts,
// and it starts where that one does.
func TestOldestLibrary(t *testing.T) {
	onEach(t, func(t *testing.T, on target) {
		m := testdata(t, "oldest").on(on)
		m.makeLibraries(on.cc())
		path := strings.TrimSpace(m.must(on.cc(), "-print-file-name=libc.so.6").stdout)
		for _, flags := range [][]string{{"-buildmode=pie"}, {"-buildmode=c-shared"}, nil} {
			m.must("go", append([]string{"build", "-o", "plain"}, flags...)...)
			m.build("fast", flags...)
			definesOld(t, m.path("plain"), m.path("fast"), path)
		}
		same(t, m.mustProgram("./plain", "./probe.so"), m.program("./fast", "./probe.so"))
		if on.runner != nil {
			return
		}
		// As an older C library, and still of the same release as the dynamic linker.
		library, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		older := bytes.ReplaceAll(library, []byte("\x00epoll_pwait2\x00"), []byte("\x00epoll_qwait2\x00"))
		if bytes.Equal(library, older) {
			t.Skip("the C library has no epoll_pwait2")
		}
		m.write("older/libc.so.6", string(older))
		old := m.with("LD_LIBRARY_PATH=" + m.path("older"))
		want := old.mustProgram("./plain", "./probe.so")
		contains(t, "plain", want.stdout, "epoll_pwait2: 0\n")
		same(t, want, old.program("./fast", "./probe.so"))

		m.must("go", "build", "-o", "plain", "./waits")
		report := m.build("fast", "./waits")
		if report.fast() != "" {
			t.Errorf("got fast functions %q: nothing sees that waits waits", report.fast())
		}
		contains(t, "report", report.why("waits"), "before epoll_pwait2 waits")
		definesOld(t, m.path("plain"), m.path("fast"), path)
		same(t, m.mustProgram("./plain"), m.program("./fast"))
		if plain, fast := old.program("./plain"), old.program("./fast"); plain.status == 0 || fast.status != plain.status {
			t.Errorf("with an older C library: exit status %d and %s, plainly %d and %s", fast.status, fast.stderr, plain.status, plain.stderr)
		}
	})
}

// definesOld compares the releases of glibc, as 34 of 2.34: that which the plain program needs,
// that which wherry's needs, and those of the functions that wherry's defines.
func definesOld(t *testing.T, plain, fast, library string) {
	t.Helper()
	open := func(path string) (*elf.File, []elf.Symbol) {
		file, err := elf.Open(path)
		if err != nil {
			t.Fatal(err)
		}
		symbols, err := file.DynamicSymbols()
		if err != nil {
			t.Fatal(err)
		}
		return file, symbols
	}
	release := func(version string) int {
		_, text, _ := strings.Cut(version, "GLIBC_2.")
		text, _, _ = strings.Cut(text, ".")
		n, _ := strconv.Atoi(text)
		return n
	}
	needs := func(path string) (newest int) {
		file, symbols := open(path)
		defer file.Close()
		for _, s := range symbols {
			if s.Section == elf.SHN_UNDEF {
				newest = max(newest, release(s.Version))
			}
		}
		return newest
	}
	oldest := needs(plain)
	if newest := max(17, oldest); needs(fast) > newest {
		t.Errorf("it needs glibc 2.%d, plainly 2.%d is enough", needs(fast), newest)
	} else if needs(fast) < oldest {
		t.Errorf("it needs glibc 2.%d, plainly 2.%d", needs(fast), oldest)
	}
	file, symbols := open(library)
	file.Close()
	releases := map[string]int{}
	for _, s := range symbols {
		if s.Section != elf.SHN_UNDEF && !s.VersionIndex.IsHidden() {
			releases[s.Name] = release(s.Version)
		}
	}
	if len(releases) < 1000 {
		t.Fatalf("%s exports %d names, want thousands", library, len(releases))
	}
	file, symbols = open(fast)
	file.Close()
	for _, s := range symbols {
		if s.Section != elf.SHN_UNDEF && releases[s.Name] > max(17, oldest) {
			t.Errorf("it defines %s of glibc 2.%d, and starts with 2.%d", s.Name, releases[s.Name], oldest)
		}
	}
}
