package main

import (
	"os"
	"path/filepath"
	"syscall"
)

// lockFile waits until no other process has the file locked, and locks it. A process that ends,
// in whatever way, unlocks. Without a lock builds do some work twice.
func lockFile(file string) (unlock func()) {
	os.MkdirAll(filepath.Dir(file), 0o700)
	f, err := os.OpenFile(file, os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return func() {}
	}
	for err = syscall.EINTR; err == syscall.EINTR; {
		err = syscall.Flock(int(f.Fd()), syscall.LOCK_EX)
	}
	return func() {
		os.Remove(file)
		f.Close()
	}
}
