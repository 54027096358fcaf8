// Package reentrant runs C functions that call back into Go: on a C stack of
// their own, so that no frame of C ever lies between two frames of Go. It also
// has the way that a callback takes from C into Go. reentrant_ARCH.s has the
// picture.
package reentrant
