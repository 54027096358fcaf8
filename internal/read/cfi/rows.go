package cfi

// A Row says where the caller's frame is, from an instruction on: Offset
// bytes above register Reg. Known is false where an expression says it.
type Row struct {
	Addr   uint64
	Reg    uint64
	Offset int64
	Known  bool
}

// maxRows bounds what a hostile section can make of a few bytes.
const maxRows = 1 << 16

// Rows runs a frame's program. It reports false where the program is
// malformed or uses what is not known here.
func (f *Frame) Rows() ([]Row, bool) {
	m := unwinder{frame: f, row: Row{Addr: f.Start}}
	if !m.run(f.common.program, false) || !m.run(f.program, true) {
		return nil, false
	}
	m.emit()
	return m.rows, true
}

type unwinder struct {
	frame *Frame
	row   Row
	stack []Row
	rows  []Row
}

func (m *unwinder) emit() {
	if n := len(m.rows); n > 0 && m.rows[n-1].Addr == m.row.Addr {
		m.rows[n-1] = m.row
		return
	}
	m.rows = append(m.rows, m.row)
}

func (m *unwinder) run(program []byte, own bool) bool {
	r := reader{data: program}
	advance := func(delta uint64) {
		if own {
			m.emit()
		}
		// Within the frame, so that rows stay in order whatever the section says.
		align, size := m.frame.common.codeAlign, m.frame.End-m.row.Addr
		if !own && delta > 0 || align > 0 && delta > size/align {
			r.failed = true
			return
		}
		m.row.Addr += delta * align
	}
	align := m.frame.common.dataAlign
	for r.pos < len(program) && !r.failed && len(m.rows) < maxRows {
		b := r.u8()
		switch b & 0xc0 {
		case 0x40:
			advance(uint64(b & 0x3f))
			continue
		case 0x80:
			r.uleb()
			continue
		case 0xc0:
			continue
		}
		switch b {
		case 0x00, 0x2d, 0x2f: // nop, window save and the like
		case 0x0a:
			m.stack = append(m.stack, m.row)
		case 0x0b:
			n := len(m.stack)
			if n == 0 {
				return false
			}
			addr := m.row.Addr
			m.row = m.stack[n-1]
			m.row.Addr = addr
			m.stack = m.stack[:n-1]
		case 0x02:
			advance(r.fixed(1))
		case 0x03:
			advance(r.fixed(2))
		case 0x04:
			advance(r.fixed(4))
		case 0x05, 0x09, 0x14, 0x11, 0x15: // two numbers, signed or not
			r.uleb()
			r.uleb()
		case 0x06, 0x07, 0x08, 0x2e:
			r.uleb()
		case 0x0c:
			m.row.Reg, m.row.Offset, m.row.Known = r.uleb(), int64(r.uleb()), true
		case 0x0d:
			m.row.Reg = r.uleb()
		case 0x0e:
			m.row.Offset = int64(r.uleb())
		case 0x0f:
			r.skip(r.uleb())
			m.row.Known = false
		case 0x10, 0x16:
			r.uleb()
			r.skip(r.uleb())
		case 0x12:
			m.row.Reg, m.row.Offset, m.row.Known = r.uleb(), r.sleb()*align, true
		case 0x13:
			m.row.Offset = r.sleb() * align
		default: // set_loc too, which compilers do not write
			return false
		}
	}
	return !r.failed
}
