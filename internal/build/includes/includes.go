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
	"time"
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
	p, err := Preprocess("", command)
	if err != nil {
		return nil, false
	}
	return p.Set(own)
}

// A Preprocessed is what a compiler has made of a C file.
type Preprocessed struct {
	Text []byte
	said string

	files    []string // what was included, by absolute names
	from     []string // from includes the file
	folders  []string // of the search
	absent   []string // files that would be included in the place of these, and folders that would be searched
	searched bool     // the compiler says where it looks for files
	ok       bool     // the files are all that there is, and none has a precompiled one in its place

	began, ended time.Time
}

// Preprocess runs a compiler with -E in the current folder. Relative names are below dir; there may be
// none if that is "".
func Preprocess(dir string, command []string) (p Preprocessed, err error) {
	cmd := exec.Command(command[0], append(command[1:len(command):len(command)], "-v")...)
	cmd.Env = append(os.Environ(), "LANGUAGE=C")
	var said bytes.Buffer
	cmd.Stderr = &said
	p.began = time.Now().UTC() // of no zone that a file would tell
	p.Text, err = cmd.Output()
	p.said, p.ended = said.String(), time.Now().UTC()
	p.read(dir)
	return p, err
}

// Files lists what the text is made of. It reports false where the compiler itself, which here only
// preprocesses, would read a precompiled header.
func (p Preprocessed) Files() (files []string, ok bool) { return p.files, p.ok }

// precompiled is what the name of a header ends in that gcc takes in the place of the header.
const precompiled = ".gch"

// read finds the files in the text, and what would come before them, in what the compiler says.
func (p *Preprocessed) read(dir string) {
	p.absent, p.folders, p.searched = readSearch(p.said)
	p.ok = true
	p.files, p.from = marked(p.Text)
	for _, names := range [][]string{p.absent, p.folders, p.files, p.from} {
		for i, name := range names {
			if !filepath.IsAbs(name) {
				p.ok = p.ok && dir != "" // else another file in another folder
				names[i] = dir + "/" + name
			}
		}
	}
	seen := map[string]bool{}
	add := func(name string) {
		if !seen[name] {
			seen[name] = true
			p.ok = p.ok && !isThere(name+precompiled)
			p.absent = append(p.absent, name+precompiled)
		}
	}
	for i, file := range p.files {
		for _, name := range before(file, p.search(i)) {
			if !seen[name] && !isThere(name) {
				p.absent = append(p.absent, name)
			}
			add(name)
		}
		add(file)
	}
}

// search lists where the compiler has looked for a file.
func (p Preprocessed) search(i int) []string {
	return append([]string{filepath.Dir(p.from[i])}, p.folders...)
}

// Set is what was included, beyond the files below a folder if that is not "".
func (p Preprocessed) Set(own string) (s *Set, ok bool) {
	if !p.ok || !p.searched || len(p.files) == 0 || p.hasTime() || strings.Contains(p.said, "__has_include") { // by -D, say
		return nil, false
	}
	isOwn := func(path string) bool { return own != "" && strings.HasPrefix(path, own) }
	s = &Set{Absent: slices.DeleteFunc(slices.Clone(p.absent), isOwn)}
	for i, file := range p.files {
		if isOwn(file) {
			continue
		}
		s.Files = append(s.Files, file)
		if !s.addAsked(file, p.began, append(p.search(i), filepath.Dir(file))) {
			return nil, false
		}
	}
	for _, names := range []*[]string{&s.Files, &s.Absent} {
		slices.Sort(*names)
		*names = slices.Compact(*names)
	}
	s.Sum, ok = sum(s.Files)
	return s, ok
}

// hasTime reports whether the time, the day or a file's time may be in the text, by whatever names
// they came there. The zone is the compiler's to choose.
func (p Preprocessed) hasTime() bool {
	for day := -1; day <= 1; day++ {
		if bytes.Contains(p.Text, []byte(p.began.AddDate(0, 0, day).Format("Jan _2 2006"))) {
			return true
		}
	}
	for _, m := range regexp.MustCompile(`:\d\d:(\d\d)( \d{4})?\\*"`).FindAllSubmatch(p.Text, -1) {
		if len(m[2]) > 0 {
			return true
		}
		for t := p.began; ; t = t.Add(time.Second) {
			if t.Format("05") == string(m[1]) {
				return true
			}
			if t.After(p.ended) {
				break
			}
		}
	}
	return false
}

// asked is what makes the text of a file depend on more than what it includes: in parentheses a
// file that may be there.
const asked = `(?m)^\s*#\s*define\s+\w+\s+__has_include|__has_include(?:_next)?\s*\((?:\s*["<]([^">\n]+)[">])?|\bembed\b`

// spliced is what may stand between the words of asked: a line that goes on, and comments.
const spliced = `\\[ \t\v\f\r]*\n|/\*(?s:.*?)\*/`

// fresh is how old a file has to be, or it may have changed since the compiler read it.
const fresh = 100 * time.Millisecond

