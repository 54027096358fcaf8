//go:build 386 || arm || mips || mipsle

package handle

// A handle on a 32-bit platform:
//
//	31        20 19             0
//	generation   index of slot
//
// There is no bit to spare for a tag; pointer_32_unsafe.go says what Pointer
// does instead. The last generation is never given out, so that a retired
// slot can be told from a new one.
const (
	indexBits = 20
	tagBits   = 0
	genFixed  = 0
	genEnd    = (1<<12 - 1) << indexBits
	genCount  = 1<<12 - 1
)

func tagged(Handle) bool { return true }
