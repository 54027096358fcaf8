package crossing

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/wherrygo/wherry/internal/crossing/abi"
	"github.com/wherrygo/wherry/internal/goruntime"
)

// What C and Go both know is the same.
func TestLayoutIsOfPackageABI(t *testing.T) {
	for _, m := range []*abi.Machine{abi.AMD64, abi.ARM64} {
		layout := Layout(m.Arch)
		for name, want := range map[string]int{"NO_CALLBACK": int(abi.NoCallback), "MAY_SWITCH": int(abi.MaySwitch),
			"BY_USER": int(abi.ByUser), "OWN_STACK": int(abi.OwnStack), "ALWAYS": int(abi.Always),
			"BINDING_FN": abi.BindingFn, "BINDING_STACK": abi.BindingStack, "BINDING_ERRNO": abi.BindingErrno, "BINDING_SLOW": abi.BindingSlow,
			"STACK_AREA": m.StackArea, "RETURN_ADDRESS": map[string]int{"amd64": 8, "arm64": 0}[m.Arch]} {
			if got, ok := layout[name]; !ok || got != int64(want) {
				t.Errorf("%s: %s is %d, want %d", m.Arch, name, got, want)
			}
		}
		for name := range layout {
			if got := Layout("")[name]; strings.HasPrefix(name, "REC_") && got != layout[name] {
				t.Errorf("%s depends on the architecture", name)
			}
		}
	}
}

// The functions that Go's unwinder must know assemble as in a build, for both architectures,
// and are there.
func TestFramesAssemble(t *testing.T) {
	goroot, err := exec.Command("go", "env", "GOROOT").Output()
	if err != nil {
		t.Fatal(err)
	}
	offsets := goruntime.Offsets{}
	for _, name := range goruntime.Names() {
		offsets[name] = 48
	}
	dir := t.TempDir()
	source, object := filepath.Join(dir, "a.s"), filepath.Join(dir, "a.o")
	if err := os.WriteFile(filepath.Join(dir, "go_asm.h"), []byte(offsets.Header("const_")), 0o666); err != nil {
		t.Fatal(err)
	}
	for _, goarch := range []string{"amd64", "arm64"} {
		text, err := Frames(goarch)
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(source, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
		for _, flags := range [][]string{nil, {"-shared"}, {"-D", "HOLDS"}} {
			args := append([]string{"tool", "asm", "-p", "p", "-I", dir, "-I", filepath.Join(strings.TrimSpace(string(goroot)), "pkg/include")},
				flags...)
			cmd := exec.Command("go", append(args, "-o", object, source)...)
			cmd.Env = append(os.Environ(), "GOOS=linux", "GOARCH="+goarch)
			if out, err := cmd.CombinedOutput(); err != nil {
				t.Errorf("%s %q: %v\n%s", goarch, flags, err, out)
				continue
			}
			made, err := os.ReadFile(object)
			if err != nil {
				t.Fatal(err)
			}
			changed := 0
			for i, b := range MarkCallbacks(made, goarch, 4) {
				if b != made[i] {
					changed++
				}
			}
			if changed != 2 {
				t.Errorf("%s %q: MarkCallbacks changed %d bytes, want one for each of two functions", goarch, flags, changed)
			}
			symbols, err := exec.Command("go", "tool", "nm", object).Output()
			if err != nil {
				t.Fatal(err)
			}
			for name, want := range map[string]bool{"_wherry_turned": true, "_wherry_callback": true, "_wherry_callback_first": true,
				"_wherry_getg": true, "_wherry_setg": true, "_wherry_c_thread": len(flags) > 1} {
				if strings.Contains(string(symbols), " T "+name+"\n") != want {
					t.Errorf("%s %q: %s is there: want %v, got\n%s", goarch, flags, name, want, symbols)
				}
			}
		}
	}
	if _, err := Frames("riscv64"); err == nil {
		t.Error("riscv64 has no frames, and no error")
	}
}
