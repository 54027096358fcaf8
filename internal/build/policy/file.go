package policy

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
)

// FileName is the name of the policy that stands beside go.mod.
const FileName = "wherry.policy"

// maxErrors is how many mistakes are worth printing.
const maxErrors = 10

// Load reads policy files and those that they include, each once. A file that
// does not exist is an empty policy. Mistakes are reported joined, the first
// ten of them.
func Load(files ...string) ([]Rule, error) {
	reader := fileReader{state: map[string]int{}}
	for _, file := range files {
		if _, err := os.Stat(file); !errors.Is(err, os.ErrNotExist) {
			reader.read(file, nil)
		}
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
}

const (
	beingRead = iota + 1
	wasRead
)

func (r *fileReader) read(file string, from *Error) {
	id, err := filepath.Abs(file)
	if err != nil {
		id = file
	}
	switch r.state[id] {
	case beingRead:
		r.errs = append(r.errs, &Error{from.Pos, fmt.Sprintf("%s includes itself; remove one of the includes", file)})
		return
	case wasRead:
		return
	}
	content, err := os.Open(file)
	if err != nil {
		pos := file + ":1"
		if from != nil {
			pos = from.Pos
		}
		r.errs = append(r.errs, &Error{pos, err.Error()})
		return
	}
	defer content.Close()
	r.state[id] = beingRead
	r.parse(content, file)
	r.state[id] = wasRead
}

func (r *fileReader) parse(content io.Reader, file string) {
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
			r.read(filepath.Join(filepath.Dir(file), filepath.FromSlash(words[1])), errorAt(file, line, ""))
		case len(words) != 3:
			r.errs = append(r.errs, errorAt(file, line, "want `import/path  glob  mode`, got %d words: %q", len(words), strings.TrimSpace(text)))
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
		r.errs = append(r.errs, errorAt(file, line+1, "%v", err))
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
