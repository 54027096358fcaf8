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

var classNames = [classes]string{"block", "lock", "alloc", "io", "syscall", "thread", "jump", "callback", "signal",
	"recursion", "dynamic-stack", "indirect", "unresolved", "undecodable"}

func (c Class) String() string {
	if c < classes {
		return classNames[c]
	}
	return "unknown class"
}

// MarshalText returns the class's name.
func (c Class) MarshalText() ([]byte, error) { return []byte(c.String()), nil }

// ParseClass returns the class of a name.
func ParseClass(name string) (Class, bool) {
	for c, n := range classNames {
		if n == name {
			return Class(c), true
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

// Uncertain reports whether the class says only that something is not known.
func (c Class) Uncertain() bool { return c == Indirect || c == Unresolved || c == Undecodable }

type classSet uint32

func (s classSet) has(c Class) bool { return s&(1<<c) != 0 }

// A Note is worth knowing of a function and no reason against it.
type Note uint8

// The notes.
const (
	Fatal       Note = iota // may end the process: abort, a failed assertion
	VDSO                    // reads the clock through the kernel's vDSO
	LazyBinding             // a first call runs the dynamic linker, 3.5 KB of stack
	OwnSyscall              // has a system call instruction outside of the C library
	notes
)

var noteNames = [notes]string{"fatal", "vdso", "lazy-binding", "own-syscall"}

func (n Note) String() string { return noteNames[n%notes] }

// MarshalText returns the note's name.
func (n Note) MarshalText() ([]byte, error) { return []byte(n.String()), nil }
