// Package read answers what accel asks of the machine code of C functions. Open loads a linked
// file with its libraries. Program.Read says what a function may do with all that it reaches
// (class.go): call back, wait, enter the kernel or Go's runtime, compare its stack pointer; whether
// it loops, and what it watches that others write. What cannot be followed is a class of its own,
// never nothing.
//
//	program.go                    the call graph; reach.go, what is reached
//	function.go                   one function, by package flow
//	files.go, search.go           libraries
//	libc.go                       functions that are known by name
package read
