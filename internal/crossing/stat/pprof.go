package stat

import (
	"compress/gzip"
	"encoding/binary"
	"errors"
	"io"
	"slices"
)

// WriteProfile writes the report as a profile for go tool pprof: a sample for
// each row, with its count and its time, below its package. The format is that
// of github.com/google/pprof/proto/profile.proto, of which this needs little.
func (r *Report) WriteProfile(w io.Writer) error {
	var p profile
	p.text("") // number 0 has to be empty
	for _, value := range [][2]string{{"crossings", "count"}, {"time", "nanoseconds"}} {
		p.message(1, message{}.number(1, p.text(value[0])).number(2, p.text(value[1])))
	}
	for _, row := range r.Rows {
		name := "C." + row.Function
		if row.Kind == Callback {
			name = "callback " + row.Function
		}
		leaf := p.location(name+" ("+row.Mode+")", row.Package)
		parent := p.location(row.Package, row.Package)
		p.message(2, message{}.bytes(1, message{}.varint(leaf).varint(parent)).bytes(2, message{}.varint(row.N).varint(uint64(row.NS))))
	}
	for _, text := range p.strings {
		p.message(6, message(text))
	}
	p.fields = p.fields.number(10, uint64(r.WallNS)).number(14, p.text("time"))
	compressed := gzip.NewWriter(w)
	_, err := compressed.Write(p.fields)
	return errors.Join(err, compressed.Close())
}

// A profile is one in the making.
type profile struct {
	fields    message
	strings   []string
	locations []string
}

func (p *profile) message(field uint64, m message) { p.fields = p.fields.bytes(field, m) }

// text returns the number of a string.
func (p *profile) text(s string) uint64 {
	i := slices.Index(p.strings, s)
	if i < 0 {
		i = len(p.strings)
		p.strings = append(p.strings, s)
	}
	return uint64(i)
}

// location returns the number of a function's location, which is its own too.
func (p *profile) location(name, file string) uint64 {
	key := name + "\x00" + file
	if i := slices.Index(p.locations, key); i >= 0 {
		return uint64(i + 1)
	}
	p.locations = append(p.locations, key)
	id := uint64(len(p.locations))
	p.message(5, message{}.number(1, id).number(2, p.text(name)).number(4, p.text(file)))
	p.message(4, message{}.number(1, id).bytes(4, message{}.number(1, id)))
	return id
}

// A message is one of protocol buffers, encoded.
type message []byte

func (m message) varint(n uint64) message { return binary.AppendUvarint(m, n) }

func (m message) number(field, n uint64) message { return m.varint(field << 3).varint(n) }

func (m message) bytes(field uint64, content message) message {
	return append(m.varint(field<<3|2).varint(uint64(len(content))), content...)
}
