package flow

// A source is where a value comes from, as far as that tells a comparison of the stack
// pointer with an address that the program remembers.
type source uint8

const (
	elsewhere source = iota // or from two of the others
	lost                    // the stack pointer perhaps: from several, or what a call leaves in a register
	ownStack                // the stack pointer, more or less something
	memory                  // loaded, not from the function's own frame, more or less something
	distance                // between the two
	unset                   // a result, as long as no return is seen
)

// An origin is a source, and of memory and distance which load it is of: 32 times 1 + the
// instruction's index (plus the register where it loads two), byCall, or none where it is
// one of several.
type origin struct {
	source
	load int32
}

const byCall = 0

// merge joins an origin into another and reports whether that changed.
func (o *origin) merge(from origin) (changed bool) {
	before := *o
	switch {
	case o.source == from.source && o.load != from.load:
		o.load = none
	case o.source == from.source:
	case o.source == lost || o.source == ownStack || from.source == lost || from.source == ownStack:
		*o = origin{source: lost}
	default:
		*o = origin{}
	}
	return *o != before
}

// origins are those of all registers at one place.
type origins struct {
	regs     [32]origin
	compared origin // by the flags with the stack pointer, unless it is from elsewhere
	set      bool
}

// merge joins origins into others and reports whether that changed.
func (o *origins) merge(from *origins) (changed bool) {
	if !o.set {
		*o = *from
		return true
	}
	for r := range o.regs {
		changed = o.regs[r].merge(from.regs[r]) || changed
	}
	return o.compared.merge(from.compared) || changed
}

// between is the remembered address, where of two values that are compared one is it and
// the other derives from the stack pointer.
func between(v, w origin) origin {
	switch {
	case v.source == memory && (w.source == ownStack || w.source == distance):
		return v
	case w.source == memory && (v.source == ownStack || v.source == distance):
		return w
	}
	return origin{}
}

// leastLimit is the least number of bytes that is taken for a limit of the stack in use: a
// page. Smaller constants are sizes of objects.
const leastLimit = 4096

// limits is v if a comparison with a constant may be one of how much stack is in use.
func limits(v origin, n int64) origin {
	if v.source == distance && n >= leastLimit {
		return v
	}
	return origin{}
}

func sum(v, w origin) origin {
	switch {
	case v.source == lost || w.source == lost:
		return origin{source: lost}
	case v.source == elsewhere:
		return w
	case w.source == elsewhere, v.source == memory && w.source == memory, v.source == distance && w.source == memory:
		return v
	case v.source == memory && w.source == distance:
		return w
	case v.source == memory && w.source == ownStack || v.source == ownStack && w.source == memory: // an index, or a size
		return origin{source: ownStack}
	}
	return origin{}
}

func difference(v, w origin) origin {
	switch {
	case v.source == lost || w.source == lost:
	case v.source == ownStack && w.source == memory, v.source == elsewhere && w.source == distance:
		return origin{distance, w.load}
	case v.source == memory && w.source == ownStack:
		return origin{distance, v.load}
	case w.source == elsewhere || w.source == memory:
		return v
	}
	return origin{}
}
