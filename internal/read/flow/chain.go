package flow

import (
	"math"

	"github.com/wherrygo/wherry/internal/read/machine"
)

// A chain is a straight way to an instruction: every path to it runs along
// all of the chain. Values on it that are not known get numbers, so that a
// comparison early on the way bounds an index later on it.
type chain struct {
	a       *analysis
	symbols int32
	signed  map[int32]bool // symbols that are sign extensions of 4 bytes
	bounds  map[bound]uint64
	held    map[place]stored
	numbers map[read]value
	flags   flags
}

// A bound is on off + the low width bytes of a symbol.
type bound struct {
	symbol int32
	width  uint8
	off    int64
}

// A place is a place in memory: off from the stack pointer at entry or after
// an alignment, from a symbol, or from nothing.
type place struct {
	kind kind
	base int32
	off  int64
}

// placeOf returns a value as a place.
func placeOf(at value) (place, bool) {
	switch {
	case at.kind == stack || at.kind == constant:
		return place{at.kind, at.base, at.off}, true
	case at.kind == symbol && at.width == 8 && at.scale == 1:
		return place{symbol, at.base, at.off}, true
	}
	return place{}, false
}

type stored struct {
	value value
	size  uint8
}

// flags are what the last comparison compared.
type flags struct {
	valid   bool
	subject value
	limit   uint64
	size    uint8
}

func (c *chain) fresh(width uint8) value {
	c.symbols++
	return value{kind: symbol, base: c.symbols, width: width, scale: 1}
}

func (c *chain) freshSigned() value {
	v := c.fresh(8)
	if c.signed == nil {
		c.signed = map[int32]bool{}
	}
	c.signed[v.base] = true
	return v
}

func plain(v value) bool { return v.kind == symbol && v.scale == 1 && v.off == 0 }

func widthMax(width uint8) uint64 {
	if width >= 8 {
		return math.MaxUint64
	}
	return 1<<(8*uint(width)) - 1
}

// most returns the largest unsigned number that a value can be.
func (c *chain) most(v value) uint64 {
	switch {
	case v.kind == constant:
		return uint64(v.off)
	case plain(v):
		most := widthMax(v.width)
		for width := v.width; width <= 8; width *= 2 {
			if n, ok := c.bounds[bound{v.base, width, 0}]; ok {
				most = min(most, n)
			}
		}
		if n, ok := c.bounds[bound{v.base, 4, 0}]; ok && c.signed[v.base] && n < 1<<31 {
			most = min(most, n)
		}
		return most
	case v.kind == entry && v.scale == 1 && v.off == 0 && !c.a.more(v).signed:
		return widthMax(c.a.more(v).size)
	}
	return math.MaxUint64
}

// small reports whether a value surely fits into 31 bits, so that arithmetic of
// 32 bits does not differ from that of 64.
func (c *chain) small(v value) bool {
	if v.kind != symbol || v.scale <= 0 || v.off != 0 {
		return false
	}
	most := c.most(value{kind: symbol, base: v.base, width: v.width, scale: 1})
	return most < 1<<31 && v.scale < 1<<16 && most*uint64(v.scale) < 1<<31
}

func (c *chain) truncate(v value, width uint8) value {
	switch {
	case plain(v):
		v.width = min(v.width, width)
		return v
	case c.small(v):
		return v
	case v.kind == entry && v.scale == 1 && v.off == 0 && c.a.more(v).size <= width && !c.a.more(v).signed:
		return v
	}
	return c.fresh(width)
}

func (c *chain) extend(v value, size, width uint8, signed bool) value {
	if v.kind == entry && v.scale == 1 && v.off == 0 && c.a.more(v).size == size && !c.a.more(v).signed {
		if signed {
			wider := *c.a.more(v)
			wider.signed = width == 8
			v.more = c.a.keep(wider)
			if width < 8 {
				return c.fresh(width)
			}
		}
		return v
	}
	low := c.truncate(v, size)
	if !signed {
		return low
	}
	if c.most(low) < 1<<(8*uint(size)-1) {
		return low
	}
	if plain(v) && c.signed[v.base] && size == 4 && width == 8 {
		return v
	}
	if width == 8 && size <= 4 {
		return c.freshSigned()
	}
	return c.fresh(width)
}

func (c *chain) add(v, w value) value {
	if v.kind == constant {
		v, w = w, v
	}
	if v.kind == entry && w.kind != constant {
		v = c.index(v)
	}
	if w.kind == entry && v.kind == symbol {
		w = c.index(w)
	}
	if w.kind == constant && (v.kind == symbol || v.kind == entry) {
		v.off += w.off
		return v
	}
	if v.kind == symbol && w.kind == symbol && v.base == w.base && v.width == w.width {
		v.off += w.off
		v.scale += w.scale
		return v
	}
	return c.fresh(8)
}

// maxScales bound the scales of values that have one, and what they are multiplied by.
var maxScales = map[kind]int64{symbol: 1 << 20, entry: 1 << 8}

func (c *chain) times(v value, n int64) value {
	limit, scales := maxScales[v.kind]
	if !scales || int64(v.scale) >= limit || n >= limit {
		return c.fresh(8)
	}
	v.scale *= int32(n)
	v.off *= n
	return v
}

