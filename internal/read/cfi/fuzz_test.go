package cfi

import (
	"debug/elf"
	"testing"
)

// FuzzParse reads any bytes as unwind tables: frames are not empty.
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
	f.Fuzz(func(t *testing.T, data []byte, addr uint64) {
		frames := Parse(data, addr)
		if len(frames) > len(data) {
			t.Fatalf("%d frames of %d bytes", len(frames), len(data))
		}
		for i := range frames[:min(len(frames), 50)] {
			if frames[i].End <= frames[i].Start {
				t.Fatalf("frame %+v is empty", frames[i])
			}
		}
	})
}
