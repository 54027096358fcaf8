package kept

import (
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// What is no file is no entry, and nobody waits for who would write into it.
func TestNoFile(t *testing.T) {
	f, _ := opened(t)
	if err := syscall.Mkfifo(filepath.Join(f.Path, "entry"), 0o600); err != nil {
		t.Fatal(err)
	}
	if got, ok := f.Get("entry"); ok {
		t.Errorf("got %q", got)
	}
	f.Put("entry", []byte("content"))
	if got, ok := f.Get("entry"); !ok || string(got) != "content" {
		t.Errorf("got %q, %v, want what was put in its place", got, ok)
	}
}

// A folder in which nothing can be made is named, with what to do.
func TestReadOnly(t *testing.T) {
	_, err := Open("/proc")
	for _, part := range []string{"cannot make /proc/00 (", "set GOCACHE to a folder that you can write to"} {
		if err == nil || !strings.Contains(err.Error(), part) {
			t.Errorf("got %v, want %q", err, part)
		}
	}
}
