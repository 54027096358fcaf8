package check

import (
	"bufio"
	_ "embed"
	"errors"
	"fmt"
	"io"
	"os"
	"path"
	"slices"
	"strconv"
	"strings"
	"sync"
)

// Annotations are facts that code alone does not show. Each one that a
// verdict rests on is listed in its Assumptions.
type Annotations struct {
	facts     map[string]*fact // by function
	globs     []*fact          // with a pattern in the name
	targets   map[string]*fact // by function or word
	never     map[[2]string]*fact
	allow     []*fact
	neverFrom []*fact // of all functions of a library
}

// A fact is one line.
type fact struct {
	kind     factKind
	names    []string
	class    Class
	stack    int64
	depth    int
	loops    bool
	noReturn bool
	caller   string
	notes    []Note
	pos      string
	text     string
	builtin  bool
}

// An AnnotationError is a mistake in a file of annotations.
type AnnotationError struct {
	Pos     string // file:line
	Message string
}

func (e *AnnotationError) Error() string { return e.Pos + ": " + e.Message }

// A factKind is the first word of a fact.
type factKind string

const (
	hazardFact factKind = "hazard"
	leafFact   factKind = "leaf"
	fatalFact  factKind = "fatal"
	targetFact factKind = "target"
	depthFact  factKind = "depth"
	neverFact  factKind = "never"
	allowFact  factKind = "allow"
)

const kinds = hazardFact + ", " + leafFact + ", " + fatalFact + ", " + targetFact + ", " + depthFact + ", " + neverFact + " or " + allowFact

// ReadAnnotations reads one fact a line; # begins a comment.
//
//	hazard CLASS NAME... [stack=BYTES] [noreturn]
//	                                     NAME has this hazard; its code is not read
//	leaf NAME... [stack=BYTES] [loops]   NAME is safe; its code is not read
//	fatal NAME...                        NAME ends the process and never returns
//	target PLACE NAME...                 all that an indirect call of PLACE calls
//	depth NAME N                         NAME's recursion is at most N calls deep
//	never CALLER CALLEE...               a call that is never taken; CALLER may be @LIBRARY, a glob
//	allow CLASS [NAME...]                the class is no hazard, for NAME (a glob) or all
//
// PLACE is the word that holds the address, as the report names it
// ("sqlite3Config+0x80"), or the function that makes the call.
func ReadAnnotations(r io.Reader, name string) (*Annotations, error) {
	a := &Annotations{facts: map[string]*fact{}, targets: map[string]*fact{}, never: map[[2]string]*fact{}}
	var errs []error
	scanner := bufio.NewScanner(r)
	for line := 1; scanner.Scan(); line++ {
		text, _, _ := strings.Cut(scanner.Text(), "#")
		words := strings.Fields(text)
		if len(words) == 0 {
			continue
		}
		f := &fact{kind: factKind(words[0]), pos: fmt.Sprintf("%s:%d", name, line), text: strings.Join(words, " "), stack: -1}
		if err := a.add(f, words[1:]); err != nil {
			errs = append(errs, &AnnotationError{f.pos, err.Error()})
		}
	}
	if err := scanner.Err(); err != nil {
		errs = append(errs, fmt.Errorf("%s: %w", name, err))
	}
	return a, errors.Join(errs...)
}

// ReadAnnotationFile reads a file of annotations.
func ReadAnnotationFile(name string) (*Annotations, error) {
	file, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	return ReadAnnotations(file, name)
}

