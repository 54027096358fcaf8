// Package arm64 decodes the machine code of 64-bit Arm: effects for what
// compilers use to handle the stack, calls and jump tables, and for all else
// which registers it may write.
//
// The groups follow chapter C4, "A64 Instruction Set Encoding", of the Arm
// Architecture Reference Manual. Groups without effect on what is followed are
// told apart no further than that; what is in none of them is not known.
package arm64

import "github.com/wherrygo/wherry/internal/read/machine"

// SP is the stack pointer's number. In many places 31 is the zero register
// instead.
const SP machine.Reg = 31

// LR is the register with the return address.
const LR machine.Reg = 30

// Arch is AArch64 with the calling convention of its System V ABI.
type Arch struct{}

func (Arch) Name() string               { return "arm64" }
func (Arch) SP() machine.Reg            { return SP }
func (Arch) FP() machine.Reg            { return 29 }
func (Arch) Result() machine.Reg        { return 0 }
func (Arch) SyscallNumber() machine.Reg { return 8 }
func (Arch) Registers() int             { return 32 }
func (Arch) Word() int64                { return 0 }
func (Arch) Link() machine.Reg          { return LR }

// Clobbered are all but X19 to X29 and the stack pointer.
func (Arch) Clobbered() uint32 { return 0x4007ffff }
