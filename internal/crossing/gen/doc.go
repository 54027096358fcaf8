// Package gen writes typed stubs: Go functions that call a C function by way of
// package direct. It reads a Go file with declarations such as
//
//	//go:build ignore
//
//	package z
//
//	//wherry:bind crc32
//	func crc32(crc uint, data []byte) uint
//
// and writes, for a file z.go, the file zz_unsafe.go. The file itself is not a part of
// its package: hence its build constraint.
package gen
