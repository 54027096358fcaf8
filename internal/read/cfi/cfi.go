// Package cfi reads call frame information, the .eh_frame section: where
// functions begin and end.
//
// The format is that of the Linux Standard Base, chapter "Exception Frames",
// and of DWARF 5, section 6.4.
package cfi

import "encoding/binary"

// A Frame covers the instructions of one function, or of one part of it.
type Frame struct{ Start, End uint64 }

// A common is what frames share: how their addresses are encoded.
type common struct{ encoding byte }

// Parse reads a whole section that will be at addr, up to an entry that it does
// not understand.
func Parse(data []byte, addr uint64) []Frame {
	commons := map[int]*common{}
	frames := make([]Frame, 0, len(data)/40)
	for pos := 0; pos+4 <= len(data); {
		length := uint64(binary.LittleEndian.Uint32(data[pos:]))
		if length == 0 {
			pos += 4 // the end of one input section
			continue
		}
		body := pos + 4
		if length < 4 || uint64(len(data)-body) < length { // so are entries of 64-bit length
			break
		}
		end := body + int(length)
		id := binary.LittleEndian.Uint32(data[body:])
		r := reader{data: data[:end], pos: body + 4, addr: addr}
		if id == 0 {
			commons[pos] = readCommon(&r)
		} else if c := commons[body-int(id)]; c != nil {
			start := r.pointer(c.encoding)
			if end := start + r.pointer(c.encoding&0x0f); end > start && !r.failed {
				frames = append(frames, Frame{start, end})
			}
		} else {
			break
		}
		if r.failed {
			break
		}
		pos = end
	}
	return frames
}

// readCommon makes the reader fail where it does not know what is said.
func readCommon(r *reader) *common {
	c := &common{}
	if version := r.u8(); version != 1 && version != 3 {
		r.failed = true
	}
	var augmentation []byte
	for b := r.u8(); b != 0; b = r.u8() {
		augmentation = append(augmentation, b)
	}
	r.uleb() // what addresses are multiples of
	r.sleb() // what offsets in the frame are multiples of
	r.uleb() // the return address's register
	for i, letter := range augmentation {
		switch {
		case letter == 'z' && i == 0:
			r.uleb()
		case letter == 'R':
			c.encoding = r.u8()
		case letter == 'P':
			r.pointer(r.u8())
		case letter == 'L':
			r.u8()
		case letter == 'S', letter == 'B': // a signal's trampoline, a key of signed pointers
		default:
			r.failed = true
		}
	}
	return c
}

type reader struct {
	data   []byte
	pos    int
	addr   uint64
	failed bool
}

func (r *reader) u8() byte {
	if r.pos >= len(r.data) {
		r.failed = true
		return 0
	}
	r.pos++
	return r.data[r.pos-1]
}

func (r *reader) fixed(n int) uint64 {
	if r.pos+n > len(r.data) {
		r.failed = true
		return 0
	}
	var word [8]byte
	r.pos += copy(word[:], r.data[r.pos:r.pos+n])
	return binary.LittleEndian.Uint64(word[:])
}

func (r *reader) uleb() uint64 {
	v, n := binary.Uvarint(r.data[r.pos:])
	if n <= 0 {
		r.failed = true
		return 0
	}
	r.pos += n
	return v
}

func (r *reader) sleb() int64 {
	v := int64(0)
	for shift := uint(0); shift < 64; shift += 7 {
		b := r.u8()
		v |= int64(b&0x7f) << shift
		if b < 0x80 {
			if b&0x40 != 0 && shift < 57 {
				v |= -1 << (shift + 7)
			}
			return v
		}
	}
	r.failed = true
	return 0
}

// pointer reads a DW_EH_PE encoded value.
func (r *reader) pointer(encoding byte) uint64 {
	if encoding == 0xff {
		return 0
	}
	at := r.addr + uint64(r.pos)
	v := uint64(0)
	switch encoding & 0x0f {
	case 0, 4, 0x0c:
		v = r.fixed(8)
	case 1:
		v = r.uleb()
	case 2:
		v = r.fixed(2)
	case 3:
		v = r.fixed(4)
	case 9:
		v = uint64(r.sleb())
	case 0x0a:
		v = uint64(int64(int16(r.fixed(2))))
	case 0x0b:
		v = uint64(int64(int32(r.fixed(4))))
	default:
		r.failed = true
	}
	switch encoding & 0x70 {
	case 0:
	case 0x10:
		v += at
	default:
		r.failed = true
	}
	return v
}
