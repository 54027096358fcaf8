package read

import (
	"debug/elf"
	"os"
	"path/filepath"
	"strings"
	"sync"
)

// candidates returns the files that a library's name may mean, in the order in
// which ld.so(8) would try them.
func (f *Files) candidates(by *File, name string) []string {
	if strings.Contains(name, "/") {
		return []string{name}
	}
	folders := append([]string(nil), f.path...)
	origin := filepath.Dir(by.Path)
	for _, dir := range by.RunPath {
		folders = append(folders, strings.NewReplacer("$ORIGIN", origin, "${ORIGIN}", origin).Replace(dir))
	}
	if by.Machine == elf.EM_AARCH64 {
		folders = append(folders, "/usr/aarch64-linux-gnu/lib", "/lib/aarch64-linux-gnu", "/usr/lib/aarch64-linux-gnu")
	} else {
		folders = append(folders, "/lib/x86_64-linux-gnu", "/usr/lib/x86_64-linux-gnu")
	}
	folders = append(folders, configured()...)
	folders = append(folders, "/lib64", "/usr/lib64", "/lib", "/usr/lib")
	if by.Index > 0 {
		folders = append(folders, origin)
	}
	var files []string
	for _, dir := range folders {
		file := filepath.Join(dir, name)
		if info, err := os.Stat(file); err == nil && info.Mode().IsRegular() {
			files = append(files, file)
		}
	}
	return files
}

// configured reads the folders of /etc/ld.so.conf.
var configured = sync.OnceValue(func() []string {
	var folders []string
	seen := map[string]bool{}
	var read func(file string)
	read = func(file string) {
		if seen[file] {
			return
		}
		seen[file] = true
		text, _ := os.ReadFile(file) // or there are none
		for line := range strings.Lines(string(text)) {
			line, _, _ = strings.Cut(line, "#")
			words := strings.Fields(line)
			switch {
			case len(words) == 0:
			case words[0] == "include":
				for _, glob := range words[1:] {
					if !filepath.IsAbs(glob) {
						glob = filepath.Join(filepath.Dir(file), glob)
					}
					matches, _ := filepath.Glob(glob)
					for _, match := range matches {
						read(match)
					}
				}
			case filepath.IsAbs(words[0]):
				folders = append(folders, words[0])
			}
		}
	}
	read("/etc/ld.so.conf")
	return folders
})
