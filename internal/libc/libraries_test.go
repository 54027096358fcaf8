package libc_test

import (
	"debug/elf"
	_ "embed"
	"fmt"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/wherrygo/wherry/internal/libc"
	"github.com/wherrygo/wherry/internal/read"
)

// A library is a C library, of which the first folder counts that has it.
type library struct {
	name, goarch string
	folders      []string
	files        []string // the first must be there
}

var libraries = []library{
	{"glibc on amd64", "amd64", []string{"/lib/x86_64-linux-gnu", "/lib64", "/usr/x86_64-linux-gnu/lib"},
		append(glibc[:len(glibc):len(glibc)], "ld-linux-x86-64.so.2")},
	{"glibc on arm64", "arm64", []string{"/lib/aarch64-linux-gnu", "/lib64", "/usr/aarch64-linux-gnu/lib"},
		append(glibc[:len(glibc):len(glibc)], "ld-linux-aarch64.so.1")},
	{"musl on amd64", "amd64", []string{"/usr/lib/x86_64-linux-musl", "/lib"}, []string{"libc.so", "ld-musl-x86_64.so.1"}},
	{"musl on arm64", "arm64", []string{"/usr/lib/aarch64-linux-musl", "/lib"}, []string{"libc.so", "ld-musl-aarch64.so.1"}},
}

// libm waits for nothing.
var glibc = []string{"libc.so.6", "libpthread.so.0", "libdl.so.2", "librt.so.1", "libresolv.so.2", "libanl.so.1", "libutil.so.1"}

var machines = map[string]elf.Machine{"amd64": elf.EM_X86_64, "arm64": elf.EM_AARCH64}

func (l library) musl() bool { return l.files[0] == "libc.so" }

// paths returns the files of the library that this machine has.
func (l library) paths() []string {
	for _, folder := range l.folders {
		var found []string
		for _, name := range l.files {
			path := filepath.Join(folder, name)
			if file, err := elf.Open(path); err == nil {
				if file.Machine == machines[l.goarch] {
					found = append(found, path)
				}
				file.Close()
			}
		}
		if len(found) > 0 {
			return found
		}
	}
	return nil
}

