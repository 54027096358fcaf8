//go:build cgo

// Program holds the scenarios of `wherry bench`. It is compiled on the user's
// machine, by wherry, so that C functions are called as //wherry: lines say. Built
// plainly, all of these are cgo calls.
//
// A variant more is an entry in one of the lists: calls (call_unsafe.go), callbacks
// (callback.go), handles (handle.go), landmarks (landmark.go).
package main

import (
	"slices"

	"github.com/wherrygo/wherry/internal/measure/probe"
)

func main() {
	probe.Main(slices.Concat(calls, busyCalls, memory, callbacks, handoffs, handles, landmarks))
}
