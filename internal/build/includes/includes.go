// Package includes finds out which files a C file includes, so that it can be seen later,
// without the compiler, whether it would include the same.
package includes

import (
	"bytes"
	"crypto/sha256"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// A Set is what a C file includes.
type Set struct {
	Files  []string `json:"files"`
	Sum    string   `json:"sum"`    // of their contents
	Absent []string `json:"absent"` // files that would be included in the place of these, were they there
}

// Of asks the compiler what the C file of a command line with -c and -o includes, beyond the
// files below a folder. It reports false where the compiler does not answer as gcc and clang do,
// and for what depends on the current folder.
func Of(command []string, own string) (s *Set, ok bool) {
	command = slices.Clone(command)
	for i, arg := range command {
		switch {
		case arg == "-c":
			command[i] = "-E"
		case arg == "-o" && i+1 < len(command):
			command[i+1] = "-"
		}
	}
	cmd := exec.Command(command[0], append(command[1:], "-v")...)
	cmd.Env = append(os.Environ(), "LC_ALL=C")
	var said bytes.Buffer
	cmd.Stderr = &said
	text, err := cmd.Output()
	missing, folders, found := searched(said.String())
	files := marked(text)
	isRelative := func(path string) bool { return !filepath.IsAbs(path) } // another file in another folder
	if err != nil || !found || slices.ContainsFunc(slices.Concat(files, missing, folders), isRelative) {
		return nil, false
	}
	isOwn := func(path string) bool { return strings.HasPrefix(path, own) }
	s = &Set{Files: slices.DeleteFunc(files, isOwn), Absent: missing}
	for _, file := range s.Files {
		s.Absent = append(s.Absent, before(file, folders)...)
	}
	slices.Sort(s.Absent)
	s.Absent = slices.Compact(slices.DeleteFunc(s.Absent, isOwn))
	s.Sum, ok = sum(s.Files)
	return s, ok
}

// lineMarker is how the preprocessor says from which file the next lines are.
const lineMarker = `(?m)^# \d+ ("(?:[^"\\\n]|\\.)+")`

// marked lists the files of preprocessed text.
func marked(text []byte) (files []string) {
	for _, m := range regexp.MustCompile(lineMarker).FindAllSubmatch(text, -1) {
		name, err := strconv.Unquote(string(m[1]))
		if err == nil && !strings.HasPrefix(name, "<") {
			files = append(files, name)
		}
	}
	slices.Sort(files)
	return slices.Compact(files)
}

// searched reads the folders in which the compiler looks for files, and those in which it would
// look if they were there.
func searched(said string) (missing, folders []string, found bool) {
	in := false
	for line := range strings.Lines(said) {
		line = strings.TrimSuffix(line, "\n")
		switch name, isMissing := strings.CutPrefix(line, `ignoring nonexistent directory "`); {
		case isMissing:
			missing = append(missing, strings.TrimSuffix(name, `"`))
		case strings.HasSuffix(line, "search starts here:"):
			in, found = true, true
		case line == "End of search list.":
			in = false
		case in:
			folders = append(folders, strings.TrimSpace(line))
		}
	}
	return missing, folders, found
}

// before lists where a file of that name would come before the one that was found: in all
// folders that are searched before its own, of which there are two where one lies in the other.
func before(file string, folders []string) (absent []string) {
	for i, folder := range folders {
		name, ok := strings.CutPrefix(file, folder+"/")
		for _, earlier := range folders[:i] {
			other := filepath.Join(earlier, name)
			if _, err := os.Lstat(other); ok && err != nil {
				absent = append(absent, other)
			}
		}
	}
	return absent
}

// Holds reports whether the C file would include the same now.
func (s *Set) Holds() bool {
	isThere := func(path string) bool { _, err := os.Lstat(path); return err == nil }
	now, ok := sum(s.Files)
	return ok && now == s.Sum && !slices.ContainsFunc(s.Absent, isThere)
}

func sum(files []string) (text string, ok bool) {
	hash := sha256.New()
	for _, name := range files {
		file, err := os.Open(name)
		if err != nil {
			return "", false
		}
		n, err := io.Copy(hash, file)
		file.Close()
		if err != nil {
			return "", false
		}
		fmt.Fprintf(hash, "\n%d\n", n)
	}
	return fmt.Sprintf("%x", hash.Sum(nil)), true
}
