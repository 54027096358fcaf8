package gotool

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/wherrygo/wherry/internal/kept"
)

// What the C compiler's linker can do is found out by asking it.
func TestLink(t *testing.T) {
	if _, err := exec.LookPath("gcc"); err != nil || runtime.GOOS != "linux" {
		t.Skip("needs gcc on linux")
	}
	dir := t.TempDir()
	refuses := filepath.Join(dir, "refuses-wrap")
	if err := os.WriteFile(refuses, []byte("#!/bin/sh\nfor word; do case $word in -Wl,--wrap*) exit 1;; esac; done\nexec gcc \"$@\"\n"),
		0o777); err != nil {
		t.Fatal(err)
	}
	static := filepath.Join(dir, "is-static")
	if err := os.WriteFile(static, []byte("#!/bin/sh\nexec gcc -static \"$@\"\n"), 0o777); err != nil {
		t.Fatal(err)
	}
	for name, test := range map[string]struct {
		env   Env
		flags []string
		want  Link
	}{
		"gcc":               {Env{CC: "gcc"}, nil, Link{Wraps: true, Versions: true}},
		"no --wrap":         {Env{CC: refuses}, nil, Link{}},
		"static by flags":   {Env{CC: "gcc"}, []string{"-ldflags=-extldflags=-static"}, Link{Static: true}},
		"static by cgo":     {Env{CC: "gcc", CGO_LDFLAGS: "-static"}, nil, Link{Static: true}},
		"static by itself":  {Env{CC: "gcc -static"}, nil, Link{Static: true, Wraps: true}},
		"neither":           {Env{CC: refuses + " -static"}, nil, Link{Static: true}},
		"static by two":     {Env{CC: "gcc"}, []string{"-ldflags=-extldflags '-O1 --static'", "-ldflags=none/...=-s"}, Link{Static: true}},
		"another linker":    {Env{CC: "gcc"}, []string{"-ldflags=-extld " + refuses}, Link{}},
		"one that is so":    {Env{CC: "gcc"}, []string{"-ldflags=-extld=" + static}, Link{Static: true, Wraps: true}},
		"a linker by flags": {Env{CC: "gcc"}, []string{"-ldflags=-extldflags=-fuse-ld=gold"}, Link{Wraps: true}},
		"no compiler":       {Env{CC: "no-such-compiler"}, nil, Link{}},
		"no compiler named": {Env{}, nil, Link{}},
	} {
		got := test.env.Link(&Command{Verb: "build", Flags: test.flags}, nil, false)
		wants := name == "gcc" || name == "no --wrap" || name == "another linker" || name == "a linker by flags"
		if has := slices.ContainsFunc(got.Libraries, func(path string) bool { return strings.Contains(path, "libc.so") }); has != wants {
			t.Errorf("%s: the C library is %q", name, got.Libraries)
		}
		got.Libraries, got.Compiler, got.Words = nil, "", nil
		if !reflect.DeepEqual(got, test.want) {
			t.Errorf("%s: got %+v, want %+v", name, got, test.want)
		}
	}
}

// What the linker has answered is kept, and asked again when a compiler, a library's folder or
// what stands for the C library there has become another one.
func TestKeptLink(t *testing.T) {
	gcc, err := exec.LookPath("gcc")
	if err != nil || runtime.GOOS != "linux" {
		t.Skip("needs gcc on linux")
	}
	dir := t.TempDir()
	folder, err := kept.Within(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	defer folder.Close()
	log, compiler, libraries := filepath.Join(dir, "log"), filepath.Join(dir, "cc"), filepath.Join(dir, "libraries")
	write := func(path, text string) {
		t.Helper()
		if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o777), os.WriteFile(path, []byte(text), 0o777)); err != nil {
			t.Fatal(err)
		}
	}
	script := "#!/bin/sh\ncase \"$*\" in *'-###'*) ;; *) echo >>" + log + ";; esac\nexec " + gcc + " \"$@\""
	write(compiler, script+"\n")
	write(filepath.Join(libraries, "libm.so"), "")
	env := Env{CC: compiler, CGO_LDFLAGS: "-L" + libraries}
	asks := func(what string, times int, again bool) {
		t.Helper()
		want := env.Link(&Command{Verb: "build"}, nil, false)
		os.Remove(log)
		if got := env.Link(&Command{Verb: "build"}, folder, again); !reflect.DeepEqual(got, want) {
			t.Errorf("%s: got %+v, want %+v", what, got, want)
		}
		if text, _ := os.ReadFile(log); len(text) != times {
			t.Errorf("%s: the linker was asked %d times, want %d", what, len(text), times)
		}
	}
	asks("the first time", 1, false)
	asks("the second time", 0, false)
	asks("-a", 1, true)
	write(filepath.Join(libraries, "libx.so"), "")
	asks("a new library", 1, false)
	write(filepath.Join(libraries, "libpthread.so"), "")
	asks("a library of threads", 1, false)
	write(filepath.Join(libraries, "libpthread.so"), " ")
	asks("another one", 1, false)
	write(compiler, script+" -O1\n")
	asks("another compiler", 1, false)
	write(compiler, script+" -g3\n")
	asks("other flags of a wrapper", 1, false)
	asks("the same again", 0, false)
	env.CGO_CFLAGS = "-O2"
	asks("other flags", 1, false)
}

// The identity of a compiler is the same in each folder, whatever is there and whatever the
// compiler calls its temporary files.
func TestCompilerIsTheSame(t *testing.T) {
	here := t.TempDir()
	if err := os.WriteFile(filepath.Join(here, "program"), nil, 0o666); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"gcc", "clang"} {
		if _, err := exec.LookPath(name); err != nil || runtime.GOOS != "linux" {
			t.Logf("needs %s on linux", name)
			continue
		}
		compiler := func(flags string) string {
			env := Env{CC: name, CGO_CFLAGS: flags}
			return env.Link(&Command{Verb: "build", Flags: []string{"-ldflags=-extldflags=-static"}}, nil, false).Compiler
		}
		t.Chdir(t.TempDir())
		want := compiler("-g")
		t.Chdir(here)
		if got := compiler("-g"); got != want || got == "" {
			t.Errorf("%s: got %q in another folder, want %q", name, got, want)
		}
		if compiler("-g -O1") == want {
			t.Errorf("%s: with other flags it is the same", name)
		}
	}
}
