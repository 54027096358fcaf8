package direct

import (
	"debug/elf"
	"os"
	"path/filepath"
	"strings"
)

// libraries lists what lies where path would be looked for.
func libraries(path string) []string {
	folders := []string{filepath.Dir(path)}
	if !strings.Contains(path, "/") {
		folders = append(filepath.SplitList(os.Getenv("LD_LIBRARY_PATH")), "/lib", "/usr/lib", "/lib64", "/usr/lib64", "/usr/local/lib")
		more, _ := filepath.Glob("/usr/lib/*-linux-*")
		folders = append(folders, more...)
	}
	var names []string
	for _, folder := range folders {
		entries, _ := os.ReadDir(folder)
		for _, entry := range entries {
			if strings.Contains(entry.Name(), ".so") {
				names = append(names, entry.Name())
			}
		}
	}
	return names
}

// symbols lists what a loaded library defines.
func symbols(path string) []string {
	file, err := elf.Open(mapped(path))
	if err != nil {
		return nil
	}
	defer file.Close()
	all, _ := file.DynamicSymbols()
	var names []string
	for _, symbol := range all {
		if symbol.Section != elf.SHN_UNDEF {
			names = append(names, symbol.Name)
		}
	}
	return names
}

// mapped finds the file that a library was loaded from.
func mapped(path string) string {
	maps, err := os.ReadFile("/proc/self/maps")
	if err != nil || strings.Contains(path, "/") {
		return path
	}
	resolved := map[string]bool{path: true}
	// A name may be a link: the map has what it leads to.
	for _, folder := range []string{"/lib", "/usr/lib", "/lib64", "/usr/lib64", "/usr/local/lib", "/usr/lib/*-linux-*"} {
		links, _ := filepath.Glob(filepath.Join(folder, path))
		for _, link := range links {
			if target, err := filepath.EvalSymlinks(link); err == nil {
				resolved[filepath.Base(target)] = true
			}
		}
	}
	for line := range strings.Lines(string(maps)) {
		if i := strings.IndexByte(line, '/'); i >= 0 {
			if file := strings.TrimSpace(line[i:]); resolved[filepath.Base(file)] {
				return file
			}
		}
	}
	return path
}
