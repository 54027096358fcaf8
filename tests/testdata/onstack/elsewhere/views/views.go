// Package views sees variables as other types.
package views

import "unsafe"

func Call[T, S any](f func(*T), p *S) { f((*T)(unsafe.Pointer(p))) }

func Bytes[S any](p *S) []byte { return unsafe.Slice((*byte)(unsafe.Pointer(p)), unsafe.Sizeof(*p)) }

func As[T, S any](p *S) *T { return (*T)(unsafe.Pointer(p)) }
