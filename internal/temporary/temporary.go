// Package temporary makes folders that do not outlive the process, also where a signal ends it.
package temporary

import (
	"context"
	"os"
	"sync"
)

var (
	mu      sync.Mutex
	folders = map[string]bool{}
	ended   bool

	untilEnd, end = context.WithCancel(context.Background())
)

// UntilEnd is the time for which commands may write to the folders.
func UntilEnd() context.Context { return untilEnd }

// Folder makes one in the folder for temporary files, with a name that begins so.
func Folder(prefix string) (dir string, err error) {
	mu.Lock()
	defer mu.Unlock()
	if ended { // whoever asks is about to end
		return "", os.ErrProcessDone
	}
	if dir, err = os.MkdirTemp("", prefix); err == nil {
		folders[dir] = true
	}
	return dir, err
}

// Remove removes a folder.
func Remove(dir string) {
	os.RemoveAll(dir)
	mu.Lock()
	defer mu.Unlock()
	delete(folders, dir)
}

// End ends the commands, and removes all folders that are left; no more are made.
func End() {
	mu.Lock()
	defer mu.Unlock()
	ended = true
	end()
	for dir := range folders {
		os.RemoveAll(dir)
	}
}
