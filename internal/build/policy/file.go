package policy

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/wherrygo/wherry/internal/regular"
)

// FileName is the name of the policy that stands beside go.mod.
const FileName = "wherry.policy"

// maxErrors is how many mistakes are worth printing.
const maxErrors = 10

// maxFile is the largest policy that is read, in bytes.
const maxFile = 1 << 20

// Load reads policy files and those that they include, each once. What a file includes is
// in its folder or below. A file that does not exist is an empty policy. Mistakes are reported
// joined, the first ten of them.
func Load(files ...string) ([]Rule, error) {
	reader := fileReader{state: map[string]int{}}
	for _, file := range files {
		reader.load(file)
	}
	reader.findConflicts()
	if n := len(reader.errs) - maxErrors; n > 0 {
		reader.errs = append(reader.errs[:maxErrors], fmt.Errorf("%d more mistakes in the policy", n))
	}
	return reader.rules, errors.Join(reader.errs...)
}

type fileReader struct {
	rules []Rule
	errs  []error
	state map[string]int // of each file, by absolute path

	dir  string // below which files are read
	root *os.Root
}

const (
	beingRead = iota + 1
	wasRead
)

func (r *fileReader) load(file string) {
	dir, name := filepath.Split(file)
	root, err := os.OpenRoot(filepath.Clean(dir))
	if err == nil {
		r.dir, r.root = dir, root
		r.read(name, nil)
		root.Close()
	} else if !errors.Is(err, fs.ErrNotExist) {
		r.errs = append(r.errs, &Error{file + ":1", err.Error()})
	}
}

// read reads a file by its name in the folder. from is the place of the include, if it is one.
func (r *fileReader) read(name string, from *Error) {
	file := filepath.Join(r.dir, name)
	pos := file + ":1"
	if from != nil {
		pos = from.Pos
	}
	fail := func(format string, args ...any) { r.errs = append(r.errs, &Error{pos, fmt.Sprintf(format, args...)}) }
	id, err := filepath.Abs(file)
	if err != nil {
		id = file
	}
	switch r.state[id] {
	case beingRead:
		fail("%s includes itself; remove one of the includes", quoted(file))
		return
	case wasRead:
		return
	}
	content, err := regular.Opener(r.root.OpenFile).Read(name, maxFile)
	pathError := new(fs.PathError)
	switch {
	case err == nil:
		r.state[id] = beingRead
		r.parse(bytes.NewReader(content), name)
		r.state[id] = wasRead
	case errors.Is(err, fs.ErrNotExist) && from == nil:
	case strings.HasSuffix(err.Error(), "path escapes from parent"):
		fail("%s leads out of this policy's folder; a policy, and what it includes, is a file there or below, also behind symbolic links",
			quoted(name))
	case errors.As(err, &pathError):
		fail("cannot read %s: %v; want a policy in this folder or below", quoted(name), pathError.Err)
	default:
		fail("%v; want a policy, a text file", err)
	}
}

// longestQuoted is how much is quoted of a word that is wrong. The file may be another one than
// a policy, and what it says nobody else's business.
const longestQuoted = 20

func shortened(word string) string {
	if len(word) > longestQuoted {
		return word[:longestQuoted] + "..."
	}
	return word
}

func quoted(word string) string { return strconv.Quote(shortened(word)) }

func (r *fileReader) parse(content io.Reader, name string) {
	file := filepath.Join(r.dir, name)
	scanner := bufio.NewScanner(content)
	line := 0
	for scanner.Scan() {
		line++
		text, _, _ := strings.Cut(strings.TrimPrefix(scanner.Text(), "\ufeff"), "#")
		words := strings.Fields(text)
		switch {
		case len(words) == 0:
		case words[0] == "include":
			if len(words) != 2 {
				r.errs = append(r.errs, errorAt(file, line, "want `include FILE`, got %d words", len(words)))
				continue
			}
			included, from := filepath.FromSlash(words[1]), errorAt(file, line, "")
			if !filepath.IsAbs(included) {
				included = filepath.Join(filepath.Dir(name), included)
			}
			r.read(included, from)
		case len(words) != 3:
			r.errs = append(r.errs, errorAt(file, line, "want `import/path  glob  mode`, got %d words", len(words)))
		default:
			rule := Rule{File: file, Line: line, Package: words[0], Glob: words[1]}
			if err := rule.setMode(words[2]); err != nil {
				r.errs = append(r.errs, err)
				continue
			}
			r.rules = append(r.rules, rule)
		}
	}
	if err := scanner.Err(); err != nil {
		r.errs = append(r.errs, errorAt(file, line+1, "%v: the line has more than %d bytes; want a policy, a text file", err,
			bufio.MaxScanTokenSize))
	}
}

// findConflicts refuses two rules of the files that name the same functions
// by the same glob and disagree. A glob and its exceptions do not conflict:
// there cgo wins.
func (r *fileReader) findConflicts() {
	type key struct{ pkg, glob string }
	first := map[key]*Rule{}
	for i := range r.rules {
		rule := &r.rules[i]
		k := key{rule.Package, rule.Glob}
		earlier := first[k]
		if earlier == nil {
			first[k] = rule
		} else if earlier.Mode != rule.Mode || earlier.Stack != rule.Stack {
			r.errs = append(r.errs, errorAt(rule.File, rule.Line, "%s of %s is %s here and %s at %s; remove one of the two lines",
				rule.Glob, rule.Package, rule.Words(), earlier.Words(), earlier.Pos()))
		}
	}
}
