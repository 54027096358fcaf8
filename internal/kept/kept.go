// Package kept keeps what later builds can use again: entries in one folder of Go's build
// cache, so that `go clean -cache` and another GOCACHE mean for them what they mean for
// what the go command keeps. Who can write to the folder can change what is built, so it
// is used only where nobody else can.
package kept

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"syscall"
	"time"
)

// `go clean -cache` removes the folders of two hexadecimal digits with all that is in them.
// The go command itself removes only files of its own from them.
const outer, inner = "00", "wherry"

// shared is the mode of the go command's folders, which it makes itself with what umask leaves.
const shared = 0o775

const (
	unused      = 10 * 24 * time.Hour // an entry that nobody has used for so long goes
	interrupted = 24 * time.Hour      // what a killed build left goes
	most        = 1 << 30             // bytes that all entries have together
	trimmed     = "trimmed"           // as old as the last look for these
	temporary   = "new-"
	locked      = ".lock"
)

// A Folder keeps entries. A nil one keeps nothing.
type Folder struct {
	Path    string
	Damaged func(file string, err error) // is called for an entry that is thrown away; nil: nobody is told

	most int64
	root *os.Root // every name is looked up in the folder that was checked
	dir  *os.File // the same, for renames
}

// Open opens, or makes, wherry's folder in a build cache, as `go env GOCACHE` names it. It
// refuses one that somebody else could have written to.
func Open(gocache string) (*Folder, error) {
	if gocache == "" || gocache == "off" || runtime.GOOS != "linux" { // elsewhere no build is accelerated
		return nil, nil
	}
	if err := os.MkdirAll(gocache, shared); err != nil {
		return nil, err
	}
	cache, err := os.OpenRoot(gocache)
	if err != nil {
		return nil, err
	}
	defer cache.Close()
	between, err := enter(cache, gocache, outer, shared)
	if err != nil {
		return nil, err
	}
	defer between.Close()
	path := filepath.Join(gocache, outer)
	root, err := enter(between, path, inner, 0o700)
	if err != nil {
		return nil, err
	}
	path = filepath.Join(path, inner)
	if err := ours(root, path); err != nil {
		root.Close()
		return nil, err
	}
	return open(root, path)
}

// enter opens, or makes, a folder in one that it checks.
func enter(parent *os.Root, path, name string, mode fs.FileMode) (*os.Root, error) {
	if err := onTheWay(parent, path); err != nil {
		return nil, err
	}
	path = filepath.Join(path, name)
	if err := parent.Mkdir(name, mode); err != nil && !errors.Is(err, fs.ErrExist) {
		return nil, fmt.Errorf("cannot make %s (%w): set GOCACHE to a folder that you can write to", path, errors.Unwrap(err))
	}
	before, err := parent.Lstat(name)
	if err != nil {
		return nil, err
	}
	if !before.IsDir() {
		return nil, fmt.Errorf("%s is not a folder but %v: remove it", path, before.Mode().Type())
	}
	root, err := parent.OpenRoot(name)
	if err != nil {
		return nil, err
	}
	if now, err := root.Stat("."); err != nil || !os.SameFile(before, now) { // a symbolic link came meanwhile
		root.Close()
		return nil, fmt.Errorf("%s became another folder", path)
	}
	return root, nil
}

// onTheWay checks a folder of the go command's that leads to ours: who can write to it can
// put another one there. A group may, as with what the go command keeps.
func onTheWay(root *os.Root, path string) error {
	info, err := root.Stat(".")
	if err != nil {
		return err
	}
	switch uid := owner(info); {
	case uid != os.Geteuid() && uid != 0:
		return fmt.Errorf("%s belongs to user %d, and user %d builds: set GOCACHE to a folder of that user's", path, uid, os.Geteuid())
	case info.Mode()&0o002 != 0 && info.Mode()&fs.ModeSticky == 0:
		return fmt.Errorf("every user can write to %s: chmod o-w it", path)
	}
	return nil
}

