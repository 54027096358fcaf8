package gotool

import (
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/wherrygo/wherry/internal/kept"
)

// A tool's answer is kept until the tool is another, or what it tells of is.
func TestToolVersions(t *testing.T) {
	folder, err := kept.Within(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	defer folder.Close()
	e := &Env{GOTOOLDIR: t.TempDir(), GOVERSION: "go1.26.1"}
	write := func(tool string, version int, seconds int64) {
		path := filepath.Join(e.GOTOOLDIR, tool)
		script := fmt.Sprintf("#!/bin/sh\necho run >> %s.log\necho \"$(basename $0) version %d $*\"\n", path, version)
		if err := os.WriteFile(path, []byte(script), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.Chtimes(path, time.Time{}, time.Unix(seconds, 0)); err != nil {
			t.Fatal(err)
		}
	}
	versions := map[string]int{"asm": 1, "cgo": 1, "compile": 1, "link": 1}
	for tool, version := range versions {
		write(tool, version, 1)
	}
	asked := 0
	check := func(why string, again bool, asks int) {
		t.Helper()
		want := map[string]string{}
		for tool, version := range versions {
			want[filepath.Join(e.GOTOOLDIR, tool)] = fmt.Sprintf("%s version %d -V=full", tool, version)
		}
		if got := e.ToolVersions(folder, again); !maps.Equal(got, want) {
			t.Errorf("%s: got %q, want %q", why, got, want)
		}
		asked += asks
		if text, _ := os.ReadFile(filepath.Join(e.GOTOOLDIR, "cgo.log")); len(text) != asked*len("run\n") {
			t.Errorf("%s: cgo was asked %d times, want %d", why, len(text)/len("run\n"), asked)
		}
	}
	check("at first", false, 1)
	check("again", false, 0)
	check("with -a", true, 1)
	versions["link"] = 2
	write("link", 2, 2)
	check("with another linker", false, 1)
	e.GOEXPERIMENT = "other"
	check("with another experiment", false, 1)
	check("and again", false, 0)
	if err := os.Remove(filepath.Join(e.GOTOOLDIR, "asm")); err != nil {
		t.Fatal(err)
	}
	if got := e.ToolVersions(folder, false); got != nil {
		t.Errorf("without an assembler: got %q, want nothing: the build says what is missing", got)
	}
}