// addAsked adds the files for which a file asks by __has_include. It reports false for one that
// asks for something else, or is too new.
func (s *Set) addAsked(file string, when time.Time, folders []string) bool {
	info, err := os.Stat(file)
	if err != nil || info.ModTime().After(when.Add(-fresh)) {
		return false
	}
	content, err := os.ReadFile(file)
	text := string(content)
	joined := join(text)
	if pasted(joined) {
		return false
	}
	// To look for the pattern in all headers takes longer than the compiler reads them.
	if err == nil && !strings.Contains(joined, "__has_include") && !strings.Contains(joined, "embed") {
		return true
	}
	text += "\n" + regexp.MustCompile(spliced).ReplaceAllString(text, "") // a string may look like a comment: both ways
	for _, m := range regexp.MustCompile(asked).FindAllStringSubmatch(text, -1) {
		if len(m[1]) == 0 {
			return false
		}
		for _, folder := range folders {
			name := filepath.Join(folder, m[1])
			if isThere(name) {
				s.Files = append(s.Files, name)
			} else {
				s.Absent = append(s.Absent, name)
			}
		}
	}
	return err == nil
}

// join joins lines that go on, in which a word may too.
func join(text string) string {
	var joined strings.Builder
	for {
		before, rest, found := strings.Cut(text, "\\")
		if joined.Len() == 0 && !found {
			return text
		}
		joined.WriteString(before)
		if !found {
			return joined.String()
		}
		if line := strings.TrimLeft(rest, " \t\v\f\r"); strings.HasPrefix(line, "\n") {
			rest = line[1:]
		} else {
			joined.WriteByte('\\')
		}
		text = rest
	}
}

// pasted reports whether a text has a word that __has_include begins with: ## may make that of it.
func pasted(text string) bool {
	const begin, whole = "__h", "__has_include"
	for {
		i := strings.Index(text, begin)
		if i < 0 {
			return false
		}
		word := text[i:]
		end := len(begin)
		for end < len(word) && isWord(word[end]) {
			end++
		}
		word = word[:end]
		if len(word) < len(whole) && strings.HasPrefix(whole, word) && (i == 0 || !isWord(text[i-1])) {
			return true
		}
		text = text[i+len(word):]
	}
}

func isWord(c byte) bool {
	return c == '_' || c >= '0' && c <= '9' || c >= 'A' && c <= 'Z' || c >= 'a' && c <= 'z'
}

// Environment is what there adds to where a compiler looks for headers, or to what it makes.
func Environment() (values []string) {
	for _, name := range []string{"CPATH", "C_INCLUDE_PATH", "CPLUS_INCLUDE_PATH", "GCC_EXEC_PREFIX", "COMPILER_PATH", "SOURCE_DATE_EPOCH"} {
		values = append(values, os.Getenv(name))
	}
	return values
}

// lineMarker is how the preprocessor says from which file the next lines are, and with a 1 that
// the one before includes it.
const lineMarker = `^# \d+ ("(?:[^"\\\n]|\\.)+")( 1\b)?`

// marked lists the files of preprocessed text, each with one that includes it, or itself.
func marked(text []byte) (files, from []string) {
	marker := regexp.MustCompile(lineMarker)
	known := map[[2]string]bool{}
	last := ""
	for line := range bytes.Lines(text) {
		if !bytes.HasPrefix(line, []byte("# ")) {
			continue
		}
		m := marker.FindSubmatch(line)
		if m == nil {
			continue
		}
		name, err := strconv.Unquote(string(m[1]))
		if err != nil || strings.HasPrefix(name, "<") || strings.HasSuffix(name, "//") { // the folder it runs in
			continue
		}
		includer := name
		if len(m[2]) > 0 && last != "" {
			includer = last
		}
		if pair := [2]string{name, includer}; !known[pair] {
			known[pair], known[[2]string{name, name}] = true, true
			files, from = append(files, name), append(from, includer)
		}
		last = name
	}
	return files, from
}

// readSearch reads the folders in which the compiler looks for files, and those in which it would
// look if they were there.
func readSearch(said string) (missing, folders []string, found bool) {
	in := false
	var twice []string
	for line := range strings.Lines(said) {
		line = strings.TrimSuffix(line, "\n")
		name, isMissing := strings.CutPrefix(line, `ignoring nonexistent directory "`)
		again, isTwice := strings.CutPrefix(line, `ignoring duplicate directory "`)
		switch {
		case isMissing:
			missing = append(missing, strings.TrimSuffix(name, `"`))
		case isTwice:
			twice = append(twice, filepath.Clean(strings.TrimSuffix(again, `"`)))
		case strings.HasSuffix(line, "search starts here:"):
			in, found = true, true
		case line == "End of search list.":
			in = false
		case in:
			folders = append(folders, strings.TrimSpace(line))
		}
	}
	// By another name it is the same folder only as long as a link leads there. clang does not tell the name.
	for _, name := range twice {
		found = found && !strings.Contains(said, "clang") &&
			slices.ContainsFunc(folders, func(folder string) bool { return filepath.Clean(folder) == name })
	}
	return missing, folders, found
}

// before lists where a file of that name would come before the one that was found: in all
// folders that are searched before its own, of which there are two where one lies in the other.
func before(file string, folders []string) (names []string) {
	for i, folder := range folders {
		if name, ok := strings.CutPrefix(file, folder+"/"); ok {
			for _, earlier := range folders[:i] {
				names = append(names, filepath.Join(earlier, name))
			}
		}
	}
	return names
}

// Holds reports whether the C file would include the same now.
func (s *Set) Holds() bool {
	now, ok := sum(s.Files)
	return ok && now == s.Sum && !slices.ContainsFunc(s.Absent, isThere)
}

func isThere(path string) bool {
	_, err := os.Lstat(path)
	return err == nil
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
