package tests

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// Machines that share a build cache by GOCACHEPROG share what wherry builds: the same module in
// another folder, built by another copy of wherry with a cache of its own, comes from there, and is
// the same program.
func TestSharedCacheProgram(t *testing.T) {
	t.Parallel()
	needsFastPath(t)
	dir := t.TempDir()
	cacheprog, store := filepath.Join(dir, "cacheprog"), filepath.Join(dir, "store")
	if err := os.Mkdir(store, 0o777); err != nil {
		t.Fatal(err)
	}
	(&module{t: t, dir: "testdata/cacheprog"}).must("go", "build", "-o", cacheprog, "main.go")
	type built struct {
		*module
		hits, misses int
	}
	build := func(name, command string) built {
		m := smallest(t)
		moved := filepath.Join(dir, name)
		if err := os.Rename(m.dir, moved); err != nil {
			t.Fatal(err)
		}
		m.dir = moved
		log := m.path("gets")
		m.env = []string{"GOCACHE=" + m.path("cache"), "GOCACHEPROG=" + cacheprog + " " + store + " " + log}
		r := m.must(command, "build", "-trimpath", "-o", "fast")
		contains(t, name, r.stderr, "wherry: 4 of 5 C functions are fast")
		gets := m.read("gets")
		return built{m, strings.Count(gets, "hit\n"), strings.Count(gets, "miss\n")}
	}
	first := build("one", wherry)
	if first.misses < 10 {
		t.Fatalf("the first build: %d hits, %d misses; does it use the cache program?", first.hits, first.misses)
	}
	other := filepath.Join(dir, "copy of wherry")
	first.must("cp", wherry, other)
	second := build("two", other)
	t.Logf("the first build: %d hits, %d misses; the second: %d hits, %d misses", first.hits, first.misses, second.hits, second.misses)
	if 100*second.hits < 95*(second.hits+second.misses) {
		t.Errorf("the second build: %d hits, %d misses; want 95 %% hits at least", second.hits, second.misses)
	}
	if first.read("fast") != second.read("fast") {
		t.Error("the programs differ")
	}
}
