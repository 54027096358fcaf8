// Package machine describes machine instructions by what package read has to
// know of them and no more: how long they are, where they lead, and what they
// do to registers, to the stack and to the flags of an unsigned comparison.
//
// Decoders for single architectures translate into it; whatever they do not
// model exactly they over-approximate: a register that might be written
// counts as written, memory that might be written counts as written.
package machine

// A Reg is a general-purpose register, numbered as the architecture does.
type Reg uint8

// NoReg stands for no register: an address without base, a constant.
const NoReg Reg = 0xff

// A Flow is where an instruction leads.
type Flow uint8

const (
	Next    Flow = iota // to the next instruction
	Jump                // to Target
	Branch              // to Target or to the next instruction: by the flags, and by Src if there is one
	Call                // to Target, and back
	JumpReg             // to the address in Src
	JumpMem             // to the address stored at Mem
	CallReg             // as JumpReg, and back
	CallMem             // as JumpMem, and back
	Return              // to the caller
	Syscall             // into the kernel, and back
	Trap                // nowhere: the instruction faults
)

// OtherCalls is the Imm of a Syscall whose numbers are those of another
// architecture.
const OtherCalls = 1

// An Op is an effect that the analysis follows. Everything else is Other: the
// registers in Writes change in an unknown way.
type Op uint8

const (
	Other   Op = iota
	Const      // Dst = Imm
	Move       // Dst = Src, extended as Size and Signed say
	Lea        // Dst = the address Mem
	Load       // Dst = memory at Mem, Size bytes, extended as Signed says
	Store      // memory at Mem = Src, Size bytes
	Add        // Dst = Src + Imm
	AddReg     // Dst = Src + Src2<<Shift, Src2 extended as Size and Signed say
	SubReg     // Dst = Src - Src2
	And        // Dst = Src & Imm
	Shl        // Dst = Src << Imm
	Shr        // Dst = Src >> Imm, unsigned
	Select     // Dst = Src or Src2, which is Dst where it is NoReg
	Insert     // Dst = Dst with the 16 bits from bit Shift on replaced by Imm
	Compare    // flags = Src ? Imm, or Src ? Src2, of Size bytes
	CompMem    // flags = memory at Mem ? Imm, of Size bytes
	Push       // SP -= word; memory at SP = Src (NoReg: unknown)
	Pop        // Dst = memory at SP; SP += word
	Leave      // SP = frame pointer; pop the frame pointer

	// Dst is in Writes too: values are not followed through these.
	AddLoad  // Dst = Dst + memory at Mem
	SubLoad  // Dst = Dst - memory at Mem; sets the flags
	AndLoad  // Dst = Dst & memory at Mem
	CompLoad // flags = Src ? memory at Mem, in either order
	CompIf   // arm64: as Compare, or the flags become a constant
	NegIf    // arm64: Dst = Src, or -Src2
)

// A Cond is the condition of a Branch, as far as unsigned bounds need it.
type Cond uint8

const (
	AnyCond Cond = iota
	Above
	AboveEqual
	Below
	BelowEqual
	Equal
	NotEqual
)

// Negate returns the condition that holds when c does not.
func (c Cond) Negate() Cond {
	return [...]Cond{AnyCond, BelowEqual, Below, AboveEqual, Above, NotEqual, Equal}[c]
}

// A Mem is an address: Base + Index*Scale + Disp. The index is first extended
// from IndexSize bytes (0: all of the register).
type Mem struct {
	Base, Index Reg
	Scale       uint8
	IndexSize   uint8
	IndexSigned bool
	Segment     bool // thread-local
	Disp        int64
}

// An Inst is one instruction.
type Inst struct {
	Addr   uint64
	Target uint64
	Imm    int64
	Mem    Mem
	Writes uint32 // registers that change otherwise than Op says, as a bit set
	Clears uint32 // of those, the ones whose upper 32 bits become zero
	Len    uint8
	Flow   Flow
	Op     Op
	Cond   Cond
	Dst    Reg
	Src    Reg
	Src2   Reg
	Size   uint8 // bytes of the operand that Op reads or stores
	Width  uint8 // bytes of Dst that the result fills; a 4 clears the rest
	Shift  uint8
	Signed bool
	Flags  bool   // sets the flags as Compare of Src and Imm would
	NoFlag bool   // leaves the flags alone
	Order  bool   // does what depends on the flags of an order: carry, sign, less, above
	Stores bool   // may write memory otherwise than Op says
	Stored uint16 // how many bytes then, from Mem on, at most; 0: not known
	Loads  bool   // arm64: what it writes besides Op's result comes from Mem
	Reads  bool   // may read memory, from Mem on unless that is empty
	Strict bool   // faults where Mem is not aligned at 16 bytes, or at more
	LinkAt uint8  // arm64: 1 + how far behind Mem the register with the return address is loaded from or stored to; 0: it is not
	Repeat bool   // repeats itself: a loop in one instruction
	Atomic bool   // reads and writes memory as one operation
	Waits  bool   // tells the processor that a loop waits, or waits itself
	Clock  bool   // reads the processor's clock
	IsOfSP bool   // amd64: an operand may be the stack pointer, or a vector register of its number
}

// An Arch is a decoder with the facts of its calling convention.
type Arch interface {
	Name() string
	// Decode reads the instruction at addr, the first of code. It reports
	// false when it does not know it.
	Decode(code []byte, addr uint64, inst *Inst) bool
	SP() Reg
	FP() Reg
	// Result is the register that holds a function's result.
	Result() Reg
	// SyscallNumber is the register that holds a system call's number.
	SyscallNumber() Reg
	Registers() int
	// Word is the size of what a call pushes; 0 where calls push nothing.
	Word() int64
	// Clobbered are the registers that a call may change.
	Clobbered() uint32
	// Link is the register that holds the return address; NoReg where it is
	// on the stack.
	Link() Reg
}
