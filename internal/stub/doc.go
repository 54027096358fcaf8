// Package stub writes typed stubs: Go functions in assembly that call a C
// function directly. It reads a Go file with declarations such as
//
//	//go:build ignore
//
//	package z
//
//	//wherry:bind crc32
//	func crc32(crc uint, data []byte) uint
//
// and writes, for a file z.go, the Go files zz_unsafe.go, zz_stubs.go and zz_other.go
// and the assembly of each architecture, zz_amd64.s and zz_arm64.s. The file
// itself is not a part of its package: hence its build constraint.
package stub
