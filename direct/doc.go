// Package direct calls C functions, in about 3 ns for most signatures. The plain go command
// is enough to build with it; cgo must be on.
//
//	lib, err := direct.Open("libz.so.1")
//	crc32Address, err := lib.Lookup("crc32")
//	crc32, err := direct.Bind[func(crc uint, data []byte) uint](crc32Address)
//	sum := crc32(0, data)
//
// [Bind] makes a Go func of a C function pointer, which may also come from cgo
// (unsafe.Pointer(C.name)). The func runs C on the thread's system stack and
// does not tell the scheduler.
//
// # What C may do
//
// Nearly whatever it may do through cgo: run long, wait, take locks, call function pointers
// of package callback. Such a call becomes a cgo call while it runs, and what C was given is
// kept until it returns. C that computes for more than 5 us in most of such calls is called
// through cgo from then on. There are these exceptions:
//
//   - In a program that the plain go command builds, C must not call Go functions that cgo
//     exports: make a function pointer of them by package callback. A wait ends when Go's
//     runtime needs the thread's P, after 10 to 20 ms the first time: a signal turns the call,
//     and a system call in which C waits may return EINTR. The function is called through cgo
//     from then on, so this is rare. C must neither block SIGURG nor replace its handler, and
//     Go must not ignore it (signal.Ignore): then nothing turns a call, and a garbage
//     collection waits for C. In a program that `wherry build` has made, a function of the C
//     library that may block turns the call before it waits, and no signal comes.
//   - C that makes system calls by its own instructions, not through the C library, must be
//     prepared for EINTR in every program.
//
// SAFETY.md of this module has all that is guaranteed and promised.
//
// # Types
//
//	Go                                  C
//	int8 to int64, uint8 to uint64      int8_t to int64_t, uint8_t to uint64_t
//	int, uint, uintptr                  long, unsigned long, uintptr_t
//	bool                                bool
//	float32, float64                    float, double
//	complex64, complex128               float and double _Complex
//	pointers, unsafe.Pointer            pointers
//	string, []T (arguments only)        two arguments: pointer and length in elements
//	struct of up to 16 bytes            the same struct by value
//	second result direct.Errno          errno, set to 0 before the call
//
// A string has no NUL at its end. Other types, larger structs by value among
// them, are refused by Bind, with the argument's number and the remedy. For a
// variadic C function, bind one func type for each list of argument types that you use.
// A variadic argument has to be a float64, or an integer of at least 32 bits, because C
// promotes smaller types.
//
// Go pointers may be passed under cgo's rules: C must not keep them. During the call
// their target neither moves nor is freed. Pointer arguments of a func value
// escape to the heap.
//
// # Cost
//
// A call costs about 1 ns more than a call of a Go func value if it has at most six
// integers and eight floating-point numbers (a string counts as two integers) and all are
// floating-point or at least 32 bits wide; errno may stand beside an integer result. Other
// calls move their arguments through memory, which costs more. Calls with more than
// 16 stack arguments in C, with more than 9 pointers, or with errno beside a result of two
// integers go through cgo and reflection; only these allocate.
//
// # Where the fast path is
//
// On linux/amd64 and linux/arm64 with Go 1.24 to 1.27; [Supported] returns nil if it is
// on. With an untested Go everything works but is slow: a call goes through reflection
// and runtime.cgocall, which takes about a microsecond. WHERRY_SLOW=1 in the environment
// has the same effect, for comparison. On other systems Bind returns an error, and
// without cgo (CGO_ENABLED=0) [ErrNoCgo]: github.com/ebitengine/purego calls C there.
package direct
