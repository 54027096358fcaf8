//go:build cgo

package scenarios

// calls by the shape of the arguments, in all ways for two ints.
var calls = []Scenario{
	{Name: "empty/way=cgo", Run: empty},
	{Name: "empty/way=bind", Run: func(n int) bool {
		f, s := boundEmpty, 0
		for range n {
			s += int(f())
		}
		return s == n
	}},
	{Name: "add/way=go-inline", Run: func(n int) bool {
		s := int32(0)
		for range n {
			s = addInline(s, 1) & mask
		}
		return s == int32(n&mask)
	}},
	{Name: "add/way=go", Run: func(n int) bool {
		s := int32(0)
		for range n {
			s = addInGo(s, 1) & mask
		}
		return s == int32(n&mask)
	}},
	{Name: "add/way=go-func-value", Run: func(n int) bool {
		s := int32(0)
		for range n {
			s = addValue(s, 1) & mask
		}
		return s == int32(n&mask)
	}},
	{Name: "add/way=cgo-declared", Run: addDeclared},
	{Name: "add/way=cgo", Run: add},
	{Name: "add/way=bind", Run: func(n int) bool {
		f, s := boundAdd, int32(0)
		for range n {
			s = f(s, 1) & mask
		}
		return s == int32(n&mask)
	}},
	{Name: "six/way=cgo", Run: six},
	{Name: "six/way=bind", Run: func(n int) bool {
		f, s := boundSix, int32(0)
		for range n {
			s = f(s, 1, 2, 3, 4, 5) & mask
		}
		return s == int32(15*n&mask)
	}},
	{Name: "double/way=cgo", Run: half},
	{Name: "double/way=bind", Run: func(n int) bool {
		f, x := boundHalf, two
		for range n {
			x = f(x) + 1
		}
		return x == 2
	}},
	{Name: "string/way=cgo", Run: last},
	{Name: "string/way=bind", Run: func(n int) bool {
		f, s := boundLast, 0
		for i := range n {
			s += int(f(texts[i&1]))
		}
		return s == sumOfLast(n)
	}},
	{Name: "microsecond/way=go", Run: func(n int) bool {
		x := uint32(n)
		for range n {
			x = busyInGo(x)
		}
		return x == busyAll(n)
	}},
	{Name: "microsecond/way=cgo", Run: func(n int) bool { return busy(n) == busyAll(n) }},
}

var memory = []Scenario{
	{Name: "malloc/way=cgo", Run: malloc},
	{Name: "cstring/way=cgo", Run: cstring},
}

// callingBack are C functions that call a Go function, which adds 1.
var callingBack = []Scenario{
	{Name: "1/way=cgo", Run: func(n int) bool { return callbacks(n, 1) }},
	{Name: "100/way=cgo", Run: func(n int) bool { return callbacks(n, 100) }},

	{Name: "thread/way=cgo", Run: thread, Least: leastCallbacks, Holds: true},
}

// The C functions' twins in Go.
func addInline(a, b int32) int32 { return a + b }

//go:noinline
func addInGo(a, b int32) int32 { return a + b }

// addValue is a variable, so that the compiler cannot know what is called.
var addValue = addInGo

//go:noinline
func busyInGo(x uint32) uint32 {
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
