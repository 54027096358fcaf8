package regular

import (
	"os"
	"path/filepath"
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
