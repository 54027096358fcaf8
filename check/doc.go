// Package check judges C functions by their machine code: may a Go program
// call one without telling the scheduler? It may when the function cannot
// wait, take locks, call back into Go or leave other than by returning, and
// when its stack has a bound. How long its loops run is not judged: a result says
// whether there are any ([Result.Loops]), and one may wait for another thread.
//
//	program, err := check.Open("/usr/lib/libz.so.1", check.Options{})
//	results, err := program.Check("crc32", "compress2")
//	// crc32: safe, 88 bytes of stack, loops
//	// compress2: unsafe: alloc: compress2 -> deflateEnd -> free
//
// It reads executables, shared libraries, objects and archives for Linux on
// x86-64 and arm64, the libraries that they need down to the C library, and
// needs neither source nor debug information. Whatever it is not sure of is
// Unknown.
//
// To judge the C functions of one cgo package, pass its objects and the libraries
// that it is linked with, and ask by the names that Go code calls:
//
//	program, err := check.OpenObjects([]string{"_x001.o", "_x002.o"}, check.Options{Libraries: []string{"libz.so.1"}})
//	results := program.CheckLinked("crc32", "my_hash")
//
// Check prints nothing. Judging a package takes some milliseconds, and reading the
// C library ten to twenty. The verdicts can be cached under the
// content of the objects, the annotations, the build ids of all of
// Program.Libraries, and [Revision]; of those libraries Result.Libraries names
// the ones that have to be the same ones at run time.
//
// # What a verdict rests on
//
// The code: calls follow the System V calling convention; a function that is
// called through the dynamic linker is the first definition in the file and
// the libraries that it needs; other threads do not write to a function's own
// frame. Facts about the C library that its code does not show are in
// defaults/glibc.txt. Each one that a verdict rests on is in the result's
// Assumptions, next to the user's own (see ReadAnnotations).
package check

// Revision counts changes of this package that can change a verdict. Caches
// of verdicts have it in their keys.
const Revision = 5
