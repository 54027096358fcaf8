//go:build cgo && !wherry_built

package scenarios

// leastCallbacks are so many that a thread's begin counts little.
const leastCallbacks = 50_000
