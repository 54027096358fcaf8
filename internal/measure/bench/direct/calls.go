//go:build ignore

package direct

//wherry:bind c_add
func add(a, b int32) int32

//wherry:bind c_six
func six(a, b, c, d, e, f int64) int64

//wherry:bind c_eight
func eight(a, b, c, d, e, f, g, h float64) float64

//wherry:bind c_nothing
func nothing()

//wherry:bind c_double
func double(a, b float64) float64

//wherry:bind c_pointer
func pointer(p *byte) int32

//wherry:bind c_text
func text(s string) int64
