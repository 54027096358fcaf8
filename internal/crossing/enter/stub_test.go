package enter

import (
	"debug/elf"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"testing"

	"github.com/wherrygo/wherry/internal/crossing"
	"github.com/wherrygo/wherry/internal/crossing/abi"
	"github.com/wherrygo/wherry/internal/goruntime"
)

// numbers are 1008, 1016 and so on: no other number in the assembly is so large.
var numbers = func() goruntime.Offsets {
	offsets := goruntime.Offsets{}
	for i, name := range goruntime.Names() {
		offsets[name] = int64(1008 + 8*i)
	}
	return offsets
}()

// of returns an offset as the assembly has it.
var offsets = Numbers(numbers)

func of(name string) string { return fmt.Sprint(numbers[name]) }

// leftover is what must not be in a finished text: a name or a comment.
var leftover = regexp.MustCompile(`\b(STUB|TARGET|GOFUNC|GLOBAL|YIELD|START|NAME|` +
	`PACKAGE|FLAGS|ORDER|TURNS|VIA|AS_CGO|OFF|IN_FLIGHT|TURNED_FRAME|` +
	`DEFER_BELOW|CHECK|SHORT|OPEN|ARGS|FRAME|REGISTERS|PAIR|APART|(G|M|D|REC|THREAD|CALL)_[A-Z0-9_]+)\b|# `)

var architectures = []string{"amd64", "arm64"}

// stubs are calls of all kinds, of functions with so many arguments.
func stubs(n int) map[string]Stub {
	open := Stub{Symbol: "_stub", Target: "_target", Integers: n, Yield: "_yield", Name: "name", Package: "example.com/p",
		Order: 20, Promised: "a line"}
	short, shared, onStack, frame, counted, via := open, open, open, open, open, open
	via.Via = "_via"
	short.Flags = abi.Always | abi.NoCallback
	shared.Shared = true
	onStack.OnStack, onStack.Flags = true, abi.ByUser
	frame.Yield = ""
	counted.Turns = "_turns"
	return map[string]Stub{"open": open, "short": short, "shared": shared, "on a C stack": onStack, "frame": frame, "counted": counted,
		"through cgo": via}
}

// Every name is replaced, every offset is used, and only the arguments that a
// function has are moved. That the code works is shown in tests.
func TestAssembly(t *testing.T) {
	call := []string{"_stub:", "_target", `"name"`, `"example.com/p\000a line"`, "_wherry_turned_exit", "wherry_text", "wherry_calls",
		of("G_M"), of("M_VDSOPC"), of("M_VDSOSP"), of("G_THROWSPLIT"), of("M_G0"), of("G_SCHED_SP"), "ret"}
	type words struct{ wants, nots []string }
	for _, goarch := range architectures {
		loaded, short, off, immediate := "call *8(%rbx)", "call *_stub_call+8(%rip)", ".quad 7b", "$"
		if goarch == "arm64" {
			loaded, short, off, immediate = "[x22, #8]", "[x22, #8]", ".quad _wherry_turn_first", "#"
		}
		for n := range MaxIntegers(goarch) + 1 {
			for kind, want := range map[string]words{
				"open": {[]string{loaded, "_yield", of("G_STACKGUARD0"), ".globl _stub", ".quad 1b, _target, _target, 8f, 9f", ".long 0, 20",
					".quad 0", ".quad _wherry_turn_first", immediate + fmt.Sprint(crossing.InFlight)}, []string{"_wherry_on_stack"}},
				"short": {[]string{short, off, "_wherry_turn_first", "_yield", fmt.Sprintf(".long %d, 20", abi.Always|abi.NoCallback)},
					[]string{"_wherry_by_cgo"}},
				"through cgo": {[]string{".quad 0, _via", ".quad _wherry_by_cgo"}, []string{"_wherry_turn_first"}},
				"shared":      {[]string{".weak _stub", ".weak _stub_call"}, []string{".globl"}},
				"on a C stack": {[]string{loaded, ".quad 1b, _wherry_on_stack, _target, 8f, 9f", fmt.Sprintf(".long %d, 20", abi.ByUser)},
					nil},
				"frame":   {[]string{loaded}, []string{"_yield", of("G_STACKGUARD0")}},
				"counted": {[]string{".quad _turns"}, nil},
			} {
				check(t, goarch, n, `%r(di|si|dx|cx|8|9)`, stubs(n)[kind].Assembly, append(want.wants, call...), want.nots)
			}
			callback := Callback{Symbol: "_stub", Target: "_gofunc", Integers: n}
			check(t, goarch, n, `%r(ax|bx|cx|di|si|8)`, callback.Assembly,
				[]string{"_stub:", "_gofunc", "_wherry_callback", "_wherry_callback_first", "_wherry_turned_callback",
					of("G_M"), of("G_THROWSPLIT"), of("M_VDSOSP"), of("G_LOCKEDM"), of("M_LOCKEDG"), of("M_LOCKEDINT"), of("G_DEFER")},
				[]string{"_wherry_crosscall"})
		}
		lending := func(goarch string, offsets Offsets) ([]string, error) { return Shared(goarch, offsets, true) }
		check(t, goarch, -1, "", lending, []string{"_wherry_lend_begin:", "_wherry_lend_enter:", "_wherry_lend_end:",
			"_wherry_yields_later:", "_wherry_crosscall:", ".weak _wherry_crosscall", "_wherry_crosscall_slow", "_wherry_return:",
			"_wherry_settle:", "_wherry_abandon:",
			"_wherry_on_stack:", "_wherry_turn_enter:", "_wherry_turn_parked:", "_wherry_turned_exit:", "_wherry_turned_left:", "_wherry_unturn:",
			"_wherry_turned_callback:", "_wherry_turn_first:", "_wherry_blocks:",
			of("G_M"), of("G_SCHED_SP"), of("M_G0"), of("M_VDSOPC"), of("M_VDSOSP"), of("G_LOCKEDM"), of("M_LOCKEDG"), of("M_LOCKEDINT"),
			of("M_LOCKEDEXT"), of("G_DEFER"), of("D_LINK")}, []string{"GOFUNC"})
	}
}

