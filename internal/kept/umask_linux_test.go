package kept

import (
	"io/fs"
	"os"
	"path/filepath"
	"syscall"
	"testing"
)

// A umask that keeps nobody out lets nobody in.
func TestUmask(t *testing.T) {
	defer syscall.Umask(syscall.Umask(0))
	cache := filepath.Join(t.TempDir(), "new")
	f, err := Open(cache)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	f.Put("entry", []byte("content"))
	for name, want := range map[string]fs.FileMode{"": 0o775, "00": 0o775, "00/wherry": 0o700, "00/wherry/entry": 0o600} {
		if info, err := os.Stat(filepath.Join(cache, name)); err != nil || info.Mode().Perm() != want {
			t.Errorf("%q: got %v, %v, want mode %#o", name, info.Mode(), err, want)
		}
	}
}
