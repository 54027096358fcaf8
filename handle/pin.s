//go:build gc && !go1.28 && !race && !wherry_portable

// Without an assembly file the compiler rejects functions that have no body,
// as the linknames in pin_unsafe.go must.
