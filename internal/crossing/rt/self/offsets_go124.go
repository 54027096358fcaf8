//go:build !go1.25

package self

// In m and in g of Go 1.24.
const (
	MVdsoSP     = 904
	GThrowSplit = 191
)
