//go:build wherry_small

package handle

// With this tag tests see what others meet after years, or on machines with
// a thousand processors: slots retire after four uses, and all Ps but one
// share the overflow local.
const (
	generations = 4
	retireAt    = tagBits + generations<<indexBits
	maxLocals   = 1
)
