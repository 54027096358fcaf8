package regular

import (
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"testing"
)

func TestRead(t *testing.T) {
	dir := t.TempDir()
	file, pipe := filepath.Join(dir, "file"), filepath.Join(dir, "pipe")
	if err := os.WriteFile(file, []byte("content"), 0o666); err != nil {
		t.Fatal(err)
	}
	if err := syscall.Mkfifo(pipe, 0o666); err != nil {
		t.Fatal(err)
	}
	open := Opener(os.OpenFile)
	if got, err := open.Read(file, 7); err != nil || string(got) != "content" {
		t.Errorf("got %q, %v", got, err)
	}
	for name, want := range map[string]string{
		file:                       "more than the 6 bytes",
		pipe:                       "is not a regular file",
		"/dev/zero":                "is not a regular file",
		"/proc/self/environ":       "more than the 6 bytes",
		dir:                        "is a directory",
		filepath.Join(dir, "none"): "no such file",
	} {
		if _, err := open.Read(name, 6); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: got %v, want %q", name, err, want)
		}
	}
}

// Of a file that is too large nothing is read: it may have more than the memory.
func TestReadNothing(t *testing.T) {
	file := filepath.Join(t.TempDir(), "file")
	if err := errors.Join(os.WriteFile(file, nil, 0o666), os.Truncate(file, 1<<40)); err != nil {
		t.Fatal(err)
	}
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	if _, err := Opener(os.OpenFile).Read(file, 1<<28); err == nil || !strings.Contains(err.Error(), "more than the 268435456 bytes") {
		t.Errorf("got %v", err)
	}
	if runtime.ReadMemStats(&after); after.TotalAlloc-before.TotalAlloc > 1<<20 {
		t.Errorf("%d bytes were allocated", after.TotalAlloc-before.TotalAlloc)
	}
}
