package accel

import (
	"slices"
	"strings"
	"testing"
)

func TestOwnFlags(t *testing.T) {
	for flags, want := range map[string]string{
		"-O2 -g":                               "",
		"--target=aarch64-linux-gnu -target x": "--target=aarch64-linux-gnu -target x",
		"-mcpu=native -mllvm -inline -finline": "-mcpu=native -mllvm -inline",
		"-Wall -Werror -pedantic-errors -DSTUB=1 -D STUB -Usmall -include a.h -imacros b.h -x c++ -std=c89": "",
		"--define-macro STUB=1 --include a.h -Xclang -fno-x -Wp,-DSTUB -save-temps -MD -MF file -o file":    "",
		"-fcall-used-rbx -ffixed-r12 -fshort-enums -fsplit-stack -femulated-tls -masm=intel -mfentry -pg":   "",
		"--sysroot /a --sysroot=/b -isystem /c -I/d -I /e -B /f -nostdinc": "--sysroot /a --sysroot=/b -isystem /c -idirafter /d " +
			"-idirafter /e -B /f -nostdinc",
		"-fcf-protection=full -fstack-protector-all -m64 -DWHERRY_NEAR=1 -D": "-fcf-protection=full -fstack-protector-all -m64 -DWHERRY_NEAR=1",
	} {
		if got := OwnFlags(strings.Fields(flags)); !slices.Equal(got, strings.Fields(want)) {
			t.Errorf("%s: got %q, want %s", flags, got, want)
		}
	}
}
