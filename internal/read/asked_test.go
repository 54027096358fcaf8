package read

import (
	"os"
	"strings"
	"testing"
)

// readEach reads the functions of a C text as each compiler makes them. Their names begin with what
// they are, of which there are so many at least.
func readEach(t *testing.T, file string, least map[string]int, check func(t *testing.T, b build, p *Program, name string, f Function)) {
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	withEachCompiler(t, string(text), func(t *testing.T, b build, program string) {
		p := open(t, program)
		names := p.files.Functions()
		functions, err := p.Read(names...)
		if err != nil {
			t.Fatal(err)
		}
		found := map[string]int{}
		for i, f := range functions {
			kind, _, _ := strings.Cut(names[i], "_")
			found[kind]++
			check(t, b, p, names[i], f)
		}
		for kind, n := range least {
			if found[kind] < n {
				t.Errorf("%d functions %s_, want %d", found[kind], kind, n)
			}
		}
	})
}

// No instruction that demands alignment is overlooked, but where it is for the function's own
// frame and for what is at a fixed place: those demand nothing of a caller.
func TestStrict(t *testing.T) {
	functions := map[string]int{"strict": 6, "loose": 7}
	readEach(t, "testdata/strict.c", functions, func(t *testing.T, b build, p *Program, name string, f Function) {
		want := p.files.Arch.Name() == "x86-64"
		if strings.HasPrefix(name, "strict_") && f.Strict != want {
			t.Errorf("%s: demands alignment: %v, want %v", name, f.Strict, want)
		}
		if strings.HasPrefix(name, "loose_") && f.Strict && b.flags != "-O0" { // clang keeps addresses in memory then
			t.Errorf("%s: demands alignment, as far as is seen", name)
		}
	})
}

// No loop that waits for another thread is taken for one that ends by itself. The other way
// round is seen only where values are kept in registers; clang for arm64 keeps a counter of
// ends_matrix in memory.
func TestWatches(t *testing.T) {
	readEach(t, "testdata/watch.c", map[string]int{"waits": 35, "ends": 15}, func(t *testing.T, b build, _ *Program, name string, f Function) {
		unasked := does(f, Lock) || does(f, Recursion) || does(f, Indirect) // by -mstackrealign: a return address that is not followed
		if strings.HasPrefix(name, "waits_") && !f.Watches && !unasked {
			t.Errorf("%s: FALSE: its loops end by themselves", name)
		}
		if strings.HasPrefix(name, "ends_") && f.Watches && (b.flags == "-O2" || b.flags == "-O3") && name != "ends_matrix" {
			t.Errorf("%s: its loops may wait for another thread, as far as is seen", name)
		}
	})
}
