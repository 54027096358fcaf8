package direct

import (
	"debug/elf"
	"os"
	"path/filepath"
	"sort"
	"strings"
)

// didYouMean returns the end of an error's text: the names that are closest to
// the wrong one.
func didYouMean(wrong string, names []string) string {
	base := filepath.Base(wrong)
	type candidate struct {
		name string
		far  int
	}
	var near []candidate
	seen := map[string]bool{}
	for _, name := range names {
		if far := distance(base, name); far <= 1+len(base)/3 && !seen[name] {
			seen[name] = true
			near = append(near, candidate{name, far})
		}
	}
	if len(near) == 0 {
		return ""
	}
	sort.Slice(near, func(i, j int) bool {
		if near[i].far != near[j].far {
			return near[i].far < near[j].far
		}
		return near[i].name < near[j].name
	})
	var text []string
	for _, c := range near[:min(3, len(near))] {
		text = append(text, c.name)
	}
	return "; did you mean " + strings.Join(text, " or ") + "?"
}

// distance counts the characters to insert, delete or replace (Levenshtein),
// but a version behind ".so" counts as one.
func distance(a, b string) int {
	if i := strings.Index(b, ".so."); i >= 0 && !strings.Contains(a, ".so.") {
		return 1 + distance(a, b[:i+3])
	}
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		diagonal := row[0]
		row[0] = i + 1
		for j := range len(b) {
			next := min(row[j], row[j+1]) + 1
			if a[i] == b[j] {
				next = min(next, diagonal)
			} else {
				next = min(next, diagonal+1)
			}
			diagonal, row[j+1] = row[j+1], next
		}
	}
	return row[len(b)]
}

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
