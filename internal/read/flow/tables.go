package flow

import "encoding/binary"

// maxEntries bounds tables.
const maxEntries = 1 << 14

// A read is one of a table that never changes.
type read struct {
	table value
	size  uint8
}

// index turns a table's entry that is used as an index into a number with the
// table's largest entry as its bound.
func (c *chain) index(v value) value {
	if number, ok := c.number(v); ok {
		return number
	}
	return c.fresh(8)
}

// number returns an entry, which may be multiplied and moved, as a number with
// the table's largest entry as its bound. It is the same number wherever the
// same entry is read, since the table never changes.
func (c *chain) number(v value) (value, bool) {
	if v.kind != entry || c.a.more(v).signed {
		return value{}, false
	}
	from := *c.a.more(v)
	r, ok := c.numbers[read{from.table, from.size}]
	if !ok {
		most := uint64(0)
		if !c.entries(v, func(_ uint64, data []byte) bool {
			most = max(most, littleEndian(data))
			return true
		}) {
			return value{}, false
		}
		r = c.fresh(from.size)
		c.bounds[bound{r.base, r.width, 0}] = most
		if c.numbers == nil {
			c.numbers = map[read]value{}
		}
		c.numbers[read{from.table, from.size}] = r
	}
	r.scale, r.off = v.scale, v.off
	return r, true
}

// littleEndian returns the number in at most 8 bytes.
func littleEndian(data []byte) uint64 {
	var word [8]byte
	copy(word[:], data)
	return binary.LittleEndian.Uint64(word[:])
}

// entry returns what a load reads from a table whose index has a bound.
func (c *chain) entry(at value, size uint8, signed bool) (value, bool) {
	if at.kind == entry {
		at, _ = c.number(at)
	}
	if _, _, _, bounded := c.places(at); !bounded {
		return value{}, false
	}
	return value{kind: entry, scale: 1, more: c.a.keep(more{table: at, size: size, signed: signed})}, true
}

// places returns the addresses that off + scale*symbol can be.
func (c *chain) places(v value) (start uint64, step, count uint64, ok bool) {
	if v.kind != symbol || v.scale <= 0 {
		return 0, 0, 0, false
	}
	most, shift, found := c.most(value{kind: symbol, base: v.base, width: v.width, scale: 1}), int64(0), false
	if most < maxEntries {
		found = true
	}
	for k, n := range c.bounds {
		// off + symbol <= n, of the same width: count from there.
		if k.symbol == v.base && k.width == v.width && k.off != 0 && n < maxEntries && (!found || n < most) {
			most, shift, found = n, k.off, true
		}
	}
	if !found {
		return 0, 0, 0, false
	}
	return uint64(v.off - int64(v.scale)*shift), uint64(v.scale), most + 1, true
}

// entries calls f with each entry that a value of kind entry can come from.
func (c *chain) entries(v value, f func(at uint64, data []byte) bool) bool {
	start, step, count, ok := c.places(c.a.more(v).table)
	if !ok {
		return false
	}
	for i := range count {
		at := start + i*step
		data := c.a.memory.ReadOnly(at, uint64(c.a.more(v).size))
		if data == nil || !f(at, data) {
			return false
		}
	}
	return true
}