// check looks at a finished text. moves is a pattern for the registers into
// which amd64 code moves arguments, and n how many they are.
func check(t *testing.T, goarch string, n int, moves string, assemble func(string, Offsets) ([]string, error), wants, nots []string) {
	t.Helper()
	lines, err := assemble(goarch, offsets)
	if err != nil {
		t.Fatal(err)
	}
	text := strings.Join(lines, "\n")
	if found := leftover.FindString(text); found != "" {
		t.Errorf("%s, %d arguments: %q is left in\n%s", goarch, n, found, text)
	}
	for _, want := range wants {
		if !strings.Contains(text, want) {
			t.Errorf("%s, %d arguments: no %q in\n%s", goarch, n, want, text)
		}
	}
	for _, not := range nots {
		if strings.Contains(text, not) {
			t.Errorf("%s, %d arguments: %q in\n%s", goarch, n, not, text)
		}
	}
	argument := `%r(di|si|dx|cx|8|9|ax|bx)`
	found := regexp.MustCompile(`movq `+argument+`, `+moves+`\b`).FindAllString(text, -1)
	if goarch == "amd64" && n >= 0 && len(found) != n {
		t.Errorf("amd64, %d arguments: got the moves %q", n, found)
	}
}

// The profiler's two words are stored at once where they are neighbours.
func TestPair(t *testing.T) {
	for pc, want := range map[int64]string{2008: "movups", 2024: "movq %rdx, 2024(%r13)"} {
		neighbours := maps.Clone(numbers)
		neighbours["M_VDSOPC"], neighbours["M_VDSOSP"] = pc, 2000
		lines, err := Shared("amd64", Numbers(neighbours), true)
		text := strings.Join(lines, "\n")
		_, text, ok := strings.Cut(text, "\n_wherry_return:\n")
		text, _, _ = strings.Cut(text, "\n\t.size _wherry_return")
		if err != nil || !ok || strings.Contains(text, "movups") != (want == "movups") || !strings.Contains(text, want) {
			t.Errorf("vdsoPC at %d, vdsoSP at 2000: want %q, got %v\n%s", pc, want, err, text)
		}
	}
}

func TestAssemblyRefuses(t *testing.T) {
	if _, err := (Stub{Symbol: "_stub", Target: "_target", Integers: 7}).Assembly("amd64", offsets); err == nil ||
		!strings.Contains(err.Error(), "want at most 6") {
		t.Errorf("7 integer arguments: got %v", err)
	}
	if _, err := (Stub{Symbol: "_stub", Target: "_target", Integers: 1}).Assembly("riscv64", offsets); err == nil {
		t.Error("riscv64 has no fast call, and no error")
	}
	if _, err := Shared("riscv64", offsets, true); err == nil {
		t.Error("riscv64 has no C stacks, and no error")
	}
}

// Everything assembles, with the assemblers of both architectures, and each call
// has data of the size that layout.h says.
func TestAssembles(t *testing.T) {
	for _, goarch := range architectures {
		t.Run(goarch, func(t *testing.T) {
			for _, cc := range [][]string{{map[string]string{"amd64": "x86_64-linux-gnu-gcc", "arm64": "aarch64-linux-gnu-gcc"}[goarch]},
				{"clang", map[string]string{"amd64": "--target=x86_64-linux-gnu", "arm64": "--target=aarch64-linux-gnu"}[goarch]}} {
				t.Run(cc[0], func(t *testing.T) {
					if goarch == runtime.GOARCH && cc[0] != "clang" {
						cc[0] = "gcc"
					}
					if _, err := exec.LookPath(cc[0]); err != nil {
						t.Skipf("%s is not installed", cc[0])
					}
					assembleGNU(t, goarch, cc)
				})
			}
		})
	}
}

func assembleGNU(t *testing.T, goarch string, cc []string) {
	var lines []string
	calls := int64(0)
	add := func(more []string, err error) {
		if err != nil {
			t.Fatal(err)
		}
		lines = append(lines, more...)
	}
	for n := range MaxIntegers(goarch) + 1 {
		for kind, stub := range stubs(n) {
			stub.Symbol = fmt.Sprintf("_stub_%d_%s", n, strings.ReplaceAll(kind, " ", ""))
			add(stub.Assembly(goarch, offsets))
			calls++
		}
		add(Callback{Symbol: fmt.Sprintf("_callback_%d", n), Target: "_gofunc", Integers: n}.Assembly(goarch, offsets))
	}
	add(Shared(goarch, offsets, true))
	dir := t.TempDir()
	source, object := filepath.Join(dir, "a.s"), filepath.Join(dir, "a.o")
	if err := os.WriteFile(source, []byte(strings.Join(lines, "\n")+"\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	args := append(cc[1:], "-c", "-Wa,--fatal-warnings", "-o", object, source)
	if out, err := exec.Command(cc[0], args...).CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	file, err := elf.Open(object)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	want := calls * crossing.Layout(goarch)["CALL_SIZE"]
	if s := file.Section("wherry_calls"); s == nil || int64(s.Size) != want || s.Addralign != 64 {
		t.Errorf("the data of %d calls: got %+v, want %d bytes, aligned to 64", calls, s, want)
	}
}
