// Package x86 decodes x86-64 machine code: legacy, VEX and EVEX encodings,
// lengths for all of them and effects for what compilers use to handle the
// stack, calls and jump tables.
//
// The tables follow the opcode maps in appendix A of Intel's Software
// Developer's Manual, volume 2.
package x86

import "github.com/wherrygo/wherry/internal/read/machine"

// Registers as instructions number them.
const (
	AX machine.Reg = iota
	CX
	DX
	BX
	SP
	BP
	SI
	DI
	R8
	R9
	R10
	R11
	R12
	R13
	R14
	R15
)

// Arch is the x86-64 of System V's calling convention.
type Arch struct{}

func (Arch) Name() string               { return "x86-64" }
func (Arch) SP() machine.Reg            { return SP }
func (Arch) FP() machine.Reg            { return BP }
func (Arch) Result() machine.Reg        { return AX }
func (Arch) SyscallNumber() machine.Reg { return AX }
func (Arch) Registers() int             { return 16 }
func (Arch) Word() int64                { return 8 }
func (Arch) Link() machine.Reg          { return machine.NoReg }

// Clobbered are all but BX, SP, BP, R12 to R15.
func (Arch) Clobbered() uint32 {
	return bits(AX, CX, DX, SI, DI, R8, R9, R10, R11)
}

func bits(regs ...machine.Reg) uint32 {
	set := uint32(0)
	for _, r := range regs {
		set |= 1 << r
	}
	return set
}
