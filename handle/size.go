//go:build !wherry_small

package handle

const (
	retireAt    = genEnd
	generations = genCount // of a slot, before it is retired

	// maxLocals bounds the locals. The number of a local is that of its P
	// plus one; 0 is nobody's.
	maxLocals = 1024
)
