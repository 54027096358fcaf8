//go:build linux && cgo && (amd64 || arm64) && !(go1.24 && !go1.28)

package entry

func callGo(*Args) { panic("entry: Here has returned false") }
