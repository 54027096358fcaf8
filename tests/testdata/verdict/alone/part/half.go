package part

// cgo leaves the answers to what it has asked, as objects; third.go has it ask again.

// #define HALF 0.5
import "C"

var Half = C.HALF
