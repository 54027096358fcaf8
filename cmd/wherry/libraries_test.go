package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/wherrygo/wherry/internal/build/accel"
	"github.com/wherrygo/wherry/internal/kept"
)

// What the C library lacks is read again for another library, compiler or wherry, and with -a.
func TestSeeLibrary(t *testing.T) {
	dir := t.TempDir()
	folder, err := kept.Within(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	defer folder.Close()
	library := filepath.Join(dir, "libc.so.6")
	sees := func(change func(*acceleration), wherry string) bool {
		a := &acceleration{kept: folder, config: accel.Config{Compiler: "gcc", CLibrary: []string{library}}}
		change(a)
		return a.seeLibrary(wherry) == nil
	}
	same := func(*acceleration) {}
	text, err := exec.Command("gcc", "-print-file-name=libc.so.6").Output()
	if real := strings.TrimSpace(string(text)); err != nil || !filepath.IsAbs(real) {
		t.Skipf("gcc does not know where its C library is: %q, %v", text, err)
	} else if err := os.Symlink(real, library); err != nil {
		t.Fatal(err)
	}
	if !sees(same, "this") {
		t.Fatal("cannot read it")
	}
	if err := os.Remove(library); err != nil {
		t.Fatal(err)
	}
	if !sees(same, "this") {
		t.Error("it is read again")
	}
	for what, change := range map[string]func(*acceleration){
		"another compiler":    func(a *acceleration) { a.config.Compiler = "clang" },
		"another library":     func(a *acceleration) { a.config.CLibrary = []string{filepath.Join(dir, "libc.so")} },
		"an unknown compiler": func(a *acceleration) { a.config.Compiler = "" },
		"-a":                  func(a *acceleration) { a.again = true },
	} {
		if sees(change, "this") {
			t.Errorf("%s: it is not read", what)
		}
	}
	if sees(same, "another") {
		t.Error("another wherry: it is not read")
	}
}
