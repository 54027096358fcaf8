package tests

import (
	"regexp"
	"strconv"
	"testing"
)

// A profile books the time spent in C under a call to the Go function
// that called, and nearly nothing to nobody.
func TestProfileShowsGoCaller(t *testing.T) {
	t.Parallel()
	needsFastPath(t)
	for mode, args := range map[string][]string{"nocallback": nil, "reentrant": {"callbacks"}} {
		t.Run(mode, func(t *testing.T) { testProfile(t, mode, args) })
	}
}

func testProfile(t *testing.T, mode string, args []string) {
	m := testdata(t, "profile")
	m.write("wherry.policy", "example.com/m spin* "+mode+"\n")
	if rep := m.build("fast"); rep.fast() != "spin spin2" {
		t.Fatalf("got %s functions %q, want spin and spin2", mode, rep.fast())
	}
	m.must("./fast", args...)
	top := m.must("go", "tool", "pprof", "-top", "-cum", "-nodefraction=0", "fast", "cpu.prof").stdout
	for function, least := range map[string]float64{"main.caller": 90, "main._Cfunc_spin2": 20} {
		if share := cumulative(t, top, function); share < least {
			t.Errorf("%s has %.1f %% of the samples, want at least %.0f\n%s", function, share, least, top)
		}
	}
	if share := cumulative(t, top, "runtime._ExternalCode"); share > 5 {
		t.Errorf("%.1f %% of the samples are booked to no Go function\n%s", share, top)
	}
}

// cumulative reads one function's cum% from the output of pprof -top.
func cumulative(t *testing.T, top, function string) float64 {
	t.Helper()
	line := regexp.MustCompile(`(?m)^.* ([0-9.]+)%\s+` + regexp.QuoteMeta(function) + `( \(inline\))?$`).FindStringSubmatch(top)
	if line == nil {
		return 0
	}
	share, err := strconv.ParseFloat(line[1], 64)
	if err != nil {
		t.Fatalf("reading %q: %v", line[0], err)
	}
	return share
}
