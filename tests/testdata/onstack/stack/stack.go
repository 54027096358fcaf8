// Package stack makes a goroutine's stack large, so that it moves.
package stack

// Grow needs n frames of a kilobyte.
//
//go:noinline
func Grow(n int) int {
	var frame [1024]byte
	frame[n%1024] = 1
	if n == 0 {
		return int(frame[5])
	}
	return Grow(n-1) + int(frame[n%1024])
}
