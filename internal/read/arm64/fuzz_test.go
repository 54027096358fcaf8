package arm64

import (
	"testing"

	"github.com/wherrygo/wherry/internal/read/machine"
)

// FuzzDecode reads any bytes: within them, without a panic, and the same when
// it is asked again.
func FuzzDecode(f *testing.F) {
	f.Add([]byte{0xfd, 0x7b, 0xbf, 0xa9, 0xc0, 0x03, 0x5f, 0xd6}) // stp x29, x30, [sp, #-16]!; ret
	f.Add([]byte{0x00, 0x00, 0x80, 0xd2, 0x00, 0x00, 0x00, 0x94}) // mov x0, #0; bl
	f.Add([]byte{0x20, 0x0c, 0x40, 0xf9, 0x00, 0x00, 0x1f, 0xd6}) // ldr x0, [x1, #24]; br x0
	f.Fuzz(func(t *testing.T, code []byte) {
		var inst, again machine.Inst
		if !(Arch{}).Decode(code, 0x1000, &inst) {
			return
		}
		if inst.Len != 4 || len(code) < 4 {
			t.Fatalf("% x: %d bytes long", code, inst.Len)
		}
		if inst.Dst != machine.NoReg && int(inst.Dst) >= (Arch{}).Registers() || inst.Src != machine.NoReg &&
			int(inst.Src) >= (Arch{}).Registers() {
			t.Fatalf("% x: no such register: %+v", code, inst)
		}
		if !(Arch{}).Decode(code[:inst.Len], 0x1000, &again) || again != inst {
			t.Fatalf("% x: %+v, alone %+v", code, inst, again)
		}
	})
}
