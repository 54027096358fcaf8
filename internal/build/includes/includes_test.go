package includes

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

// A set holds as long as the compiler would include the same files, with what is in them.
func TestHolds(t *testing.T) {
	for _, compiler := range []string{"gcc", "clang"} {
		t.Run(compiler, func(t *testing.T) {
			if _, err := exec.LookPath(compiler); err != nil {
				t.Skip(compiler + " is not installed")
			}
			dir := t.TempDir()
			at := func(name string) string { return filepath.Join(dir, name) }
			write := func(name, text string) {
				t.Helper()
				if err := errors.Join(os.MkdirAll(filepath.Dir(at(name)), 0o777), os.WriteFile(at(name), []byte(text), 0o666),
					os.Chtimes(at(name), time.Time{}, time.Now().Add(-time.Minute))); err != nil {
					t.Fatal(err)
				}
			}
			write("own/a.c", "#include \"b.h\"\n#include <x.h>\n#include <stddef.h>\n")
			write("own/b.h", "")
			write("first/other.h", "")
			write("second/x.h", "#include <sub/y z.h>\n")
			write("second/sub/y z.h", "int y;\n")
			command := []string{compiler, "-c", "-I", at("missing"), "-I", at("first"), "-I", at("second"), "-o", at("own/a.o"), at("own/a.c")}
			s, ok := Of(command, at("own")+"/")
			if !ok || !s.Holds() {
				t.Fatalf("got %+v, %v", s, ok)
			}
			if !slices.Contains(s.Files, at("second/sub/y z.h")) || slices.Contains(s.Files, at("own/b.h")) ||
				!slices.ContainsFunc(s.Files, func(name string) bool { return strings.HasSuffix(name, "/stddef.h") }) {
				t.Errorf("got files %q", s.Files)
			}
			if _, err := os.Stat(at("own/a.o")); err == nil {
				t.Error("it compiles")
			}
			for _, change := range []struct {
				what, file, text string
				holds            bool
			}{
				{"another header beside", "first/z.h", "", true},
				{"a file of the folder itself", "own/b.h", "int b;\n", true},
				{"a header of the same size", "second/sub/y z.h", "int z;\n", false},
				{"one that comes before", "first/x.h", "", false},
				{"one below that comes before", "first/sub/y z.h", "", false},
				{"a folder that comes before", "missing/q.h", "", false},
				{"a precompiled header", "second/x.h.gch", "", false},
				{"one that comes before", "first/x.h.gch", "", false},
			} {
				old, err := os.ReadFile(at(change.file))
				write(change.file, change.text)
				if got := s.Holds(); got != change.holds {
					t.Errorf("%s: holds: %v, want %v", change.what, got, change.holds)
				}
				if err == nil {
					write(change.file, string(old))
				} else if err := errors.Join(os.Remove(at(change.file)), os.RemoveAll(at("missing"))); err != nil {
					t.Fatal(err)
				}
				if !s.Holds() {
					t.Fatalf("%s: gone, and it does not hold", change.what)
				}
			}
			for _, flag := range []string{"second", "missing"} {
				cmd := []string{compiler, "-c", "-I" + flag, "-I", at("second"), "-o", at("own/a.o"), at("own/a.c")}
				t.Chdir(dir)
				if s, ok := Of(cmd, at("own")+"/"); ok {
					t.Errorf("-I%s: got %+v", flag, s)
				}
			}
			if err := os.Symlink(at("second"), at("link")); err != nil {
				t.Fatal(err)
			}
			flags := append([]string{compiler, "-DNOW=__TIME__"}, command[1:]...)
			for _, test := range []struct {
				text, flag string
				ok         bool
			}{
				{"#define P(a, b) a##b\nconst char *x = __FILE__ \"12:30\";\n", "-g", true},
				{"#define P(a, b) a##b\nconst char *x = P(__TI, ME__);\n", "-g", false},
				{"#define S(a) #a\n#define P(a) S(a)\nconst char *x = P(__DATE__);\n", "-g", false},
				{"const char *x = __TIMESTAMP__;\n", "-g", false},
				{"const char *x = __TI\\\nME__;\n", "-g", false},
				{"const char *x = NOW;\n", "-g", false},
				{"#define H <n.h>\n#if __has_inc\\ \nlude(H)\n#endif\n", "-g", false},
				{"#define P(a, b) a##b\n#if P(__has_, include)(<n.h>)\n#endif\n", "-g", false},
				{"int __hash, __has_more;\n", "-g", true},
				{"#include <x.h>\n", "-I" + at("second"), compiler == "gcc"},
				{"#include <x.h>\n", "-I" + at("link"), false},
			} {
				write("own/a.c", test.text)
				command := append(flags[:len(flags):len(flags)], test.flag)
				if s, ok := Of(command, ""); ok != test.ok {
					t.Errorf("%s and %q: got %+v, %v, want %v", test.flag, test.text, s, ok, test.ok)
				}
			}
			os.Remove(at("second/x.h"))
			if s.Holds() {
				t.Error("it holds without a header")
			}
		})
	}
	if _, ok := Of([]string{"echo", "-c", "-o", "x.o", "x.c"}, "/"); ok {
		t.Error("echo is a compiler")
	}
}
