package measure

import (
	"bytes"
	"slices"
	"strings"
	"testing"
)

func fakeProgram(t *testing.T, name string) Target {
	target := fake(t, name)
	target.Program = true
	return target
}

func TestProgram(t *testing.T) {
	target := fakeProgram(t, "program")
	var raw bytes.Buffer
	_, p := compare(t, target, Options{Count: 2, Raw: &raw})
	if len(p.Benchmarks) != 2 || p.Benchmarks[0].Name != ProcessWall || p.Benchmarks[1].Name != ProcessUser {
		t.Fatalf("got %+v, want wall and user time", p.Benchmarks)
	}
	for _, b := range p.Benchmarks {
		if b.CgoNS <= 0 || b.NS <= 0 || len(b.Samples.Cgo) != 2 {
			t.Errorf("got %+v, want times of two rounds", b)
		}
	}
	if len(p.Warnings) != 0 || p.Procs != 0 {
		t.Errorf("got warnings %q and procs %d, want none", p.Warnings, p.Procs)
	}
	// Two unmeasured runs come first.
	if got := calls(t, target); len(got) != 6 {
		t.Errorf("got calls %q, want 2 + 4", got)
	}
	if n := strings.Count(raw.String(), "Benchmarkprocess/wall\t1\t"); n != 4 {
		t.Errorf("got raw lines\n%s", raw.String())
	}
}

func TestProgramEndsDifferently(t *testing.T) {
	target := fakeProgram(t, "program-exit")
	result, err := Compare(t.Context(), []Target{target}, Options{Count: 1})
	wantError(t, result, err, "ends with exit status 0 without wherry and with exit status 3 with wherry", "\n\tcannot open file")
}

func TestProgramPrintsDifferently(t *testing.T) {
	target := fakeProgram(t, "program-other")
	_, p := compare(t, target, Options{Count: 1})
	want := []string{
		"the two builds print different output; if it has no times, addresses or random numbers in it, look into that first",
		"the program ends with exit status 4 in both builds",
	}
	if !slices.Equal(p.Warnings, want) {
		t.Errorf("got warnings\n%q, want\n%q", p.Warnings, want)
	}
}

func TestProgramChangesItsMind(t *testing.T) {
	target := fakeProgram(t, "program-flaky")
	result, err := Compare(t.Context(), []Target{target}, Options{Count: 5, coin: alternate()})
	wantError(t, result, err, "ends with exit status 5 in round 2 with wherry, but with exit status 0 when it first ran")
}
