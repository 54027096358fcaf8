package check

import (
	"embed"

	"github.com/wherrygo/wherry/internal/read/flow"
)

// A Class is a kind of hazard: a reason why a function cannot be called
// without the scheduler knowing.
type Class uint8

// The classes, in the order of reports. The folder rules/NAME has each one's page
// and its corpus.
const (
	Block Class = iota
	Lock
	Alloc
	IO
	Syscall
	Thread
	Jump
	Callback
	Signal
	Recursion
	DynamicStack
	Indirect
	Unresolved
	Undecodable
	classes
)

// A rule is what stands of a class in messages, and how its hazard is seen in code.
type rule struct {
	name, says string               // "The function ..."
	uncertain  bool                 // says only that something is not known
	seen       map[flow.Kind]string // findings that are this hazard, and what is said of the place
}

var rules = [classes]rule{
	Block: {name: "block", says: "waits",
		seen: map[flow.Kind]string{flow.WaitLoop: "a loop that watches the clock, or an instruction that waits"}},
	Lock: {name: "lock", says: "takes or releases a lock",
		seen: map[flow.Kind]string{flow.LockLoop: "an atomic operation in a loop"}},
	Alloc:     {name: "alloc", says: "calls the C library's allocator"},
	IO:        {name: "io", says: "reads, writes or opens files, sockets or terminals"},
	Syscall:   {name: "syscall", says: "makes a system call"}, // see Program.syscall
	Thread:    {name: "thread", says: "starts or ends threads or processes"},
	Jump:      {name: "jump", says: "leaves by longjmp or an exception"},
	Callback:  {name: "callback", says: "calls into Go"},
	Signal:    {name: "signal", says: "sends or handles signals"},
	Recursion: {name: "recursion", says: "calls itself to an unknown depth"}, // see Program.component
	DynamicStack: {name: "dynamic-stack", says: "takes an unknown amount of stack",
		seen: map[flow.Kind]string{flow.Dynamic: ""}},
	Indirect:   {name: "indirect", says: "calls or jumps to an unknown address", uncertain: true}, // see Program.indirect
	Unresolved: {name: "unresolved", says: "calls a function that was not found", uncertain: true},
	Undecodable: {name: "undecodable", says: "runs into bytes that are no known instruction", uncertain: true,
		seen: map[flow.Kind]string{flow.Undecodable: "", flow.Budget: "too large to follow"}},
}

// ruleSeeing are the rules by what flow finds.
var ruleSeeing = func() map[flow.Kind]Class {
	by := map[flow.Kind]Class{}
	for c := range classes {
		for kind := range rules[c].seen {
			by[kind] = c
		}
	}
	return by
}()

//go:embed rules/*/page.md
var pages embed.FS

// Page is the documentation of a class, as Markdown: what it is, why it is
// unsafe, and which annotation helps.
func (c Class) Page() string {
	text, _ := pages.ReadFile("rules/" + c.String() + "/page.md") // TestRules holds that it is there
	return string(text)
}

// Says is what a function of the class does, in a few words: "waits".
func (c Class) Says() string { return rules[c%classes].says }

func (c Class) String() string {
	if c < classes {
		return rules[c].name
	}
	return "unknown class"
}

// MarshalText returns the class's name.
func (c Class) MarshalText() ([]byte, error) { return []byte(c.String()), nil }

// ParseClass returns the class of a name.
func ParseClass(name string) (Class, bool) {
	for c := range classes {
		if rules[c].name == name {
			return c, true
		}
	}
	return 0, false
}

// Classes returns all classes.
func Classes() []Class {
	all := make([]Class, classes)
	for i := range all {
		all[i] = Class(i)
	}
	return all
}

func classNames() (names []string) {
	for _, r := range rules {
		names = append(names, r.name)
	}
	return names
}

// Uncertain reports whether the class says only that something is not known.
func (c Class) Uncertain() bool { return c < classes && rules[c].uncertain }

type classSet uint32

func (s classSet) has(c Class) bool { return s&(1<<c) != 0 }

// A Note is worth knowing of a function and no reason against it.
type Note uint8

// The notes.
const (
	Fatal      Note = iota // may end the process: abort, a failed assertion
	OwnSyscall             // has a system call instruction outside of the C library
	notes
)

// A noteSet has notes as bits, and behind them handled: there is code that runs when an
// exception passes, which is not read.
type noteSet uint8

const handled noteSet = 1 << notes

var noteNames = [notes]string{"fatal", "own-syscall"}

func (n Note) String() string { return noteNames[n%notes] }

// MarshalText returns the note's name.
func (n Note) MarshalText() ([]byte, error) { return []byte(n.String()), nil }
