//go:build cgo

package main

// The C functions' twins in Go. Sums are kept small, since both would overflow
// differently.
const mask = 0xffff

func emptyInline() int                       { return 1 }
func addInline(a, b int32) int32             { return a + b }
func sixInline(a, b, c, d, e, f int32) int32 { return a + b + c + d + e + f }
func halfInline(x float64) float64           { return x / 2 }
func lastInline(s string) int                { return int(s[len(s)-1]) }

//go:noinline
func empty() int { return 1 }

//go:noinline
func add(a, b int32) int32 { return a + b }

//go:noinline
func six(a, b, c, d, e, f int32) int32 { return a + b + c + d + e + f }

//go:noinline
func half(x float64) float64 { return x / 2 }

//go:noinline
func last(s string) int { return int(s[len(s)-1]) }

// Variables, so that the compiler cannot know what is called.
var (
	emptyValue = empty
	addValue   = add
	sixValue   = six
	halfValue  = half
	lastValue  = last
)

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
