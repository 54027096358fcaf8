// Package libc knows what the functions of the C library do, of glibc and musl, on amd64 and
// arm64: whether they may block, and what else code that is not read does. libc.list has them.
package libc

import (
	_ "embed"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"sync"
)

// A Kind says what to do about a function when C calls it.
type Kind uint8

// The kinds.
const (
	Returns   Kind = iota // returns soon, or must not be interposed
	Brief                 // may wait, for the machine rather than for others: not interposed
	Blocks                // may wait
	Tries                 // a lock, which waits only if it is contended
	Mask                  // can block signals for the thread
	Handler               // installs signal handlers
	Stack                 // tells a thread's stack bounds, or goes by them
	Libraries             // goes through the program's libraries, with the dynamic linker's lock
	kinds
)

var kindNames = [kinds]string{"returns", "brief", "blocks", "tries", "mask", "handler", "stack", "libraries"}

func (k Kind) String() string {
	if k < kinds {
		return kindNames[k]
	}
	return fmt.Sprintf("Kind(%d)", uint8(k))
}

// What functions do that package read has no class for.
const (
	Leaf  = "leaf"  // nothing but to be done soon, for itself
	Fatal = "fatal" // it ends the process
)

// EBUSY is what most try functions return when the lock is contended. It is
// the same number on amd64 and arm64.
const EBUSY = 16

// A Function is one that a C library exports.
type Function struct {
	Name string
	Kind Kind

	// Try is for Tries only: the function that takes the lock if that can be
	// done at once. Its first argument is the lock's. If it returns Busy, an
	// int, the lock is contended, or the lock function has to decide; any
	// other result is the lock function's own.
	Try  string
	Busy int

	// What the lock function does before it tries: it looks at its second argument,
	// a time; at its second, a clock, and its third; it is a cancellation point.
	Time, Clock, Cancels bool

	// The lock may be a robust mutex, which must not be tried.
	Robust bool

	// Source says where the kind comes from; libc.list explains the words.
	// Functions of the kind Returns have none.
	Source string

	// Versioned says that a glibc has an old version with other code, or nothing else.
	Versioned bool

	// Does is the class of what it does, by which package read knows it, or Leaf or Fatal, of a
	// function whose code is not read; else it is empty.
	Does            string
	Loops, NoReturn bool

	// Since is the version of glibc that has it first, if that is newer than 2.17.
	Since string
}

//go:embed libc.list
var text string

// A list is what libc.list says.
type list struct {
	functions []Function
	others    []Function
	never     map[string][]string
}

var whole = sync.OnceValue(func() *list {
	l, err := parse(text)
	if err != nil {
		panic("BUG: libc: " + err.Error()) // the file is part of the program
	}
	return l
})

// Functions returns all functions, sorted by name. The maps in them are shared
// and must not be changed.
func Functions() []Function { return slices.Clone(whole().functions) }

// Lookup returns the function of a name, and reports whether it is known.
func Lookup(name string) (Function, bool) {
	all := whole().functions
	i, ok := slices.BinarySearchFunc(all, name, func(f Function, name string) int { return strings.Compare(f.Name, name) })
	if !ok {
		return Function{}, false
	}
	return all[i], true
}

// Others returns functions that are not the C library's and whose code is not read either. Their
// names may be globs.
func Others() []Function { return slices.Clone(whole().others) }

// Never returns the functions that those of a library, which a glob names, have in their code and
// never call.
func Never() map[string][]string { return whole().never }

// parse reads the content of libc.list.
func parse(text string) (*list, error) {
	l := &list{never: map[string][]string{}}
	places := map[string]string{}
	for place, words := range lines("libc.list", text) {
		found, to, err := l.line(words)
		for _, f := range found {
			if first, ok := places[f.Name]; ok && err == nil {
				err = fmt.Errorf("%s stands at %s already", f.Name, first)
			}
			places[f.Name] = place
		}
		if err != nil {
			return nil, fmt.Errorf("%s: %w", place, err)
		}
		*to = append(*to, found...)
	}
	for _, f := range l.functions {
		if _, ok := places[f.Try]; f.Kind == Tries && !ok {
			return nil, fmt.Errorf("%s: %s tries %s, which is not here", places[f.Name], f.Name, f.Try)
		}
	}
	slices.SortFunc(l.functions, func(a, b Function) int { return strings.Compare(a.Name, b.Name) })
	return l, nil
}

