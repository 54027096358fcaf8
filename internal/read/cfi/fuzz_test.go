package cfi

import (
	"debug/elf"
	"testing"
)

// FuzzParse reads any bytes as unwind tables: frames are not empty, their rows
// are in order and not without end.
func FuzzParse(f *testing.F) {
	for _, name := range []string{"/lib/x86_64-linux-gnu/libz.so.1", "/usr/aarch64-linux-gnu/lib/libdl.so.2"} {
		if file, err := elf.Open(name); err == nil {
			if s := file.Section(".eh_frame"); s != nil {
				if data, err := s.Data(); err == nil {
					f.Add(data[:min(len(data), 2000)], s.Addr)
				}
			}
			file.Close()
		}
	}
	f.Add([]byte("\x14\x00\x00\x00\x00\x00\x00\x00\x01zR\x00\x01\x78\x10\x01\x1b\x0c\x07\x08\x90\x01\x00\x00"), uint64(0x1000))
	// A frame whose program advances by 1 and by 0.
	f.Add([]byte("\x14\x00\x00\x00\x00\x00\x00\x00\x01zR\x00\x01\x78\x10\x01\x1b\x0c\x07\x08\x90\x01\x00\x00"+
		"\x14\x00\x00\x00\x1c\x00\x00\x00\x00\x10\x00\x00\x20\x00\x00\x00\x00\x41\x0e\x10\x40\x0e\x18\x00"), uint64(0x1000))
	f.Fuzz(func(t *testing.T, data []byte, addr uint64) {
		frames := Parse(data, addr)
		if len(frames) > len(data) {
			t.Fatalf("%d frames of %d bytes", len(frames), len(data))
		}
		for i := range frames[:min(len(frames), 50)] {
			if frames[i].End <= frames[i].Start {
				t.Fatalf("frame %+v is empty", frames[i])
			}
			rows, ok := frames[i].Rows()
			if len(rows) > maxRows+1 || ok && (len(rows) == 0 || rows[0].Addr != frames[i].Start) {
				t.Fatalf("%d rows: %+v", len(rows), rows[:min(len(rows), 3)])
			}
			for k := range max(0, len(rows)-1) {
				if rows[k].Addr >= rows[k+1].Addr {
					t.Fatalf("frame %+v: rows %+v and %+v are not in order", frames[i], rows[k], rows[k+1])
				}
			}
		}
	})
}
