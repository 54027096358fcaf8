// Package policy reads what the user says about single C functions: the file
// wherry.policy beside go.mod, and the //wherry: directives in a package's Go
// files. It decides nothing about safety; it says who wanted what, and where.
package policy

import (
	"fmt"
	"path"
	"slices"
)

// A Mode is how a C function is called. Where several rules speak of a function, the
// first of these wins: the one that expects least of it.
type Mode int

const (
	Cgo  Mode = iota // as plain Go does it
	Fast             // at once, and through cgo as soon as that makes a difference

	// Reentrant is fast on a C stack of its own, from which it calls back into Go
	// at the price of a call. It must not compare its stack pointer with the bounds
	// of its thread's stack.
	Reentrant

	// NoCallback is fast, and never calls back into Go. Its arguments stay on the
	// goroutine's stack.
	NoCallback
)

var modeNames = []string{"cgo", "fast", "reentrant", "nocallback"}

// String returns the word for a mode.
func (m Mode) String() string { return modeNames[m] }

// MarshalText writes the word for a mode, as JSON has it.
func (m Mode) MarshalText() ([]byte, error) { return []byte(m.String()), nil }

// UnmarshalText reads it.
func (m *Mode) UnmarshalText(word []byte) error {
	i := slices.Index(modeNames, string(word))
	if i < 0 {
		return fmt.Errorf("unknown mode %q", word)
	}
	*m = Mode(i)
	return nil
}

// Asks says what the user promises of a function by the word for a mode.
func Asks(m Mode) string {
	switch m {
	case Reentrant:
		return "you promise that it does not compare its stack pointer with the bounds of its thread's stack, and the stack of a thread is enough"
	case NoCallback:
		return "you promise that it does not call back into Go; if it does, that is a panic"
	}
	return "you promise nothing beyond cgo's rules"
}

// A Rule gives the functions of one package whose name matches a glob a mode.
type Rule struct {
	File    string `json:"file"` // as the user would name it
	Line    int    `json:"line"`
	Package string `json:"package"` // import path
	Glob    string `json:"glob"`    // of path.Match, over names as Go code calls them: C.NAME
	Mode    Mode   `json:"mode"`
	Stack   int64  `json:"stack,omitempty"` // bytes that a reentrant function needs; 0 is the default

	Directive bool `json:"directive,omitempty"` // stands in a Go file of the package
}

// Pos is the rule's place as file:line.
func (r *Rule) Pos() string { return fmt.Sprintf("%s:%d", r.File, r.Line) }

// Matches reports whether the rule speaks of a function.
func (r *Rule) Matches(function string) bool {
	ok, _ := path.Match(r.Glob, function) // the glob was checked when it was read
	return ok
}

// Decide returns the rule that a function follows, or nil when none speaks of
// it. The mode that expects least of the function wins, and of two reentrant
// ones the larger stack.
func Decide(rules []Rule, function string) *Rule {
	var decision *Rule
	for i := range rules {
		rule := &rules[i]
		if rule.Matches(function) && (decision == nil || rule.before(decision)) {
			decision = rule
		}
	}
	return decision
}

func (r *Rule) before(other *Rule) bool {
	return r.Mode < other.Mode || r.Mode == other.Mode && r.Stack > other.Stack
}

// For selects the rules of one package.
func For(rules []Rule, pkg string) []Rule {
	return slices.DeleteFunc(slices.Clone(rules), func(rule Rule) bool { return rule.Package != pkg })
}

// An Error is a mistake in a policy or directive, with its place.
type Error struct {
	Pos     string // file:line
	Message string // what is wrong and what to do
}

func (e *Error) Error() string { return e.Pos + ": " + e.Message }

func errorAt(file string, line int, format string, args ...any) *Error {
	return &Error{fmt.Sprintf("%s:%d", file, line), fmt.Sprintf(format, args...)}
}
