package flow

import "slices"

// A value is what is known of a register at one place.
type value struct {
	kind  kind
	width uint8 // symbol: bytes that are not zero
	base  int32 // stack: which alignment it is relative to; symbol: its number
	scale int32 // symbol: value = off + scale*symbol
	off   int64
	more  int32 // code, entry: where its more is, in the analysis; values hold no pointers, they are copied a lot
}

type kind uint8

const (
	unknown  kind = iota
	narrow        // unknown, but the bytes behind the first width are zero; or, with scale -1, copies of its sign
	constant      // off
	stack         // the stack pointer at entry (base 0), or after an alignment, plus off
	within        // one of these plus an amount that is not known: it is still the same stack
	code          // one of more.targets
	symbol        // off + scale * the low width bytes of an unknown number; only in chains
	entry         // an entry of a table, extended, times scale, plus off; only in chains
)

type more struct {
	targets []Target // code
	table   value    // entry: its address
	size    uint8
	signed  bool
}

func (a *analysis) more(v value) *more { return &a.mores[v.more] }

func (a *analysis) keep(m more) int32 {
	if len(a.mores) == 0 {
		a.mores = append(a.mores, more{}) // 0 is none
	}
	a.mores = append(a.mores, m)
	return int32(len(a.mores) - 1)
}

// maxTargets bounds sets of code addresses, which IFUNC resolvers make.
const maxTargets = 48

func constantOf(n int64) value { return value{kind: constant, off: n} }

func (a *analysis) equal(v, w value) bool {
	if v.kind != w.kind || v.off != w.off || v.base != w.base || v.width != w.width || v.scale != w.scale {
		return false
	}
	if v.more == w.more {
		return true
	}
	return v.kind == code && w.kind == code && slices.Equal(a.more(v).targets, a.more(w).targets)
}

// join returns what is known where two paths meet. Of two code addresses both
// are kept.
func (a *analysis) join(v, w value) value {
	if a.equal(v, w) {
		return v
	}
	if (v.kind == narrow || w.kind == narrow) && isSigned(v) && isSigned(w) && !(zeros(v) <= 4 && zeros(w) <= 4) {
		return signExtended
	}
	if width := max(zeros(v), zeros(w)); width <= 4 && (v.kind == narrow || w.kind == narrow || !a.isCode(v) || !a.isCode(w)) {
		return value{kind: narrow, width: width}
	}
	if isOwn(v) && isOwn(w) {
		return value{kind: within}
	}
	left, ok := a.targets(v)
	if !ok {
		return value{}
	}
	right, ok := a.targets(w)
	if !ok {
		return value{}
	}
	set := slices.Clone(left)
	for _, t := range right {
		if !slices.Contains(set, t) {
			set = append(set, t)
		}
	}
	if len(set) > maxTargets {
		return value{}
	}
	if v.kind == code && len(set) == len(left) {
		return v
	}
	return value{kind: code, more: a.keep(more{targets: set})}
}

// zeros returns how many bytes of a value are not known to be zero.
func zeros(v value) uint8 {
	switch {
	case v.kind == narrow && v.scale == 0:
		return v.width
	case v.kind == constant && uint64(v.off) < 1<<32:
		return 4
	}
	return 8
}

// signExtended is the result of a sign extension of 4 bytes.
var signExtended = value{kind: narrow, width: 4, scale: -1}

// isOwn reports whether a value is an address on the stack that the function was entered on.
func isOwn(v value) bool { return v.kind == stack || v.kind == within }

func isSigned(v value) bool {
	switch v.kind {
	case narrow:
		return v.scale == -1 || v.width < 4
	case constant:
		return v.off == int64(int32(v.off))
	}
	return false
}

func (a *analysis) isCode(v value) bool {
	_, ok := a.targets(v)
	return ok
}

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
