package enter

import (
	"regexp"
	"strings"
	"testing"

	"github.com/wherrygo/wherry/internal/rt"
)

var offsets = rt.Offsets{GM: 1001, GSchedSP: 1002, GThrowSplit: 1003, MG0: 1004, MVdsoPC: 1005, MVdsoSP: 1006, GStackGuard: 1007}

// Every name is replaced, every offset is used, and only the arguments that a
// function has are moved. That the code works is shown in tests.
func TestAssembly(t *testing.T) {
	leftover := regexp.MustCompile(`\b(STUB|TARGET|YIELD|CHECK|ARGS|[GM]_[A-Z0-9_]+)\b|# `)
	for _, goarch := range []string{"amd64", "arm64"} {
		for n := range MaxIntegers(goarch) + 1 {
			lines, err := Stub{"_stub", "_target", n, "_yield"}.Assembly(goarch, offsets)
			if err != nil {
				t.Fatal(err)
			}
			text := strings.Join(lines, "\n")
			if found := leftover.FindString(text); found != "" {
				t.Errorf("%s, %d arguments: %q is left in\n%s", goarch, n, found, text)
			}
			for _, want := range []string{"_stub:", "_target", "1001", "1002", "1003", "1004", "1005", "1006", "1007", "_yield", "ret"} {
				if !strings.Contains(text, want) {
					t.Errorf("%s, %d arguments: no %q in\n%s", goarch, n, want, text)
				}
			}
			moves := regexp.MustCompile(`movq %r\w+, %r(di|si|dx|cx|8|9)\b`).FindAllString(text, -1)
			if goarch == "amd64" && len(moves) != n {
				t.Errorf("amd64, %d arguments: got the moves %q", n, moves)
			}
		}
	}
}

func TestAssemblyRefuses(t *testing.T) {
	if _, err := (Stub{"_stub", "_target", 7, ""}).Assembly("amd64", offsets); err == nil || !strings.Contains(err.Error(), "want at most 6") {
		t.Errorf("7 integer arguments: got %v", err)
	}
	if _, err := (Stub{"_stub", "_target", 1, ""}).Assembly("riscv64", offsets); err == nil {
		t.Error("riscv64 has no direct call, and no error")
	}
}
