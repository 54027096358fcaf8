//go:build cgo

package purego_test

const want = 0 // the status of a process whose bound C calls back