func (a *Annotations) add(f *fact, words []string) error {
	var names []string
	for _, word := range words {
		key, number, isOption := strings.Cut(word, "=")
		switch {
		case isOption && key == "stack" && (f.kind == leafFact || f.kind == hazardFact):
			n, err := strconv.ParseInt(number, 0, 32)
			if err != nil || n < 0 {
				return fmt.Errorf("stack=%s: want a number of bytes", number)
			}
			f.stack = n
		case word == "noreturn" && f.kind == hazardFact:
			f.noReturn = true
		case word == "loops" && f.kind == leafFact:
			f.loops = true
		default:
			names = append(names, word)
		}
	}
	need := func(n int, what string) error {
		if len(names) < n {
			return fmt.Errorf("want `%s`, got %q", what, f.text)
		}
		return nil
	}
	setClass := func() error {
		c, ok := ParseClass(names[0])
		if !ok {
			return fmt.Errorf("unknown class %q: want one of %s", names[0], strings.Join(classNames(), ", "))
		}
		f.class, f.names = c, names[1:]
		return nil
	}
	switch f.kind {
	case hazardFact:
		if err := need(2, "hazard CLASS NAME..."); err != nil {
			return err
		}
		if err := setClass(); err != nil {
			return err
		}
		return a.addFacts(f)
	case leafFact, fatalFact:
		if err := need(1, string(f.kind)+" NAME..."); err != nil {
			return err
		}
		f.names = names
		if f.kind == fatalFact {
			f.notes = append(f.notes, Fatal)
			f.noReturn = true
		}
		return a.addFacts(f)
	case targetFact:
		if err := need(2, "target PLACE NAME..."); err != nil {
			return err
		}
		f.names = names[1:]
		a.targets[names[0]] = f
	case depthFact:
		if err := need(2, "depth NAME N"); err != nil {
			return err
		}
		n, err := strconv.Atoi(names[1])
		if err != nil || n < 1 || len(names) > 2 {
			return fmt.Errorf("want `depth NAME N` with N at least 1, got %q", f.text)
		}
		f.depth, f.names = n, names[:1]
		return a.addFacts(f)
	case neverFact:
		if err := need(2, "never CALLER CALLEE..."); err != nil {
			return err
		}
		f.names = names[1:]
		if glob, ok := strings.CutPrefix(names[0], "@"); ok {
			if _, err := path.Match(glob, ""); err != nil {
				return fmt.Errorf("malformed glob %q", glob)
			}
			f.caller = glob
			a.neverFrom = append(a.neverFrom, f)
			return nil
		}
		for _, callee := range f.names {
			a.never[[2]string{names[0], callee}] = f
		}
	case allowFact:
		if err := need(1, "allow CLASS [NAME...]"); err != nil {
			return err
		}
		if err := setClass(); err != nil {
			return err
		}
		for _, glob := range f.names {
			if _, err := path.Match(glob, ""); err != nil {
				return fmt.Errorf("malformed glob %q", glob)
			}
		}
		a.allow = append(a.allow, f)
	default:
		return fmt.Errorf("unknown fact %q: want %s", f.kind, kinds)
	}
	return nil
}

func (a *Annotations) addFacts(f *fact) error {
	for _, name := range f.names {
		if strings.ContainsAny(name, "*?[") {
			if _, err := path.Match(name, ""); err != nil {
				return fmt.Errorf("malformed glob %q", name)
			}
			a.globs = append(a.globs, f)
			continue
		}
		a.facts[name] = f
	}
	return nil
}

// about returns the fact about a function, or nil.
func (a *Annotations) about(name string) *fact {
	if f := a.facts[name]; f != nil {
		return f
	}
	for _, f := range a.globs {
		for _, glob := range f.names {
			if ok, _ := path.Match(glob, name); ok {
				return f
			}
		}
	}
	return nil
}

//go:embed defaults/glibc.txt
var glibcText string

// Defaults are the annotations that ship with this package: what functions of
// the GNU C library do, and of Go's runtime/cgo.
var Defaults = sync.OnceValue(func() *Annotations {
	a, err := ReadAnnotations(strings.NewReader(glibcText), "defaults/glibc.txt")
	if err != nil {
		panic("BUG: check: " + err.Error())
	}
	for _, f := range a.facts {
		f.builtin = true
	}
	for _, f := range slices.Concat(a.globs, a.neverFrom) {
		f.builtin = true
	}
	return a
})

// neverCalls finds the fact that a function, by any of its names, never calls
// another one.
func (a *Annotations) neverCalls(callers, callees []string) *fact {
	if len(a.never) == 0 {
		return nil
	}
	for _, caller := range callers {
		for _, callee := range callees {
			if f := a.never[[2]string{caller, callee}]; f != nil {
				return f
			}
		}
	}
	return nil
}
