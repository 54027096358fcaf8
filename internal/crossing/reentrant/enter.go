//go:build linux && (amd64 || arm64) && go1.24 && !go1.28

package reentrant

// In reentrant_ARCH.s.
//
//go:noescape
func enter(r *record)
func callGo(args *Args)
