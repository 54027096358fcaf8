package accel

import (
	"debug/elf"
	"os"
	"path/filepath"
	"strings"

	"github.com/wherrygo/wherry/internal/regular"
)

// archives lists the files that a package is linked with by its LDFLAGS and that are no shared libraries:
// their code was read, and the build cache knows nothing of them either. The linker looks for a name in
// folders; which kind of library it prefers there does not matter here, since one file too many costs a
// build at most. What others' modules bring along does not change.
func (c *Config) archives(p *plan) (paths []string) {
	words := strings.FieldsFunc(strings.Join(p.LDFlags, "\x00"), func(r rune) bool { return r == 0 || r == ',' }) // -Wl,WORD,WORD
	var folders []string
	for i, word := range words {
		if folder, ok := strings.CutPrefix(word, "-L"); ok && folder != "" {
			folders = append(folders, folder)
		} else if ok && i+1 < len(words) {
			folders = append(folders, words[i+1])
		}
	}
	for _, file := range c.CLibrary {
		folders = append(folders, filepath.Dir(file))
	}
	folders = append(folders, "/usr/local/lib", "/usr/lib", "/lib")
	inPackage := func(path string) string {
		if filepath.IsAbs(path) {
			return path
		}
		return filepath.Join(p.Dir, path) // where the linker runs
	}
	add := func(path string) (found bool) {
		file, _, err := regular.Opener(os.OpenFile).Open(path)
		if err != nil {
			return false
		}
		defer file.Close()
		if object, err := elf.NewFile(file); err == nil && object.Type == elf.ET_DYN {
			return false
		}
		if !isOthers(path) {
			paths = append(paths, path)
		}
		return true
	}
	for i, word := range words {
		name, ok := strings.CutPrefix(word, "-l")
		if ok && name == "" && i+1 < len(words) {
			name = words[i+1]
		}
		file, exact := strings.CutPrefix(name, ":")
		if !exact {
			file = "lib" + name + ".a"
		}
		switch {
		case ok:
			for _, folder := range folders {
				if add(filepath.Join(inPackage(folder), file)) {
					break
				}
			}
		case !strings.HasPrefix(word, "-"):
			add(inPackage(word))
		}
	}
	return paths
}
