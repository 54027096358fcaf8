// Package wherry makes crossings between Go and C cheap and keeps them safe. It is
// empty; this is what there is:
//
//   - The command, github.com/wherrygo/wherry/cmd/wherry, builds a program so that
//     its calls through cgo take nanoseconds. It is a module of its own.
//   - Package handle is a number for a Go value while C has it.
//   - Package event is a queue from C's threads to Go.
//   - Package callback makes C function pointers of Go funcs.
//   - Package direct makes Go funcs of C function pointers, with and without cgo.
//   - Package coalesce, a module of its own, puts small writes to a connection
//     together.
//
// The packages import the standard library alone, and each can be used without
// the others and without the command.
package wherry