// exported returns the functions that files export under versions that programs may use.
func exported(t *testing.T, paths []string) libc.Library {
	t.Helper()
	all, err := libc.ReadLibrary(paths)
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// eachLibrary runs a test for each C library, and returns how many there are.
func eachLibrary(t *testing.T, test func(t *testing.T, l library, paths []string)) (found int) {
	for _, l := range libraries {
		t.Run(l.name, func(t *testing.T) {
			paths := l.paths()
			if len(paths) == 0 {
				t.Skipf("not installed: no %s for %s in %s", l.files[0], l.goarch, strings.Join(l.folders, ", "))
			}
			found++
			test(t, l, paths)
		})
	}
	return found
}

// TestExported holds that every function that a C library exports has a kind.
func TestExported(t *testing.T) {
	eachLibrary(t, func(t *testing.T, l library, paths []string) {
		all := exported(t, paths)
		if len(all) < 1000 {
			t.Errorf("%s export %d functions only", paths, len(all))
		}
		for name := range all {
			if _, ok := libc.Lookup(name); !ok {
				t.Errorf("%s exports %s: add it to libc.list with its kind, or to those that return", l.name, name)
			}
		}
	})
}

//go:embed testdata/newer.txt
var newer string

// TestSpelling holds that every name is one that a C library exports.
func TestSpelling(t *testing.T) {
	have := map[string]bool{}
	for line := range strings.Lines(newer) {
		line, _, _ = strings.Cut(line, "#")
		for _, name := range strings.Fields(line) {
			have[name] = true
			if _, ok := libc.Lookup(name); !ok {
				t.Errorf("testdata/newer.txt has %s, which libc.list has not", name)
			}
		}
	}
	for _, l := range libraries[:3] {
		paths := l.paths()
		if len(paths) == 0 {
			t.Skipf("%s is not installed", l.name)
		}
		for name := range exported(t, paths) {
			have[name] = true
		}
	}
	for _, f := range libc.Functions() {
		if !have[f.Name] {
			t.Errorf("no C library here exports %s: misspelt, or of another release, which belongs into testdata/newer.txt", f.Name)
		}
	}
}

// TestTries holds that where a lock is, what it tries is too, and programs are linked with it.
func TestTries(t *testing.T) {
	eachLibrary(t, func(t *testing.T, l library, paths []string) {
		all := exported(t, paths)
		for _, f := range libc.Functions() {
			if f.Kind != libc.Tries || all[f.Name] == nil {
				continue
			}
			if try, found := all.Linked(f.Try); !found || try.Hidden {
				t.Errorf("%s tries %s, which is not there for programs", f.Name, f.Try)
			}
			if try, _ := libc.Lookup(f.Try); try.Kind != libc.Returns {
				t.Errorf("%s tries %s, whose kind is %s", f.Name, f.Try, try.Kind)
			}
		}
	})
}

// TestVersions holds that libc.list says where a build has to know its C library: where a function's
// versions have different code, or programs are not linked with it any more.
func TestVersions(t *testing.T) {
	eachLibrary(t, func(t *testing.T, l library, paths []string) {
		all := exported(t, paths)
		for _, f := range libc.Functions() {
			linked, there := all.Linked(f.Name)
			if there && f.Kind >= libc.Blocks && (all.Differs(f.Name) || linked.Hidden) && !f.Versioned {
				t.Errorf("%s: add versions to its line in libc.list: %+v", f.Name, all[f.Name])
			}
		}
	})
}

// TestSince holds that libc.list says which functions glibc has had for a short time only.
func TestSince(t *testing.T) {
	eachLibrary(t, func(t *testing.T, l library, paths []string) {
		for name, versions := range exported(t, paths) {
			f, _ := libc.Lookup(name)
			oldest := 1 << 20
			for _, v := range versions {
				if minor, err := strconv.Atoi(strings.TrimPrefix(v.Name, "GLIBC_2.")); err == nil {
					oldest = min(oldest, minor)
				} else { // of the time before 2.17, as 2.2.5, or musl's
					oldest = 0
				}
			}
			want := ""
			if oldest > 17 {
				want = fmt.Sprintf("2.%d", oldest)
			}
			if f.Kind >= libc.Blocks && f.Since != want && !l.musl() {
				t.Errorf("%s: since=%s in libc.list, want %q", name, f.Since, want)
			}
		}
	})
}

// TestFew holds that programs define few of the C library's names.
func TestFew(t *testing.T) {
	n := 0
	for _, f := range libc.Functions() {
		if f.Kind >= libc.Blocks {
			n++
		}
	}
	if n < 280 || n > 340 {
		t.Errorf("%d functions of libc.list may be interposed, want some 330: is one brief, or one missing?", n)
	}
}

// waitless are the functions of the kind libc.Returns of which package read says
// that they wait, with the reasons.
var waitless = map[string]string{
	"mallinfo":           "starts the allocator, which asks for random bytes without waiting for them",
	"mallinfo2":          "like mallinfo",
	"__libc_mallinfo":    "like mallinfo",
	"mallopt":            "like mallinfo",
	"__libc_mallopt":     "like mallinfo",
	"__libc_start_main":  "calls main",
	"pthread_tryjoin_np": "shares the code of pthread_join, and leaves it before the wait",
}

// allocator are functions whose code is not read here: nearly all others reach them,
// and the allocator asks for random bytes when it starts, without waiting for them.
const allocator = "malloc calloc realloc free memalign aligned_alloc posix_memalign valloc pvalloc"

// waitingCalls are the numbers of system calls that may wait for others, by GOARCH. From the
// kernel's tables.
var waitingCalls = map[string][]int64{
	"amd64": {7, 23, 24, 34, 35, 42, 43, 44, 45, 46, 47, 61, 65, 70, 73, 128, 130, 230, 232, 247, 270, 271, 281, 299, 307, 318},
	"arm64": {22, 32, 72, 73, 95, 101, 115, 124, 133, 137, 186, 188, 192, 193, 202, 203, 206, 207, 211, 212, 242, 243, 260, 269, 278},
}

// waitingCall is a class that nothing in the C library has, so that it says of these alone.
const waitingCall = read.Callback

// TestDerived holds the table against what the C libraries' code does.
func TestDerived(t *testing.T) {
	eachLibrary(t, func(t *testing.T, l library, paths []string) {
		all := exported(t, paths[:1])
		calls := map[int64]read.Class{}
		for _, n := range waitingCalls[l.goarch] {
			calls[n] = waitingCall
		}
		unseen := map[string]read.Class{}
		for _, name := range strings.Fields(allocator) {
			unseen[name] = read.Alloc
		}
		count := 0
		for _, unnamed := range []bool{false, true} {
			program, err := read.Open(paths[0], read.Options{Path: []string{filepath.Dir(paths[0])}, Calls: calls, Unseen: unseen, Unnamed: unnamed})
			if err != nil {
				t.Fatal(err)
			}
			var names []string
			for _, name := range program.Files().Functions() {
				if _, ok := all[name]; ok {
					names = append(names, name)
				}
			}
			functions, err := program.Read(names...)
			if err != nil {
				t.Fatal(err)
			}
			for i, f := range functions {
				known, ok := libc.Lookup(names[i])
				if !ok {
					continue // TestExported names it
				}
				for _, r := range f.Does {
					// By names, which are those of glibc, all ways to wait; without, system
					// calls only: locks that are held shortly are everywhere.
					if r.Class != waitingCall && (r.Class != read.Block || unnamed || l.musl()) {
						continue
					}
					count++
					if known.Kind == libc.Returns && waitless[names[i]] == "" {
						t.Errorf("%s waits in %s: give it a kind in libc.list, or give the reason in waitless", names[i],
							r.Path[len(r.Path)-1])
					}
				}
			}
		}
		if count < 10 { // musl's by system calls alone, where no fact has named the function
			t.Errorf("%d functions wait, want more: is the code read?", count)
		}
	})
	for name := range waitless {
		if f, ok := libc.Lookup(name); !ok || f.Kind != libc.Returns {
			t.Errorf("waitless has %s, whose kind is %s", name, f.Kind)
		}
	}
}
