//go:build ignore

package stubs

//wherry:bind add
func Add(a, b int32) int32

//wherry:bind six
func Six(a, b, c, d, e, f int32) int32

//wherry:bind last
func Last(s string) int32
