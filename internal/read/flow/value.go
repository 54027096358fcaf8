package flow

import "slices"

// A value is what is known of a register at one place.
type value struct {
	kind  kind
	width uint8  // number: how many bytes it has; those above are zero
	below uint8  // number, signed: of how many of its lowest bytes count is a bound
	base  int32  // stack: which alignment it is relative to; number, signed: its name, or 0; code, entry: where its more is
	scale int32  // number, entry: the value is off + scale times it
	count uint16 // number, signed: the lowest bytes are less than this; 0 is not known
	off   int64
}

type kind uint8

const (
	unknown  kind = iota
	number        // off + scale * an unknown number
	signed        // the sign extension of an unknown number of 4 bytes, or less
	constant      // off
	stack         // the stack pointer at entry (base 0), or after an alignment, plus off
	within        // one of these plus an amount that is not known: it is still the same stack
	linked        // the address that the function returns to, where calls leave it in a register
	code          // one of more.targets
	entry         // off + scale * an entry of a table that never changes
)

// A more is what values keep elsewhere: they hold no pointers, they are copied a lot.
type more struct {
	targets []Target // code
	table   table    // entry
}

// A table is count entries of size bytes, from start on.
type table struct {
	start, step, count uint64
	size               uint8
	signed             bool
}

func (a *analysis) more(v value) *more { return &a.mores[v.base] }

// keep returns a number for m, the same for the same content.
func (a *analysis) keep(m more) int32 {
	i := slices.IndexFunc(a.mores, func(old more) bool { return old.table == m.table && slices.Equal(old.targets, m.targets) })
	if i < 0 {
		i = len(a.mores)
		a.mores = append(a.mores, m)
	}
	return int32(i)
}

// maxTargets bounds sets of code addresses, which IFUNC resolvers make.
const maxTargets = 48

// maxEntries bounds tables, and with them the numbers of which it pays to know how large they can be.
const maxEntries = 1 << 14

func constantOf(n int64) value { return value{kind: constant, off: n} }

// numberOf is an unknown number of some bytes.
func numberOf(width uint8) value {
	if width >= 8 {
		return value{}
	}
	return value{kind: number, width: width, scale: 1}
}

// bounded is a value, a number of which it is known now that it is less than count.
func bounded(v value, count uint64) value {
	if v.kind == unknown {
		v = value{kind: number, width: 8, scale: 1}
	}
	if count-1 < maxEntries {
		v.below, v.count = 8, uint16(count)
	}
	return v
}

// isPlain reports whether a value is an unknown number itself.
func isPlain(v value) bool { return v.kind == number && v.scale == 1 && v.off == 0 }

// most is the largest that the number in a value can be.
func most(v value) uint64 {
	switch {
	case v.kind == constant:
		return uint64(v.off)
	case v.kind == number && v.count > 0 && v.below >= v.width:
		return uint64(v.count) - 1
	case v.kind == number && v.width < 8:
		return 1<<(8*v.width) - 1
	}
	return 1<<64 - 1
}

// fits reports whether a value surely fits into 31 bits, so that arithmetic of 32 bits does not
// differ from that of 64.
func fits(v value) bool {
	return v.kind == number && v.off == 0 && v.scale > 0 && most(v) < 1<<31/uint64(v.scale)
}

// join returns what is known where two paths meet. Of code addresses all are kept.
func (a *analysis) join(v, w value) value {
	switch {
	case v == w:
		return v
	case isOwn(v) && isOwn(w):
		return value{kind: within}
	}
	left, ok := a.targets(v)
	right, both := a.targets(w)
	if !ok || !both {
		return joinNumbers(v, w)
	}
	set := slices.Clone(left)
	for _, t := range right {
		if !slices.Contains(set, t) {
			set = append(set, t)
		}
	}
	switch {
	case len(set) > maxTargets:
		return value{}
	case v.kind == code && len(set) == len(left):
		return v
	}
	return value{kind: code, base: a.keep(more{targets: set})}
}

// joinNumbers returns what two numbers have in common.
func joinNumbers(v, w value) value {
	if v.kind == w.kind && (v.kind == number || v.kind == signed) && v.width == w.width && v.scale == w.scale && v.off == w.off {
		if v.base != w.base {
			v.base = 0
		}
		if v.count = max(v.count, w.count); v.below != w.below {
			v.below, v.count = 0, 0
		}
		if v.kind == number && v.width == 8 && v.base == 0 && v.count == 0 {
			return value{}
		}
		return v
	}
	switch width := max(zeros(v), zeros(w)); {
	case width <= 4:
		return bounded(numberOf(width), max(most(v), most(w))+1)
	case isSigned(v) && isSigned(w):
		return value{kind: signed}
	}
	return value{}
}

// zeros returns how many bytes of a value are not known to be zero.
func zeros(v value) uint8 {
	switch {
	case isPlain(v) && v.width < 4:
		return v.width
	case isPlain(v) && v.width == 4, v.kind == constant && uint64(v.off) < 1<<32, fits(v):
		return 4
	}
	return 8
}

// isSigned reports whether a value is the sign extension of its lowest 4 bytes.
func isSigned(v value) bool {
	return v.kind == signed || isPlain(v) && v.width < 4 || v.kind == constant && v.off == int64(int32(v.off)) || fits(v)
}

// isOwn reports whether a value is an address on the stack that the function was entered on.
func isOwn(v value) bool { return v.kind == stack || v.kind == within }

// targets returns a value as a set of code addresses.
func (a *analysis) targets(v value) ([]Target, bool) {
	switch v.kind {
	case code:
		return a.more(v).targets, true
	case constant:
		// Zero is a weak function that does not exist, or a resolver's
		// "none"; a call of it would fault.
		if a.memory.Code(uint64(v.off)) != nil && a.memory.IsEntry(uint64(v.off)) {
			return []Target{{Addr: uint64(v.off)}}, true
		}
	}
	return nil, false
}