// line reads a line, and returns what it is about and to which functions that belongs.
func (l *list) line(words []string) (found []Function, to *[]Function, err error) {
	end := slices.IndexFunc(words, func(w string) bool { return strings.HasSuffix(w, ":") })
	if end < 0 {
		f, err := parseFunction(words)
		return []Function{f}, &l.functions, err
	}
	head, names := strings.Fields(strings.TrimSuffix(strings.Join(words[:end+1], " "), ":")), words[end+1:]
	switch {
	case len(head) == 2 && head[0] == "never":
		l.never[head[1]] = names
		return nil, &found, nil
	case len(head) > 0 && head[0] == "other":
		to = &l.others
	case len(head) > 0 && head[0] == "returns":
		to = &l.functions
	default:
		return nil, nil, fmt.Errorf("want returns, other or never LIBRARY before the colon, have %q", strings.Join(head, " "))
	}
	for _, name := range names {
		f := Function{Name: name}
		if to == &l.functions && !identifier(name) {
			return nil, nil, fmt.Errorf("%q is not the name of a function", name)
		}
		if err := f.does(head[1:]); err != nil {
			return nil, nil, err
		}
		found = append(found, f)
	}
	return found, to, nil
}

// does notes what a function does, by the words for that.
func (f *Function) does(words []string) error {
	for i, word := range words {
		switch {
		case word == "loops" && i > 0:
			f.Loops = true
		case word == "noreturn" && i > 0:
			f.NoReturn = true
		case i > 0:
			return fmt.Errorf("%s: malformed %q", f.Name, word)
		default:
			f.Does, f.NoReturn = word, word == Fatal
		}
	}
	return nil
}

// lines returns the words of each line that is neither empty nor a comment, with
// its place as file:line.
func lines(file, text string) func(yield func(place string, words []string) bool) {
	return func(yield func(string, []string) bool) {
		number := 0
		for line := range strings.Lines(text) {
			number++
			words := strings.Fields(line)
			if len(words) == 0 || strings.HasPrefix(words[0], "#") {
				continue
			}
			if !yield(fmt.Sprintf("%s:%d", file, number), words) {
				return
			}
		}
	}
}

var sources = []string{"posix", "rtsan", "manual", "derived", "hand"}

// parseFunction reads a line: NAME KIND [TRY] SOURCE [WORD]... [KEY=VALUE]...
func parseFunction(words []string) (Function, error) {
	f := Function{Name: words[0]}
	if !identifier(f.Name) {
		return f, fmt.Errorf("%q is not the name of a function", f.Name)
	}
	if len(words) < 3 {
		return f, fmt.Errorf("want NAME KIND SOURCE, have %q", strings.Join(words, " "))
	}
	kind := slices.Index(kindNames[:], words[1])
	if kind < 0 || Kind(kind) == Returns { // those stand several to a line
		return f, fmt.Errorf("%s: unknown kind %q", f.Name, words[1])
	}
	f.Kind = Kind(kind)
	words = words[2:]
	if f.Kind == Tries {
		if len(words) < 2 {
			return f, fmt.Errorf("%s: want tries TRY SOURCE", f.Name)
		}
		f.Try, f.Busy, words = words[0], EBUSY, words[1:]
	}
	f.Source = words[0]
	if !slices.Contains(sources, f.Source) {
		return f, fmt.Errorf("%s: unknown source %q", f.Name, f.Source)
	}
	seen := map[string]bool{}
	for _, word := range words[1:] {
		key, value, _ := strings.Cut(word, "=")
		if seen[key] {
			return f, fmt.Errorf("%s: %s stands twice", f.Name, key)
		}
		seen[key] = true
		switch {
		case key == "busy" && f.Kind == Tries:
			n, err := strconv.Atoi(value)
			if err != nil || n == 0 { // 0 says that the lock was taken
				return f, fmt.Errorf("%s: malformed %q", f.Name, word)
			}
			f.Busy = n
		case key == "does" && value != "":
			if err := f.does(strings.Split(value, ",")); err != nil {
				return f, err
			}
		case key == "since" && strings.HasPrefix(value, "2."):
			f.Since = value
		case word == "time" && f.Kind == Tries:
			f.Time = true
		case word == "clock" && f.Kind == Tries:
			f.Clock = true
		case word == "robust" && f.Kind == Tries:
			f.Robust = true
		case word == "cancels" && f.Kind == Tries:
			f.Cancels = true
		case word == "versions":
			f.Versioned = true
		default:
			return f, fmt.Errorf("%s: malformed %q", f.Name, word)
		}
	}
	return f, nil
}

func identifier(name string) bool {
	for i, r := range name {
		letter := r == '_' || 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z'
		if !letter && (i == 0 || r < '0' || r > '9') {
			return false
		}
	}
	return name != ""
}
