// Package arm64 decodes the machine code of 64-bit Arm.
package arm64

import "github.com/wherrygo/wherry/internal/machine"

// Arch is AArch64 with the calling convention of its System V ABI.
type Arch struct{}

// Decode reads one instruction.
func (Arch) Decode(code []byte, addr uint64, inst *machine.Inst) bool { return false }
func (Arch) Name() string                                             { return "arm64" }
func (Arch) SP() machine.Reg                                          { return 31 }
func (Arch) FP() machine.Reg                                          { return 29 }
func (Arch) Result() machine.Reg                                      { return 0 }
func (Arch) SyscallNumber() machine.Reg                               { return 8 }
func (Arch) Registers() int                                           { return 32 }
func (Arch) Word() int64                                              { return 0 }
func (Arch) DwarfSP() uint64                                          { return 31 }

// Clobbered are all but X19 to X29 and the stack pointer.
func (Arch) Clobbered() uint32 { return 0x4007ffff }