func (c *chain) and(inst *machine.Inst) value {
	r := c.fresh(inst.Width)
	if inst.Imm >= 0 {
		c.bounds[bound{r.base, r.width, 0}] = uint64(inst.Imm)
	}
	return r
}

func (c *chain) shiftRight(v value, inst *machine.Inst) value {
	r := c.fresh(inst.Width)
	c.bounds[bound{r.base, r.width, 0}] = c.most(v) >> uint(inst.Imm)
	return r
}

// before notes what an instruction compares, before it changes registers.
func (c *chain) before(m *stepper, inst *machine.Inst) {
	switch {
	case inst.Op == machine.Compare && inst.Src2 != machine.NoReg:
		w := m.s.get(inst.Src2)
		c.flags = flags{w.kind == constant, m.s.get(inst.Src), uint64(w.off), inst.Size}
	case inst.Op == machine.Compare || inst.Flags:
		c.flags = flags{true, m.s.get(inst.Src), uint64(inst.Imm), inst.Size}
		if inst.Flags && inst.Op == machine.Add {
			c.flags.limit = uint64(-inst.Imm)
		}
	case inst.Op == machine.CompMem:
		at := m.address(&inst.Mem)
		subject, ok := c.entry(at, inst.Size, false)
		if !ok {
			subject = c.load(at, inst.Size)
		}
		c.flags = flags{true, subject, uint64(inst.Imm), inst.Size}
	case !inst.NoFlag:
		c.flags.valid = false
	}
	if inst.Op == machine.Store {
		v := constantOf(inst.Imm)
		if inst.Src != machine.NoReg {
			v = m.s.get(inst.Src)
		} else if inst.Size == 1 {
			v = c.fresh(8) // the high byte of a register looks like a constant
		}
		c.store(m.address(&inst.Mem), v, inst.Size)
	}
}

func (c *chain) after(m *stepper, inst *machine.Inst) {
	if inst.Stores || inst.Flow == machine.Call || inst.Flow == machine.CallReg || inst.Flow == machine.CallMem ||
		inst.Flow == machine.Syscall {
		clear(c.held)
	}
}

// store notes what a place holds from now on, and forgets all that the store
// may have changed too.
func (c *chain) store(at, v value, size uint8) {
	to, ok := placeOf(at)
	if !ok {
		clear(c.held)
		return
	}
	for k, old := range c.held {
		if k.kind != to.kind || k.base != to.base || k.off < to.off+int64(size) && to.off < k.off+int64(old.size) {
			delete(c.held, k)
		}
	}
	c.held[to] = stored{v, size}
}

// load returns what a place holds. What is not known gets a number that later
// loads find again: nobody else writes to what a function compares and then
// uses, or its source would have a data race.
func (c *chain) load(at value, size uint8) value {
	k, ok := placeOf(at)
	if !ok {
		return c.fresh(size)
	}
	if old, ok := c.held[k]; ok && old.size >= size {
		if old.size == size && size == 8 {
			return old.value
		}
		if old.value.kind == constant {
			return constantOf(int64(uint64(old.value.off) & widthMax(size)))
		}
		return c.truncate(old.value, size)
	}
	v := c.fresh(size)
	c.held[k] = stored{v, size}
	return v
}

// read is a load into a register.
func (c *chain) read(at value, inst *machine.Inst) value {
	if _, ok := placeOf(at); ok && !inst.Mem.Segment {
		if _, _, _, bounded := c.places(at); !bounded {
			v := c.load(at, inst.Size)
			if inst.Size < 8 && v.kind != constant {
				return c.extend(v, inst.Size, inst.Width, inst.Signed)
			}
			if inst.Signed && v.kind == constant {
				return c.fresh(inst.Width)
			}
			return v
		}
	}
	if v, ok := c.entry(at, inst.Size, inst.Signed); ok && !inst.Mem.Segment {
		if inst.Signed && inst.Width < 8 {
			return c.fresh(inst.Width)
		}
		return v
	}
	if inst.Signed && inst.Width == 8 && inst.Size <= 4 {
		return c.freshSigned()
	}
	if inst.Signed {
		return c.fresh(inst.Width)
	}
	return c.fresh(inst.Size)
}

// branch learns from a branch whether it was taken on the way.
func (c *chain) branch(inst *machine.Inst, taken bool) {
	if !c.flags.valid || inst.Flow != machine.Branch {
		return
	}
	cond := inst.Cond
	if !taken {
		cond = cond.Negate()
	}
	limit := c.flags.limit & widthMax(c.flags.size)
	switch cond {
	case machine.BelowEqual, machine.Equal:
	case machine.Below:
		if limit == 0 {
			return
		}
		limit--
	default:
		return
	}
	v := c.flags.subject
	if number, ok := c.number(v); ok {
		v = number
	}
	if c.flags.size < 8 {
		if !plain(v) {
			return
		}
		v.width = min(v.width, c.flags.size)
	}
	if v.kind != symbol || v.scale != 1 {
		return
	}
	k := bound{v.base, v.width, v.off}
	if old, ok := c.bounds[k]; !ok || limit < old {
		c.bounds[k] = limit
	}
}
