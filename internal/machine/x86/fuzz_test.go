package x86

import (
	"testing"

	"github.com/wherrygo/wherry/internal/machine"
)

// FuzzDecode reads any bytes: within them, without a panic, and the same when
// it is asked again.
func FuzzDecode(f *testing.F) {
	f.Add([]byte{0x0f, 0x1f, 0x84, 0x00, 0x00, 0x00, 0x00, 0x00})
	f.Add([]byte{0x62, 0xf1, 0x7c, 0x48, 0x58, 0xc1, 0xc3, 0x90})
	f.Add([]byte{0xfd, 0x7b, 0xbf, 0xa9, 0xc0, 0x03, 0x5f, 0xd6})
	f.Fuzz(func(t *testing.T, code []byte) {
		var inst, again machine.Inst
		if !(Arch{}).Decode(code, 0x1000, &inst) {
			return
		}
		if inst.Len == 0 || int(inst.Len) > len(code) || inst.Len > 15 {
			t.Fatalf("% x: %d bytes long", code, inst.Len)
		}
		if inst.Dst != machine.NoReg && int(inst.Dst) >= (Arch{}).Registers() || inst.Src != machine.NoReg && int(inst.Src) >= (Arch{}).Registers() {
			t.Fatalf("% x: no such register: %+v", code, inst)
		}
		if !(Arch{}).Decode(code[:inst.Len], 0x1000, &again) || again != inst {
			t.Fatalf("% x: %+v, alone %+v", code, inst, again)
		}
	})
}
