package main

import (
	"bytes"
	"os"
	"path/filepath"
	"runtime/debug"
	"testing"
)

// A released wherry is the same however it was built, if its modules and its Go are the same.
func TestIdentityOfReleased(t *testing.T) {
	id := func(change func(*debug.BuildInfo)) string {
		info := &debug.BuildInfo{GoVersion: "go1.26.8", Path: "p/cmd", Main: debug.Module{Path: "p", Version: "v1.0.0", Sum: "h1:p"},
			Deps:     []*debug.Module{{Path: "q", Version: "v1.0.0", Sum: "h1:q"}},
			Settings: []debug.BuildSetting{{Key: "-trimpath", Value: "true"}, {Key: "CGO_CFLAGS", Value: "-O2"}, {Key: "GOAMD64", Value: "v1"}}}
		change(info)
		text, err := identity("no/such/executable", info)
		if err != nil {
			return err.Error()
		}
		return text
	}
	base := id(func(*debug.BuildInfo) {})
	for what, change := range map[string]func(*debug.BuildInfo){
		"the path trimmed or not": func(i *debug.BuildInfo) { i.Settings = i.Settings[1:] },
		"C flags":                 func(i *debug.BuildInfo) { i.Settings[1].Value = "-O3" },
	} {
		if got := id(change); got != base {
			t.Errorf("%s: got %s, want %s", what, got, base)
		}
	}
	seen := map[string]string{base: "the same"}
	for what, change := range map[string]func(*debug.BuildInfo){
		"Go":         func(i *debug.BuildInfo) { i.GoVersion = "go1.27.0" },
		"version":    func(i *debug.BuildInfo) { i.Main.Version = "v1.0.1" },
		"sum":        func(i *debug.BuildInfo) { i.Main.Sum = "h1:r" },
		"dependency": func(i *debug.BuildInfo) { i.Deps[0].Sum = "h1:r" },
		"replaced":   func(i *debug.BuildInfo) { i.Deps[0].Replace = &debug.Module{Path: "r", Version: "v1", Sum: "h1:q"} },
		"setting":    func(i *debug.BuildInfo) { i.Settings[2].Value = "v3" },
		"checkout":   func(i *debug.BuildInfo) { i.Main.Sum = "" }, // its executable is not there
	} {
		got := id(change)
		if other, ok := seen[got]; ok {
			t.Errorf("another %s has the identity of %s: %s", what, other, got)
		}
		seen[got] = what
	}
	local := func(i *debug.BuildInfo) { i.Deps[0].Replace = &debug.Module{Path: "./q"} }
	if checkout := func(i *debug.BuildInfo) { i.Main.Sum = "" }; id(local) != id(checkout) {
		t.Error("a module of a folder counts as released")
	}
}

// Any other wherry is its executable.
func TestIdentityOfExecutable(t *testing.T) {
	executable, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	content, err := os.ReadFile(executable)
	if err != nil {
		t.Fatal(err)
	}
	marked, ok := buildID(executable)
	if !ok {
		t.Fatal("the test's executable has no build ID")
	}
	// As -ldflags=-buildid=x does, with room left.
	id := []byte(marked[16:])
	plain := bytes.Replace(content, id, bytes.Replace(id, []byte("/"), []byte("-"), 1), -1)
	other := append(bytes.Clone(plain), 0)
	got := map[string]bool{}
	for name, text := range map[string][]byte{"whole": content, "unmarked": plain, "other": other, "script": []byte("#!/bin/sh\n")} {
		file := filepath.Join(t.TempDir(), name)
		if err := os.WriteFile(file, text, 0o777); err != nil {
			t.Fatal(err)
		}
		text, err := identity(file, &debug.BuildInfo{})
		if err != nil || text == "" || (text == marked) != (name == "whole") {
			t.Errorf("%s: got %q, %v", name, text, err)
		}
		got[text] = true
	}
	if len(got) != 4 {
		t.Errorf("four executables have %d identities", len(got))
	}
}
