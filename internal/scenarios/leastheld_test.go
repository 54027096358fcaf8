//go:build cgo && wherry_built

package scenarios

// leastCallbacks are so many that those count little which a thread makes before it holds its P.
const leastCallbacks = 1_000_000
