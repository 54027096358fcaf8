//go:build ignore

package main

import "unsafe"

// add adds.
//
//wherry:bind c_add
func add(a, b int32) int32

//wherry:bind c_mix
func mix(a int8, b uint8, c int16, d uint16, e int32, f bool, g float32, h float64) int64

//wherry:bind c_six
func six(a, b, c, d, e, f int64) float64

//wherry:bind c_eight
func eight(a, b, c, d, e, f, g, h float64) float64

//wherry:bind c_sum
func sum(text string, numbers []int32) (total uint64)

//wherry:bind c_store
func store(p *int64, x int64)

//wherry:bind c_next
func next(p unsafe.Pointer) unsafe.Pointer

//wherry:bind c_narrow
func narrow(int8, uint16) int8

//wherry:bind c_half
func half(x float32) float32

//wherry:bind c_not
func not(x bool) bool

// clash has names that the stub uses too.
//
//wherry:bind c_add
func clash(r0, byte int32) int32
