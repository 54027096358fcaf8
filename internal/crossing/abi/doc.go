// Package abi says where Go and C keep the arguments and results of a
// function. It is plain Go and knows every architecture on every host.
//
// A Plan turns a Go function type into moves: each carries one scalar from
// where Go's register ABI (https://go.dev/s/regabi) has it to where the C ABI
// wants it, and back for results. "Where" is a place in an Image, which the
// assembly fills from the registers and empties into them.
package abi

// The Image, in bytes. Both architectures use one layout, so there is one set
// of constants; amd64 leaves some of it unused.
const (
	GoInts    = 0   // 16 words: Go's integer registers
	GoFloats  = 128 // 16 words: Go's floating-point registers
	CInts     = 256 // 8 words
	CFloats   = 320 // 8 words
	RetInts   = 384 // 2 words: RAX RDX, X0 X1
	RetFloats = 400 // 4 words: XMM0 XMM1, V0-V3
	RetErrno  = 432 // 1 word, of which errno is the low half
	Bases     = 440 // 2 words: address of the image, of Go's stack arguments
	ImageSize = 464 // below it lie C's stack arguments, above it what is kept

	MaxStack = 128 // bytes of C's stack arguments in a fast call
	MaxKept  = 9   // pointers that are kept while C runs in a fast call
)

// Where the assembly that calls C for a bound func finds what it needs in the binding,
// in bytes. A change of these, of MaxStack or of the Image is one of the number in
// _wherry_bound2_: the command and the library may differ in version.
const (
	BindingFn    = 8  // the call's data
	BindingStack = 16 // bytes of C's stack arguments
	BindingErrno = 24 // where errno is from the thread pointer, or 0
	BindingSlow  = 32 // a func of the same type, for when the goroutine is to be preempted
)

// Flags are what the data of a C function's calls says of them. The C text has them as macros.
type Flags int

const (
	NoCallback Flags = 1 << iota // its frame, and arguments, may be on the goroutine's stack, which a callback could move
	MaySwitch                    // it may come to run on a C stack: nothing that it reaches asks for its stack's bounds
	ByUser                       // a rule decided
	OwnStack                     // it runs on a C stack from the first call on, unless its calls are long
	Always                       // it is proved to be short: only a program that is switched off calls it otherwise
)

// A Machine is an architecture's two conventions.
type Machine struct {
	Arch             string
	goInts, goFloats int // registers
	cInts, cFloats   int
	goStack          int // from Go's stack pointer before the call to the first stack argument
	StackArea        int // from the stack pointer of package direct's general to its image
	place            func(*placer, Value) bool
	result           func(Value) bool
}

// AMD64 is Go's ABI and System V's (https://gitlab.com/x86-psABIs/x86-64-ABI).
var AMD64 = &Machine{Arch: "amd64", goInts: 9, goFloats: 15, cInts: 6, cFloats: 8,
	StackArea: MaxStack, place: placeSysV, result: resultSysV}

// ARM64 is Go's ABI and AAPCS64 (https://github.com/ARM-software/abi-aa) as
// linux uses it.
var ARM64 = &Machine{Arch: "arm64", goInts: 16, goFloats: 16, cInts: 8, cFloats: 8, goStack: 8,
	StackArea: 16 + MaxStack, place: placeAAPCS64, result: resultAAPCS64}

// ForArch returns the machine of a GOARCH, or nil.
func ForArch(goarch string) *Machine {
	for _, m := range []*Machine{AMD64, ARM64} {
		if m.Arch == goarch {
			return m
		}
	}
	return nil
}

// OnStack is the machine with Go's older convention, that of assembly: all
// arguments lie on the stack, like the fields of a struct, and the results
// behind them. Their places count from the first argument.
func (m *Machine) OnStack() *Machine {
	old := *m
	old.goInts, old.goFloats, old.goStack = 0, 0, 0
	return &old
}
