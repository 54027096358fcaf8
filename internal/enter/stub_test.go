package enter

import (
	"regexp"
	"strings"
	"testing"

	"github.com/wherrygo/wherry/internal/rt"
)

var offsets = rt.Offsets{GM: 1001, GSchedSP: 1002, GThrowSplit: 1003, MG0: 1004, MVdsoPC: 1005, MVdsoSP: 1006, GStackGuard: 1007,
	GLockedM: 1008, MLockedG: 1009, MLockedInt: 1010, MLockedExt: 1011, GDefer: 1012, DHeap: 1013, DSP: 1014, DFn: 1015, DLink: 1016}

// leftover is what must not be in a finished text: a name or a comment.
var leftover = regexp.MustCompile(`\b(STUB|TARGET|GOFUNC|GLOBAL|YIELD|REFILL|NAME|ORDER|SIZED|CHECK|ARGS|FRAME|REGISTERS|PAIR|APART|GUARD|GUARDED|TIMED|DEMOTED|BY_CGO|WRAPPER|RECORD|SLOT|FUNCTION|PACKAGE|DEFER_BELOW|(G|M|D|REC|THREAD|GUARD|TIMED)_[A-Z0-9_]+)\b|# `)

// Every name is replaced, every offset is used, and only the arguments that a
// function has are moved. That the code works is shown in tests.
func TestAssembly(t *testing.T) {
	for _, goarch := range []string{"amd64", "arm64"} {
		for n := range MaxIntegers(goarch) + 1 {
			direct := Stub{Symbol: "_stub", Target: "_target", Integers: n, Yield: "_yield"}
			reentrant := direct
			reentrant.Reentrant = &Reentrant{Refill: "_refill", Name: "name"}
			guarded := direct
			guarded.Guard = &Guard{Demoted: "_demoted", ByCgo: "_by_cgo", Wrapper: "_wrapper", Name: "name", Package: "example.com/p"}
			into := `%r(di|si|dx|cx|8|9)`
			check(t, goarch, n, into, direct.Assembly, "_stub:", ".globl _stub", "_target", "_yield", "1001", "1002", "1003", "1004", "1005", "1006", "1007", "ret")
			check(t, goarch, n, into, reentrant.Assembly, "_stub:", "_target", "_yield", "_refill", `"name"`, "1001", "1005", "1006", "1007", "1012", "ret")
			sized := reentrant
			sized.Reentrant = &Reentrant{Refill: "_refill", Name: "name", Order: 20}
			check(t, goarch, n, into, sized.Assembly, map[string]string{"amd64": "cmpq $20, 80(%r12)", "arm64": "cmp x9, #20"}[goarch])
			both := func(goarch string, offsets rt.Offsets) ([]string, error) { return guarded.Assembly(goarch, offsets) }
			check(t, goarch, -1, "", both, "_stub:", "_stub_timed:", "_stub_guard:", "_target", "_yield", "_demoted", "_by_cgo:", "_wrapper", "_wherry_guard_cgo", "_wherry_guard_timed", "_wherry_guard_slots", `"name"`, `"example.com/p"`, "1001", "ret")
			if lines, _ := both(goarch, offsets); strings.Count(strings.Join(lines, "\n"), "1007") != 1 {
				t.Errorf("%s: a guarded stub and its timed twin must check for a yield once, before the thread's counter changes", goarch)
			}
			callback := Callback{Symbol: "_stub", Target: "_gofunc", Integers: n}
			check(t, goarch, n, `%r(ax|bx|cx|di|si|8)`, callback.Assembly, "_stub:", "_gofunc", "_wherry_callback", "1001", "1006", "1008", "1009", "1010", "1012")
		}
		check(t, goarch, -1, "", Timed, "_wherry_guard_timed:", "_wherry_guard_begin", "_wherry_guard_end", "ret")
		shared := func(goarch string, offsets rt.Offsets) ([]string, error) { return Shared(goarch, offsets) }
		check(t, goarch, -1, "", shared, "_wherry_crosscall:", ".weak _wherry_crosscall", "_wherry_crosscall_slow", "_wherry_return:", "_wherry_settle:", "_wherry_abandon:",
			"1001", "1002", "1004", "1005", "1006", "1008", "1009", "1010", "1011", "1012", "1016")
		check(t, goarch, -1, "", SharedGo, "TEXT _wherry_callback(SB)", "TEXT _wherry_callback_first(SB)", "_wherry_return", "1012", "1013", "1014", "1015", "1016")
	}
}

// check looks at a finished text. moves is a pattern for the registers into
// which amd64 code moves arguments, and n how many they are.
func check(t *testing.T, goarch string, n int, moves string, assemble func(string, rt.Offsets) ([]string, error), wants ...string) {
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
	argument := `%r(di|si|dx|cx|8|9|ax|bx)`
	found := regexp.MustCompile(`movq `+argument+`, `+moves+`\b`).FindAllString(text, -1)
	if goarch == "amd64" && n >= 0 && len(found) != n {
		t.Errorf("amd64, %d arguments: got the moves %q", n, found)
	}
}

// The profiler's two words are stored at once where they are neighbours.
func TestPair(t *testing.T) {
	stub := Stub{Symbol: "_stub", Target: "_target", Reentrant: &Reentrant{}}
	for pc, want := range map[int64]string{1014: "movups", 1030: "movq %rdx, 1030(%r13)"} {
		neighbours := offsets
		neighbours.MVdsoPC, neighbours.MVdsoSP = pc, 1006
		lines, err := stub.Assembly("amd64", neighbours)
		if text := strings.Join(lines, "\n"); err != nil || strings.Contains(text, "movups") != (want == "movups") || !strings.Contains(text, want) {
			t.Errorf("vdsoPC at %d, vdsoSP at 1006: want %q, got %v\n%s", pc, want, err, text)
		}
	}
}

func TestAssemblyRefuses(t *testing.T) {
	if _, err := (Stub{Symbol: "_stub", Target: "_target", Integers: 7}).Assembly("amd64", offsets); err == nil || !strings.Contains(err.Error(), "want at most 6") {
		t.Errorf("7 integer arguments: got %v", err)
	}
	if _, err := (Stub{Symbol: "_stub", Target: "_target", Integers: 1}).Assembly("riscv64", offsets); err == nil {
		t.Error("riscv64 has no direct call, and no error")
	}
	if _, err := SharedGo("riscv64", offsets); err == nil {
		t.Error("riscv64 has no callback, and no error")
	}
}
