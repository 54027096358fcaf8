package enter

import (
	"strconv"
	"strings"

	"github.com/wherrygo/wherry/internal/crossing/rt"
)

// Offsets are what the text has for each offset of the runtime's, by the names that the
// templates use.
type Offsets map[string]string

// Numbers are the offsets of one Go: for a program that wherry builds.
func Numbers(numbers rt.Offsets) Offsets {
	offsets := Offsets{}
	for name, n := range numbers.Names() {
		offsets[name] = strconv.FormatInt(n, 10)
	}
	return offsets
}

// Constants are the names in package self, for programs that are built plainly.
var Constants = Offsets{
	"G_STACKGUARD0": "GStackGuard0", "G_STACKGUARD1": "GStackGuard1", "G_STACK_LO": "GStackLo", "G_STACK_HI": "GStackHi", "G_M": "GM",
	"G_SCHED_SP": "GSchedSP", "G_SYSCALLSP": "GSyscallSP",
	"G_SCHED_PC": "GSchedPC", "G_SCHED_BP": "GSchedBP", "G_SYSCALLPC": "GSyscallPC", "G_SYSCALLBP": "GSyscallBP",
	"G_THROWSPLIT": "GThrowSplit", "G_LOCKEDM": "GLockedM", "G_DEFER": "GDefer",
	"G_NOCGOCALLBACK": "GNoCgoCallback",
	"M_G0":            "MG0", "M_VDSOPC": "MVdsoPC", "M_VDSOSP": "MVdsoSP", "M_LOCKEDG": "MLockedG", "M_LOCKEDINT": "MLockedInt",
	"M_LOCKEDEXT": "MLockedExt", "M_NCGO": "MNcgo", "M_INCGO": "MIncgo", "M_SIGNALPENDING": "MSignalPending",
	"D_HEAP": "DHeap", "D_SP": "DSP", "D_FN": "DFn", "D_LINK": "DLink",
}

// macros names them for C's preprocessor, as the templates do.
func macros() Offsets {
	offsets := Offsets{}
	for name := range Constants {
		offsets[name] = name
	}
	return offsets
}

// goConstants names them for Go's assembler, which finds constants of its package in
// go_asm.h: gM for GM.
func goConstants() Offsets {
	offsets := Offsets{}
	for name, constant := range Constants {
		offsets[name] = "const_" + strings.ToLower(constant[:1]) + constant[1:]
	}
	return offsets
}

// pair reports whether m.vdsoPC follows m.vdsoSP, as package self demands it.
func (o Offsets) pair() bool {
	sp, err := strconv.Atoi(o["M_VDSOSP"])
	return err != nil || o["M_VDSOPC"] == strconv.Itoa(sp+8)
}
