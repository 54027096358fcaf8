package part

// #define THIRD 0.3
import "C"

var Third = C.THIRD
