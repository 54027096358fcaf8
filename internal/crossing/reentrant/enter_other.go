//go:build linux && (amd64 || arm64) && !(go1.24 && !go1.28)

package reentrant

func enter(r *record)   { panic("reentrant: Ready has returned an error") }
func callGo(args *Args) { panic("reentrant: Ready has returned an error") }
