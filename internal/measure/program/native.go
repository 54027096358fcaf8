//go:build cgo

package main

// Sums are kept small, since C's and Go's would overflow differently.
const mask = 0xffff

// The C function's twins in Go.
func addInline(a, b int32) int32 { return a + b }

//go:noinline
func add(a, b int32) int32 { return a + b }

// addValue is a variable, so that the compiler cannot know what is called.
var addValue = add

var two = 2.0

// texts take turns.
var texts = [2]string{"crossing", "crossings"}

func sumOfLast(n int) int { return (n+1)/2*'g' + n/2*'s' }

//go:noinline
func busy(x uint32) uint32 {
	for range 700 {
		x = x*1664525 + 1013904223
	}
	return x ^ x>>16
}

// busyAll returns what n calls must give. The cost counts little against the calls.
func busyAll(n int) uint32 {
	// 700 steps of x*a + c are one step with another a and c.
	a, c := uint32(1), uint32(0)
	for range 700 {
		a, c = a*1664525, c*1664525+1013904223
	}
	x := uint32(n)
	for range n {
		x = x*a + c
		x ^= x >> 16
	}
	return x
}
