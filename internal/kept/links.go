package kept

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"
)

// Links makes, or finds, a folder below this one in which names lead to one file, and
// returns its path.
func (f *Folder) Links(folder, file string, names []string) (path string, err error) {
	path = filepath.Join(f.Path, folder)
	if err := f.root.Mkdir(folder, 0o700); err != nil && !errors.Is(err, fs.ErrExist) {
		return "", fmt.Errorf("kept: %w", err)
	}
	for _, name := range names {
		link := filepath.Join(path, name)
		if to, err := os.Readlink(link); err == nil && to == file {
			continue
		}
		os.Remove(link)
		if err := os.Symlink(file, link); err != nil && !errors.Is(err, fs.ErrExist) { // another build was faster
			return "", fmt.Errorf("kept: %w", err)
		}
	}
	now := time.Now()
	os.Chtimes(path, now, now) // it is in use
	return path, nil
}

// unlink removes the links of a folder, if it is one.
func (f *Folder) unlink(folder string) {
	info, err := f.root.Lstat(folder)
	if err != nil || !info.IsDir() {
		return
	}
	dir, err := f.root.Open(folder)
	if err != nil {
		return
	}
	defer dir.Close()
	entries, _ := dir.ReadDir(-1)
	for _, entry := range entries {
		f.root.Remove(filepath.Join(folder, entry.Name()))
	}
}
