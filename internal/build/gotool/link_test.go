package gotool

import (
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"runtime"
	"slices"
	"strings"
	"testing"
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
		"another linker":    {Env{CC: "gcc"}, []string{"-ldflags=-extld=clang"}, Link{}},
		"a linker by flags": {Env{CC: "gcc"}, []string{"-ldflags=-extldflags=-fuse-ld=gold"}, Link{Wraps: true}},
		"no compiler":       {Env{CC: "no-such-compiler"}, nil, Link{}},
		"no compiler named": {Env{}, nil, Link{}},
	} {
		got := test.env.Link(&Command{Verb: "build", Flags: test.flags})
		wants := name == "gcc" || name == "no --wrap" || name == "a linker by flags"
		if has := slices.ContainsFunc(got.Libraries, func(path string) bool { return strings.Contains(path, "libc.so") }); has != wants {
			t.Errorf("%s: the C library is %q", name, got.Libraries)
		}
		got.Libraries = nil
		if !reflect.DeepEqual(got, test.want) {
			t.Errorf("%s: got %+v, want %+v", name, got, test.want)
		}
	}
}
