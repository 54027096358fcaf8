//go:build linux && cgo && (amd64 || arm64) && go1.24 && !go1.28

package entry

// In entry_ARCH.s.
func callGo(args *Args)
