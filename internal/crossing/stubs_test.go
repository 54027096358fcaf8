package crossing

import (
	"debug/elf"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/wherrygo/wherry/internal/crossing/abi"
)

// stubs are calls of all kinds, of functions with so many arguments.
func stubs(n int) (list []Stub) {
	for i, change := range []func(*Stub){
		func(*Stub) {},
		func(s *Stub) { s.Flags = abi.Always | abi.NoCallback },
		func(s *Stub) { s.Flags, s.Via = abi.Always, "_via" },
		func(s *Stub) { s.OnStack, s.Flags = true, abi.ByUser },
		func(s *Stub) { s.Yield = "" },
		func(s *Stub) { s.Turns = "_turns" },
		func(s *Stub) { s.Via = "_via" },
		func(s *Stub) { s.Two = true },
	} {
		s := Stub{Symbol: fmt.Sprintf("_stub_%d_%d", n, i), Target: "_target", Integers: n, Yield: "_yield", Name: "name",
			Package: "example.com/p", Order: 20, Promised: `a "line" \ of text`}
		change(&s)
		list = append(list, s)
	}
	return list
}

// Everything assembles, with the assemblers of both architectures, and each call has data of
// the size that layout.h says.
func TestAssembles(t *testing.T) {
	for _, goarch := range []string{"amd64", "arm64"} {
		for _, cc := range [][]string{{map[string]string{"amd64": "x86_64-linux-gnu-gcc", "arm64": "aarch64-linux-gnu-gcc"}[goarch]},
			{"clang", map[string]string{"amd64": "--target=x86_64-linux-gnu", "arm64": "--target=aarch64-linux-gnu"}[goarch]}} {
			t.Run(goarch+"/"+cc[0], func(t *testing.T) {
				if goarch == runtime.GOARCH && cc[0] != "clang" {
					cc[0] = "gcc"
				}
				if _, err := exec.LookPath(cc[0]); err != nil {
					t.Skipf("%s is not installed", cc[0])
				}
				for _, static := range []bool{false, true} {
					assemble(t, Target{GOARCH: goarch, Offsets: spread(), Wraps: true, Static: static}, cc)
				}
			})
		}
	}
}

func assemble(t *testing.T, target Target, cc []string) {
	var calls []Stub
	var callbacks []Callback
	for n := range MaxIntegers(target.GOARCH) + 1 {
		calls = append(calls, stubs(n)...)
		callbacks = append(callbacks, Callback{fmt.Sprintf("_callback_%d", n), "_gofunc", "_slow", n})
	}
	files, err := target.Files()
	if err != nil {
		t.Fatal(err)
	}
	callbacks = append(callbacks, Callback{"linux", "_gofunc", "_slow", 0}, Callback{"RESULTS", "_gofunc", "_slow", 0})
	files["stubs.S"] = Stubs(calls, callbacks)
	dir := t.TempDir()
	for name, text := range files {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	for name, want := range map[string]struct {
		calls   int
		symbols string
	}{
		"stubs.S": {len(calls), "_stub_0_0 _stub_6_7_call _callback_6 linux RESULTS"},
		Assembly: {1, "_wherry_callback_frame _wherry_closure1 _wherry_return _wherry_on_stack _wherry_turn_enter _wherry_blocks " +
			"_wherry_bound2_enter"},
	} {
		object := filepath.Join(dir, "a.o")
		args := append(append(cc[1:], target.Flags()...), "-c", "-Wa,--fatal-warnings", "-o", object, filepath.Join(dir, name))
		if out, err := exec.Command(cc[0], args...).CombinedOutput(); err != nil {
			t.Fatalf("%v\n%s", err, out)
		}
		file, err := elf.Open(object)
		if err != nil {
			t.Fatal(err)
		}
		defer file.Close()
		size := uint64(want.calls) * uint64(Layout(target.GOARCH)["CALL_SIZE"])
		if s := file.Section("wherry_calls"); s == nil || s.Size != size || s.Addralign != 64 {
			t.Errorf("%s: the data of %d calls: got %+v, want %d bytes, aligned to 64", name, want.calls, s, size)
		}
		symbols, err := file.Symbols()
		if err != nil {
			t.Fatal(err)
		}
		defined := map[string]bool{}
		for _, s := range symbols {
			defined[s.Name] = s.Section != elf.SHN_UNDEF
		}
		for _, symbol := range strings.Fields(want.symbols) {
			if !defined[symbol] {
				t.Errorf("%s: %s is not there", name, symbol)
			}
		}
		if got := defined["_wherry_hold_begin"]; name == Assembly && got != target.Holds() {
			t.Errorf("%s: C threads hold their P: got %v, want %v", name, got, target.Holds())
		}
	}
}
