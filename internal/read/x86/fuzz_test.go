package x86

import (
	"bytes"
	"testing"

	"github.com/wherrygo/wherry/internal/read/machine"
)

// FuzzDecode reads any bytes: within them, without a panic, and the same when
// it is asked again.
func FuzzDecode(f *testing.F) {
	f.Add([]byte{0x0f, 0x1f, 0x84, 0x00, 0x00, 0x00, 0x00, 0x00})
	f.Add([]byte{0x62, 0xf1, 0x7c, 0x48, 0x58, 0xc1, 0xc3, 0x90})
	f.Add([]byte{0x48, 0x8b, 0x44, 0x8f, 0x10, 0xc3})
	f.Add([]byte{0xe8, 0x00, 0x00, 0x00, 0x00, 0xff, 0xe0})
	f.Add(append(bytes.Repeat([]byte{0x66}, 15), 0x90)) // longer than an instruction may be
	f.Fuzz(func(t *testing.T, code []byte) {
		var inst, again machine.Inst
		if !(Arch{}).Decode(code, 0x1000, &inst) {
			return
		}
		if inst.Len == 0 || int(inst.Len) > len(code) || inst.Len > 15 {
			t.Fatalf("% x: %d bytes long", code, inst.Len)
		}
		if inst.Dst != machine.NoReg && int(inst.Dst) >= (Arch{}).Registers() || inst.Src != machine.NoReg &&
			int(inst.Src) >= (Arch{}).Registers() {
			t.Fatalf("% x: no such register: %+v", code, inst)
		}
		if !(Arch{}).Decode(code[:inst.Len], 0x1000, &again) || again != inst {
			t.Fatalf("% x: %+v, alone %+v", code, inst, again)
		}
		if longer := append(bytes.Clone(code[:inst.Len]), bytes.Repeat([]byte{0x90}, maxLen)...); !(Arch{}).Decode(longer, 0x1000, &again) ||
			again != inst {
			t.Fatalf("% x: %+v, before others %+v", code, inst, again)
		}
	})
}
