// Package cexample has a C library as they come: it keeps a callback with its
// user data, a void*, and calls it later. Tests and examples of package
// handle use it, as package handle itself is free of cgo.
package cexample
