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

// A Library is a shared library, or an archive, that a package's facts rest on.
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

// identify returns the identity that a library's linker gave it, if that is a hash, or a hash of its
// content; of a large one, of its size, time and first part. Of what is neither a library nor an archive it is empty.
func identify(path string) string {
	file, size, err := regular.Opener(os.OpenFile).Open(path)
	if err != nil {
		return ""
	}
	defer file.Close()
	m, err := image.NewFile(file)
	if err != nil && !isArchive(file) {
		return ""
	}
	if err == nil {
		if note := m.Section(".note.gnu.build-id"); note != nil && note.Size >= shortestIdentity && note.Size <= longestIdentity {
			if data, err := note.Data(); err == nil {
				return fmt.Sprintf("%x %d", data, size)
			}
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

// isArchive reports whether a file is one, perhaps a thin one, which only names its members.
func isArchive(file io.ReaderAt) bool {
	begin := make([]byte, len(archiveMagic))
	_, err := file.ReadAt(begin, 0)
	return err == nil && slices.Contains([]string{archiveMagic, "!<thin>\n"}, string(begin))
}

// A build ID stands in a note, behind 16 bytes. One of less than 8 somebody may have chosen (--build-id=0x1).
const shortestIdentity, longestIdentity = 16 + 8, 4 << 10

// restsOn lists the libraries that facts rest on: those whose code was read, and all
// that could ask for the bounds of their stack, and paths.
func restsOn(files []*read.File, found map[string]facts, paths []string) (list []Library) {
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
