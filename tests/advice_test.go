package tests

import (
	"slices"
	"strings"
	"testing"
)

// wherry stat ends with what to do about the functions that cost: all reasons, the line
// of the policy that would change it, and what that asks.
func TestStatAdvice(t *testing.T) {
	t.Parallel()
	needsFastPath(t)
	m := testdata(t, "stat/advice")
	_, report, _ := m.stat(".")
	const stackAsks = "you promise that it does not compare its stack pointer with the bounds of its thread's stack"
	want := map[string]struct {
		reasons    []string
		line, asks string
	}{
		"named": {[]string{"wherry.policy:1"}, "without wherry.policy:1", "you promise nothing beyond cgo's rules"},
		"visits": {[]string{"read: ", "callback: visits -> back", "lock: visits -> pthread_mutex_lock", "alloc: visits -> ",
			"may ask for the bounds of its stack"},
			"example.com/m visits reentrant", stackAsks},
		"indirect": {[]string{"read: indirect: indirect"}, "example.com/m indirect reentrant", stackAsks},
		"raw":      {[]string{"a system call instruction of its own"}, "example.com/m raw fast", "you promise that its system calls do not wait"},
	}
	seen := map[string]bool{}
	for i, a := range report.Advice {
		w, expected := want[a.Function]
		if !expected {
			t.Errorf("advice on %s, which costs nothing: %+v", a.Function, a)
			continue
		}
		seen[a.Function] = true
		for _, reason := range w.reasons {
			if !slices.ContainsFunc(a.Reasons, func(r string) bool { return strings.Contains(r, reason) }) {
				t.Errorf("%s: got reasons %q, want %q among them", a.Function, a.Reasons, reason)
			}
		}
		if a.Line != w.line || !strings.HasPrefix(a.Asks, w.asks) {
			t.Errorf("%s: got line %q, which asks %q; want %q, %q", a.Function, a.Line, a.Asks, w.line, w.asks)
		}
		if i > 0 && a.Share > report.Advice[i-1].Share {
			t.Errorf("advice is not in the order of its use: %+v", report.Advice)
		}
	}
	for name := range want {
		if !seen[name] {
			t.Errorf("no advice on %s", name)
		}
	}
	text := m.must(wherry, "stat", ".").stderr
	contains(t, "stat", text, "\nwhat to do:\n",
		"    because: wherry.policy:1\n    wherry.policy: without wherry.policy:1\n    asks: you promise nothing",
		"    because: alloc: visits -> ", " of CPU time, through cgo\n", " of its calls turned by callbacks\n")
	if !strings.Contains(m.must(wherry, "build", "-report", "-o", "x").stdout, "`reentrant` would change that: "+stackAsks) {
		t.Error("the report of a build does not say what would change")
	}
	// The lines do what they say.
	policy := ""
	for _, a := range report.Advice {
		if strings.HasPrefix(a.Line, "example.com/m ") {
			policy += a.Line + "\n"
		}
	}
	m.write("wherry.policy", policy)
	if _, after, _ := m.stat("."); len(after.Advice) != 0 || after.Saves != 0 {
		t.Errorf("after that there is still %+v", after.Advice)
	}
}
