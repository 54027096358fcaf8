//go:build !386 && !arm && !mips && !mipsle

package handle

// A handle on a 64-bit platform:
//
//	63 62 61       56 55 54            28 27             0
//	 1  0  generation  1   generation       index of slot
//
// Bits 63 and 62 make it an address that no x86-64, riscv64 or loong64 can
// use. arm64 ignores bits 63 to 56 of an address, so there bit 55, which
// names the kernel's half, makes every access fault.
const (
	indexBits = 28
	tagBits   = 1<<63 | 1<<55

	// genFixed is the tag bit inside the generation. It is always set, so
	// that a carry out of bit 54 runs through it into bit 56; setting it
	// again completes the addition.
	genFixed = 1 << 55

	// genEnd is the first word after the last generation: bit 62 is set.
	genEnd = 1<<63 | 1<<62

	genCount = 1 << 33
)

// tagged reports whether the fixed bits of h are those of a handle.
func tagged(h Handle) bool {
	return h&(1<<63|1<<62|1<<55) == tagBits
}
