package accel

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"os"
	"slices"

	"github.com/wherrygo/wherry/internal/read"
	image "github.com/wherrygo/wherry/internal/read/elf"
	"github.com/wherrygo/wherry/internal/regular"
)

// A Library is a shared library that a package's facts rest on.
type Library struct {
	Path     string `json:"path"`
	Identity string `json:"identity"` // of the file that was there
}

// Changed returns the libraries of a report that are others now, as they are now.
func (r *Report) Changed() []Library {
	var changed []Library
	for _, l := range r.Libraries {
		if now := identify(l.Path); now != l.Identity {
			changed = append(changed, Library{l.Path, now})
		}
	}
	return changed
}

// hashed is how much of a library without an identity is read.
const hashed = 1 << 28

// identify returns the identity that a library's linker gave it, or a hash of its content; of
// a large one, of its size, time and first part. Of what is no library it is empty.
func identify(path string) string {
	file, size, err := regular.Opener(os.OpenFile).Open(path)
	if err != nil {
		return ""
	}
	defer file.Close()
	m, err := image.NewFile(file)
	if err != nil {
		return ""
	}
	if note := m.Section(".note.gnu.build-id"); note != nil && note.Size <= longestIdentity {
		if data, err := note.Data(); err == nil {
			return hex.EncodeToString(data)
		}
	}
	hash := sha256.New()
	if size > hashed {
		info, err := file.Stat()
		if err != nil {
			return fmt.Sprint(err)
		}
		fmt.Fprintf(hash, "%d %v\n", size, info.ModTime())
	}
	if _, err := io.Copy(hash, io.NewSectionReader(file, 0, hashed)); err != nil {
		return fmt.Sprint(err)
	}
	return hex.EncodeToString(hash.Sum(nil))
}

const longestIdentity = 4 << 10

// restsOn lists the libraries that facts rest on: those whose code was read, and all
// that could ask for the bounds of their stack.
func restsOn(files []*read.File, found map[string]facts) (list []Library) {
	var paths []string
	for _, file := range files[1:] {
		if !file.System {
			paths = append(paths, file.Path)
		}
	}
	for _, f := range found {
		paths = append(paths, f.libraries...)
	}
	slices.Sort(paths)
	for _, path := range slices.Compact(paths) {
		list = append(list, Library{path, identify(path)})
	}
	return list
}