// ours checks the folder itself.
func ours(root *os.Root, path string) error {
	info, err := root.Stat(".")
	if err != nil {
		return err
	}
	switch uid := owner(info); {
	case uid != os.Geteuid():
		return fmt.Errorf("%s belongs to user %d, and user %d builds: remove it, or set GOCACHE to a folder of that user's",
			path, uid, os.Geteuid())
	case info.Mode()&0o022 != 0:
		return fmt.Errorf("others can write to %s (mode %#o): remove it with what is in it", path, info.Mode().Perm())
	}
	return nil
}

// Within keeps entries in a folder that is the caller's alone, such as one for temporary files.
func Within(dir string) (*Folder, error) {
	root, err := os.OpenRoot(dir)
	if err != nil {
		return nil, err
	}
	return open(root, dir)
}

func open(root *os.Root, path string) (*Folder, error) {
	dir, err := root.Open(".")
	if err != nil {
		root.Close()
		return nil, err
	}
	return &Folder{Path: path, most: most, root: root, dir: dir}, nil
}

// Close ends the use of the folder.
func (f *Folder) Close() {
	if f != nil {
		f.root.Close()
		f.dir.Close()
	}
}

// Notes is the name of a file, in a build's folder for temporary files, in which processes note
// what they cannot say themselves: what they print the go command can take for the compiler's,
// and print with each later build again.
const Notes = "notes"

// NoteDamage has what is thrown away noted in a file.
func (f *Folder) NoteDamage(file string) {
	f.Damaged = func(entry string, err error) {
		if notes, openErr := os.OpenFile(file, os.O_WRONLY|os.O_APPEND|os.O_CREATE, 0o666); openErr == nil {
			fmt.Fprintln(notes, Damage(entry, err))
			notes.Close()
		}
	}
}

// Damage is what the user reads.
func Damage(file string, err error) string {
	return fmt.Sprintf("wherry: %s is damaged and made again: %v", file, err)
}

// Get returns an entry. One that is not as it was written is thrown away.
func (f *Folder) Get(name string) (content []byte, ok bool) {
	if f == nil {
		return nil, false
	}
	file, err := f.root.OpenFile(name, os.O_RDONLY|syscall.O_NONBLOCK, 0) // what is no file does not hold up a build
	if err != nil {
		return nil, false
	}
	defer file.Close()
	info, err := file.Stat()
	if err != nil || !info.Mode().IsRegular() {
		return nil, false
	}
	text, err := io.ReadAll(file)
	if err == nil {
		content, err = unseal(name, text)
	}
	if err != nil {
		f.root.Remove(name)
		if f.Damaged != nil {
			f.Damaged(filepath.Join(f.Path, name), err)
		}
		return nil, false
	}
	if time.Since(info.ModTime()) > time.Hour {
		touch(file) // it is in use
	}
	return content, true
}

// Put writes an entry whole or not at all, in the place of one that is there. What cannot
// be kept is made again. As in the go command's cache nothing waits for the disk: what a
// crash of the machine leaves half written is not what its first line says.
func (f *Folder) Put(name string, content []byte) {
	if f == nil {
		return
	}
	f.write(name, seal(name, content))
	f.trim()
}

func (f *Folder) write(name string, text []byte) {
	partial := fmt.Sprintf("%s%d-%d", temporary, os.Getpid(), time.Now().UnixNano())
	file, err := f.root.OpenFile(partial, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return
	}
	_, err = file.Write(text)
	if errors.Join(err, file.Close()) != nil || rename(f.dir, partial, name) != nil {
		f.root.Remove(partial)
	}
}

// Lock waits until no other process has the entry locked, and locks it. A process that ends,
// in whatever way, unlocks. Without a lock builds do some work twice.
func (f *Folder) Lock(name string) (unlock func()) {
	if f == nil {
		return func() {}
	}
	name += locked
	file, err := f.root.OpenFile(name, os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return func() {}
	}
	wait(file)
	return func() {
		f.root.Remove(name)
		file.Close()
	}
}
