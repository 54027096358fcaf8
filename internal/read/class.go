package read

// A Class is something that a function may do, other than to be done soon for itself.
type Class uint8

// The classes, in the order of reports.
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
	Indirect
	Unresolved
	Undecodable
	classes
)

var words = [classes]struct{ name, says string }{
	Block:       {"block", "waits"},
	Lock:        {"lock", "takes or releases a lock"},
	Alloc:       {"alloc", "calls the C library's allocator"},
	IO:          {"io", "reads, writes or opens files, sockets or terminals"},
	Syscall:     {"syscall", "makes a system call"},
	Thread:      {"thread", "starts or ends threads or processes"},
	Jump:        {"jump", "leaves by longjmp or an exception"},
	Callback:    {"callback", "calls into Go"},
	Signal:      {"signal", "sends or handles signals"},
	Recursion:   {"recursion", "calls itself to an unknown depth"},
	Indirect:    {"indirect", "calls or jumps to an unknown address"},
	Unresolved:  {"unresolved", "calls a function that was not found"},
	Undecodable: {"undecodable", "runs into bytes that are no known instruction"},
}

func (c Class) String() string { return words[c].name }

// Says is what a function of the class does, in a few words: "waits".
func (c Class) Says() string { return words[c].says }

// Unknown reports whether the class says only that it is not known what a function does.
func (c Class) Unknown() bool { return c >= Indirect }

func parseClass(name string) (Class, bool) {
	for c := range classes {
		if words[c].name == name {
			return c, true
		}
	}
	return 0, false
}

// A classSet is a set of classes.
type classSet uint16

func setOf(c Class) classSet { return 1 << c }

func (s classSet) has(c Class) bool { return s&(1<<c) != 0 }
