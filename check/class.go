package check

// A Class is a kind of hazard: a reason why a function cannot be called
// without the scheduler knowing.
type Class uint8

// The classes. The folder hazards has a page on each; see Class.Page.
const (
	Block        Class = iota // waits for time, another process or a thread
	Lock                      // takes a lock, or lets one go
	Alloc                     // calls the C library's allocator
	IO                        // reads, writes or opens files, sockets, terminals
	Syscall                   // another system call
	Thread                    // starts or ends threads and processes
	Jump                      // leaves by longjmp or an exception, or may be returned to twice
	Callback                  // calls into Go
	Signal                    // sends signals or changes their handling
	Recursion                 // calls itself, to a depth that is not known
	DynamicStack              // takes stack by an amount that is not known: alloca, variable arrays
	Indirect                  // calls or jumps to an address that is not known
	Unresolved                // calls a function whose code was not found
	Undecodable               // runs into bytes that are no known instruction
	classes
)

// A rule is what is said of a class. All else about it stands in the folder hazards
// (its page) and in testdata/corpus.c (its cases).
type rule struct {
	name      string
	uncertain bool              // says only that something is not known
	details   map[detail]string // what the checker saw, in a few words
}

// A detail is a way in which the checker finds a hazard in code.
type detail int

const (
	none detail = iota
	waiting
	atomicLoop
	tooLarge
	replaceable
	resolver
	handlers
)

var rules = [classes]rule{
	Block: {name: "block", details: map[detail]string{
		waiting: "a loop that watches the clock, or an instruction that waits",
	}},
	Lock:         {name: "lock", details: map[detail]string{atomicLoop: "an atomic operation in a loop"}},
	Alloc:        {name: "alloc"},
	IO:           {name: "io"},
	Syscall:      {name: "syscall"},
	Thread:       {name: "thread"},
	Jump:         {name: "jump"},
	Callback:     {name: "callback"},
	Signal:       {name: "signal"},
	Recursion:    {name: "recursion"},
	DynamicStack: {name: "dynamic-stack"},
	Indirect: {name: "indirect", uncertain: true, details: map[detail]string{
		resolver: "chosen at start by a resolver that was not understood",
		handlers: "an exception runs handlers, which are not read",
	}},
	Unresolved:  {name: "unresolved", uncertain: true, details: map[detail]string{replaceable: "weak: another definition may take its place"}},
	Undecodable: {name: "undecodable", uncertain: true, details: map[detail]string{tooLarge: "too large to follow"}},
}

// found is a hazard of a class, seen in code in one of the ways that its rule knows.
func found(c Class, site uint64, how detail) hazard {
	return hazard{class: c, site: site, detail: rules[c].details[how]}
}

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

var noteNames = [notes]string{"fatal", "own-syscall"}

func (n Note) String() string { return noteNames[n%notes] }

// MarshalText returns the note's name.
func (n Note) MarshalText() ([]byte, error) { return []byte(n.String()), nil }
