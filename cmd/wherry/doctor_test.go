package main

import (
	"os"
	"path/filepath"
	"testing"
)

// CC is split as the go command splits it: a name may have spaces.
func TestCompilerVersion(t *testing.T) {
	compiler := filepath.Join(t.TempDir(), "my gcc")
	if err := os.WriteFile(compiler, []byte("#!/bin/sh\necho \"mine $1\"\necho more\n"), 0o755); err != nil {
		t.Fatal(err)
	}
	if version, err := compilerVersion("'" + compiler + "' -m64"); err != nil || version != "mine --version" {
		t.Errorf("got %q, %v", version, err)
	}
	for _, cc := range []string{"", "/does/not/exist"} {
		if version, err := compilerVersion(cc); err == nil {
			t.Errorf("CC=%s: got %q and no error", cc, version)
		}
	}
}
