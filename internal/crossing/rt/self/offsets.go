//go:build go1.25

package self

// In m and in g, from Go 1.25 on.
const (
	MVdsoSP     = 896
	GThrowSplit = 183
)
