// Package blocking knows which functions of the C library may block: those of
// glibc and musl, on amd64 and arm64.
package blocking

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
	Returns Kind = iota // returns soon, or must not be interposed
	Brief               // may wait, for the machine rather than for others: not interposed
	Blocks              // may wait
	Tries               // a lock, which waits only if it is contended
	Mask                // can block signals for the thread
	Handler             // installs signal handlers
	Stack               // tells a thread's stack bounds, or goes by them
	kinds
)

var kindNames = [kinds]string{"returns", "brief", "blocks", "tries", "mask", "handler", "stack"}

func (k Kind) String() string {
	if k < kinds {
		return kindNames[k]
	}
	return fmt.Sprintf("Kind(%d)", uint8(k))
}

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

	// Source says where the kind comes from; names.txt explains the words.
	// Functions of the kind Returns have none.
	Source string

	// Versions gives, by GOARCH, the version of glibc to pass to dlvsym where
	// dlsym(RTLD_NEXT, Name) finds an old function, or none.
	Versions map[string]string

	// Since is the version of glibc that has it first, if that is newer than 2.17.
	Since string
}

//go:embed names.txt
var namesText string

//go:embed returns.txt
var returnsText string

var table = sync.OnceValue(func() []Function {
	all, err := parse(namesText, returnsText)
	if err != nil {
		panic("blocking: " + err.Error()) // the files are part of the program
	}
	return all
})

// Functions returns all functions, sorted by name. The maps in them are shared
// and must not be changed.
func Functions() []Function { return slices.Clone(table()) }

// Lookup returns the function of a name, and reports whether it is known.
func Lookup(name string) (Function, bool) {
	all := table()
	i, ok := slices.BinarySearchFunc(all, name, func(f Function, name string) int { return strings.Compare(f.Name, name) })
	if !ok {
		return Function{}, false
	}
	return all[i], true
}

// parse reads the contents of names.txt and returns.txt.
func parse(names, returns string) ([]Function, error) {
	var all []Function
	places := map[string]string{}
	add := func(f Function, place string) error {
		if !identifier(f.Name) {
			return fmt.Errorf("%s: %q is not the name of a function", place, f.Name)
		}
		if first, ok := places[f.Name]; ok {
			return fmt.Errorf("%s: %s stands at %s already", place, f.Name, first)
		}
		places[f.Name] = place
		all = append(all, f)
		return nil
	}
	for place, words := range lines("names.txt", names) {
		f, err := parseFunction(words)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", place, err)
		}
		if err := add(f, place); err != nil {
			return nil, err
		}
	}
	for place, words := range lines("returns.txt", returns) {
		for _, name := range words {
			if err := add(Function{Name: name}, place); err != nil {
				return nil, err
			}
		}
	}
	for _, f := range all {
		if _, ok := places[f.Try]; f.Kind == Tries && !ok {
			return nil, fmt.Errorf("%s: %s tries %s, which is in neither file", places[f.Name], f.Name, f.Try)
		}
	}
	slices.SortFunc(all, func(a, b Function) int { return strings.Compare(a.Name, b.Name) })
	return all, nil
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

// parseFunction reads a line of names.txt: NAME KIND [TRY] SOURCE [WORD]... [KEY=VALUE]...
func parseFunction(words []string) (Function, error) {
	f := Function{Name: words[0]}
	if len(words) < 3 {
		return f, fmt.Errorf("want NAME KIND SOURCE, have %q", strings.Join(words, " "))
	}
	kind := slices.Index(kindNames[:], words[1])
	if kind < 0 || Kind(kind) == Returns { // those have their own file
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
		case (key == "amd64" || key == "arm64") && strings.HasPrefix(value, "GLIBC_"):
			if f.Versions == nil {
				f.Versions = map[string]string{}
			}
			f.Versions[key] = value
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
