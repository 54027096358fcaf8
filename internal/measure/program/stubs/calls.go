//go:build ignore

package stubs

//wherry:bind empty
func Empty() int32

//wherry:bind add
func Add(a, b int32) int32

//wherry:bind six
func Six(a, b, c, d, e, f int32) int32

//wherry:bind half
func Half(x float64) float64

//wherry:bind last
func Last(s string) int32

//wherry:bind busy
func Busy(x uint32) uint32
