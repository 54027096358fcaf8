package check

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"os"
	"path"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/wherrygo/wherry/internal/read"
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

// shapes are how facts are written, and how many words follow the first at least.
var shapes = map[factKind]struct {
	text string
	need int
}{
	hazardFact: {"hazard CLASS NAME...", 2}, leafFact: {"leaf NAME...", 1}, fatalFact: {"fatal NAME...", 1},
	targetFact: {"target PLACE NAME...", 2}, depthFact: {"depth NAME N", 2}, neverFact: {"never CALLER CALLEE...", 2},
	allowFact: {"allow CLASS [NAME...]", 1},
}

func (a *Annotations) add(f *fact, words []string) (err error) {
	shape, ok := shapes[f.kind]
	if !ok {
		return fmt.Errorf("unknown fact %q: want %s", f.kind, kinds)
	}
	var names []string
	for _, word := range words {
		key, number, isOption := strings.Cut(word, "=")
		switch {
		case isOption && key == "stack" && (f.kind == leafFact || f.kind == hazardFact):
			if f.stack, err = strconv.ParseInt(number, 0, 32); err != nil || f.stack < 0 {
				return fmt.Errorf("stack=%s: want a number of bytes", number)
			}
		case word == "noreturn" && f.kind == hazardFact:
			f.noReturn = true
		case word == "loops" && f.kind == leafFact:
			f.loops = true
		default:
			names = append(names, word)
		}
	}
	if len(names) < shape.need {
		return fmt.Errorf("want `%s`, got %q", shape.text, f.text)
	}
	first, rest := names[0], names[1:]
	if f.names = rest; f.kind == hazardFact || f.kind == allowFact {
		if f.class, ok = ParseClass(first); !ok {
			return fmt.Errorf("unknown class %q: want one of %s", first, strings.Join(classNames(), ", "))
		}
	}
	switch f.kind {
	case hazardFact:
		return a.addFacts(f)
	case leafFact, fatalFact:
		f.names, f.noReturn = names, f.kind == fatalFact
		return a.addFacts(f)
	case targetFact:
		a.targets[first] = f
	case depthFact:
		if f.depth, err = strconv.Atoi(rest[0]); err != nil || f.depth < 1 || len(rest) > 1 {
			return fmt.Errorf("want `depth NAME N` with N at least 1, got %q", f.text)
		}
		f.names = names[:1]
		return a.addFacts(f)
	case neverFact:
		if glob, ok := strings.CutPrefix(first, "@"); ok {
			f.caller = glob
			a.neverFrom = append(a.neverFrom, f)
			return wellFormed(glob)
		}
		for _, callee := range rest {
			a.never[[2]string{first, callee}] = f
		}
	case allowFact:
		a.allow = append(a.allow, f)
		return wellFormed(rest...)
	}
	return nil
}

func wellFormed(globs ...string) error {
	for _, glob := range globs {
		if _, err := path.Match(glob, ""); err != nil {
			return fmt.Errorf("malformed glob %q", glob)
		}
	}
	return nil
}

func (a *Annotations) addFacts(f *fact) error {
	for _, name := range f.names {
		if strings.ContainsAny(name, "*?[") {
			if err := wellFormed(name); err != nil {
				return err
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
		if read.Matches(f.names, name) {
			return f
		}
	}
	return nil
}

// Defaults are the annotations that ship with this package: what functions of
// the GNU C library do, and of Go's runtime/cgo.
var Defaults = sync.OnceValue(func() *Annotations {
	a, err := ReadAnnotations(strings.NewReader(read.LibcText), "defaults/glibc.txt")
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
