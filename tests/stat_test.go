package tests

import (
	"encoding/json"
	"fmt"
	"os"
	"runtime"
	"strings"
	"testing"

	"github.com/wherrygo/wherry/internal/crossing/stat"
)

// wantCrossings is what the program crosses: "kind function mode" to count.
var wantCrossings = map[string]uint64{
	"call byCgo cgo": 36000, "call byFast fast": 72000, "call byNoCallback fast": 36000,
	"call turn fast": 100, "call fails fast": 200, "call malloc fast": 100, "call free fast": 100,
	"call visits reentrant": 100, "call visitsByCgo cgo": 100, "call visitsStruct reentrant": 100, "call thread cgo": 10,
	"callback back reentrant": 700, "callback back cgo": 500 + 20, "callback backStruct reentrant": 300,
	"call long_ fast": 100,
}

func compareCrossings(t *testing.T, got map[string]uint64) {
	t.Helper()
	for place, n := range wantCrossings {
		if got[place] != n {
			t.Errorf("%s: counted %d, want %d", place, got[place], n)
		}
		delete(got, place)
	}
	if len(got) > 0 {
		t.Errorf("counted also %v", got)
	}
}

func (m *module) stat(args ...string) (result, stat.Report, map[string]uint64) {
	m.t.Helper()
	r := m.run(wherry, append([]string{"stat", "-json", "-o", "stat.json"}, args...)...)
	var report stat.Report
	text, err := os.ReadFile(m.path("stat.json"))
	if err == nil {
		err = json.Unmarshal(text, &report)
	}
	if err != nil {
		m.t.Fatalf("%v: %v\n%s%s", args, err, r.stdout, r.stderr)
	}
	counts := map[string]uint64{}
	for _, row := range report.Rows {
		counts[row.Kind+" "+row.Function+" "+row.Mode] += row.N
	}
	return r, report, counts
}

// Each crossing is counted once, in its mode, on every thread, and however the
// program ends.
func TestStatCounts(t *testing.T) {
	t.Parallel()
	needsFastPath(t)
	m := testdata(t, "stat/counts")
	m.must(wherry, "stat", "-build", "counting", ".")
	for how, status := range map[string]int{"": 0, "exit": 3, "panic": 2, "kill": 128 + 9} {
		r, report, counts := m.stat(append([]string{"./counting"}, strings.Fields(how)...)...)
		if r.status != status || r.stdout != "done\n" {
			t.Errorf("%q: got status %d, %q, want %d\n%s", how, r.status, r.stdout, status, r.stderr)
		}
		compareCrossings(t, counts)
		if report.Idle != 1 || report.Calls != 36000+72000+36000+100+200+200+300+10+100 || report.Callbacks != 1520 {
			t.Errorf("%q: got %d calls, %d callbacks, %d idle functions", how, report.Calls, report.Callbacks, report.Idle)
		}
	}
	r, report, counts := m.stat("-pprof", "stat.pprof", ".")
	compareCrossings(t, counts)
	for _, row := range report.Rows {
		if cost := row.NS / float64(row.N); cost < 0.3 || cost > 2000 || row.Package != "example.com/m" || row.Rate <= 0 ||
			(row.SavesNS > 0) != (row.Mode == "cgo") {
			t.Errorf("implausible: %+v", row)
		}
		if row.Function == "byFast" && !strings.HasPrefix(row.Why, "//wherry:fast in main.go:") {
			t.Errorf("byFast is fast because %q", row.Why)
		}
	}
	top := m.must("go", "tool", "pprof", "-sample_index=crossings", "-nodefraction=0", "-top", "stat.pprof").stdout
	contains(t, "pprof", top, "C.byCgo (cgo)", "36000", "C.byFast (fast)", "72000", "callback back (reentrant)", "700",
		"example.com/m", "Type: crossings")
	if !strings.Contains(r.stdout, "done") {
		t.Errorf("the program's output is gone: %q", r.stdout)
	}
	text := m.must(wherry, "stat", "./counting")
	contains(t, "text", text.stderr, "counting: ", "function", "C.byFast", "72,000", "callback back",
		"1 C functions were never called", "CPU time")
	// Run by hand it counts nowhere and works.
	if r := m.must("./counting"); r.stdout != "done\n" || r.stderr != "" {
		t.Errorf("by hand: got %q, %q", r.stdout, r.stderr)
	}
	// Other builds have no counters, from the same cache.
	m.must(wherry, "build", "-o", "fast")
	m.must("go", "build", "-o", "plain")
	for _, program := range []string{"fast", "plain"} {
		if strings.Contains(m.must("go", "tool", "nm", program).stdout, "_wherry_stat") {
			t.Errorf("%s has counters", program)
		}
	}
}

// Callbacks of C threads are counted in the mode that they came in, and so are holds and how
// they ended.
func TestStatCountsHolds(t *testing.T) {
	t.Parallel()
	needsFastPath(t)
	m := testdata(t, "threads")
	m.must(wherry, "stat", "-build", "counting", ".")
	const threads, sleeps, n = 3, 9, 20000
	r, report, counts := m.stat("./counting", fmt.Sprint(threads), "0", fmt.Sprint(sleeps), fmt.Sprint(n))
	cgo, held := counts["callback goAdd cgo"], counts["callback goAdd held"]
	if r.status != 0 || cgo+held != threads*n || held == 0 || cgo < threads*512 || report.Callbacks < threads*n {
		t.Errorf("exit status %d; counted %d callbacks through cgo and %d held, %d in all, want %d", r.status, cgo, held,
			report.Callbacks, threads*n)
	}
	var holds uint64
	fmt.Sscan(r.stderr, &holds)
	back := report.Threads.TakenBack
	if report.Threads.Held == 0 || report.Threads.Held != holds || back.Signal+back.Blocking+back.Callback != holds ||
		back.Blocking == 0 || back.NS == 0 {
		t.Errorf("counted %+v, want %d holds, taken back as often, some by blocking\n%s", report.Threads, holds, r.stderr)
	}
	// So are those that a thread's end takes back.
	if r, report, _ := m.stat("./counting", "3", "0", "0", "20000"); report.Threads.Held == 0 ||
		report.Threads.TakenBack.Signal+report.Threads.TakenBack.Blocking+report.Threads.TakenBack.Callback != report.Threads.Held {
		t.Errorf("threads that end: counted %+v, want as many taken back as held\n%s", report.Threads, r.stderr)
	}
	text := m.must(wherry, "stat", "./counting", fmt.Sprint(threads), "0", fmt.Sprint(sleeps), fmt.Sprint(n))
	contains(t, "text", text.stderr, "callback goAdd", "held", "C threads held their P ", " blocking (")
}

// What keeps threads from holding their P, or calls from being turned, is named.
func TestStatSaysWhyNot(t *testing.T) {
	t.Parallel()
	needsFastPath(t)
	m := testdata(t, "threads")
	m.must("gcc", "-shared", "-fPIC", "-o", "enters.so", "enters.c")
	m.must(wherry, "stat", "-build", "counting", ".")
	for _, test := range []struct{ env, args, want string }{
		{"", "3 0 0 20000", ""},
		{"", "handler 20000", "calls go through cgo: SIGURG is to have another handler, other flags, or none"},
		{"", "library ./enters.so", "no C thread holds its P: a library calls crosscall2 (./enters.so)"},
		{"", "3 0 7 6000", "a C thread does not hold its P: SIGURG is blocked"},
		{"GOMAXPROCS=1", "3 0 0 20000", "a C thread does not hold its P: GOMAXPROCS is 1"},
		{"WHERRY=off", "3 0 0 20000", "calls go through cgo: WHERRY=off"},
		{"GODEBUG=asyncpreemptoff=1", "3 0 0 20000", "calls go through cgo: GODEBUG=asyncpreemptoff=1: " +
			"Go's runtime sends no signals; a C thread does not hold its P: no signal asks for it"},
	} {
		m.env = []string{test.env}
		_, report, _ := m.stat(append([]string{"./counting"}, strings.Fields(test.args)...)...)
		if got := strings.Join(report.WhyNot, "; "); !strings.Contains(got, test.want) || test.want == "" && strings.Contains(got, "no C") {
			t.Errorf("%s %s: got %q, want %q", test.env, test.args, got, test.want)
		}
	}
}

// The same on arm64, where wherry itself does not run.
func TestStatCountsOnArm64(t *testing.T) {
	onEach(t, func(t *testing.T, on target) {
		if on.runner == nil {
			t.Skip("TestStatCounts is the native run")
		}
		m := testdata(t, "stat/counts").on(on)
		m.must(wherry, "stat", "-build", "counting", ".")
		m.write("counts", "")
		m.env = append(m.env, stat.Environment+"="+m.path("counts"))
		m.mustProgram("./counting")
		counted, err := stat.Read(m.path("counts"))
		if err != nil {
			t.Fatal(err)
		}
		counts := map[string]uint64{}
		for _, c := range counted {
			if c.N > 0 && c.Kind != stat.Turned {
				counts[c.Kind+" "+c.Function+" "+c.Mode] += c.N
			}
		}
		compareCrossings(t, counts)
	})
}

// It knows cgo's pointer checks.
func TestStatPointerChecks(t *testing.T) {
	t.Parallel()
	needsFastPath(t)
	m := testdata(t, "stat/checks")
	m.env = append(m.env, "WHERRY_DEFAULT=cgo")
	_, report, counts := m.stat(".")
	for _, row := range report.Rows {
		if want := map[string]float64{"use": 1}[row.Function]; row.Checks != want {
			t.Errorf("%s: %v pointer checks of a call, want %v", row.Function, row.Checks, want)
		}
	}
	if counts["call use cgo"] != 1 || len(report.Warnings) > 0 {
		t.Errorf("counted %v, with warnings %q, want one call of use", counts, report.Warnings)
	}
}

// It says plainly what acceleration would do, also without a policy.
func TestStatVerdict(t *testing.T) {
	t.Parallel()
	needsFastPath(t)
	m := testdata(t, "stat/verdict")
	for how, want := range map[string]string{
		"crosses": "of CPU time is crossings: acceleration could save up to",
		"spins":   "of CPU time is crossings: acceleration will not help",
		"nothing": "no crossing was counted: cgo is not this program's cost",
	} {
		m.env = []string{"WHERRY_DEFAULT=cgo"}
		r := m.must(wherry, "stat", ".", how)
		contains(t, how, r.stderr, want)
		if how == "crosses" {
			contains(t, how, r.stderr, "C.one", "20,000,000", "cgo", "no rule names it")
			m.env = nil
			r := m.must(wherry, "stat", ".", how)
			contains(t, how, r.stderr, "C.one", "20,000,000", "fast", "read: no loops", "acceleration could save nothing more")
		}
	}
	contains(t, "pure Go", m.must(wherry, "stat", "./pure").stderr, "no crossing was counted: cgo is not this program's cost")
	m.must("go", "build", "-o", "plain", ".")
	for args, want := range map[string]string{
		"":                       "no program; usage: wherry stat",
		"-nonsense .":            "flag provided but not defined: -nonsense",
		"-duration 0s .":         "-duration 0s: want more than 0",
		"-duration abc .":        "-duration",
		"./plain":                "./plain is a program without counters",
		"go.mod":                 "go.mod is a program without counters",
		"./lib":                  "./lib is no program but package lib",
		"./...":                  "./... is 3 packages",
		"./missing":              "missing",
		"-build x ./plain":       "./plain is built already",
		"-build x . y":           "-build runs nothing",
		"example.com/none":       "example.com/none",
		"-o /nowhere/x -json=no": "invalid boolean value",
	} {
		if r := m.run(wherry, append([]string{"stat"}, strings.Fields(args)...)...); r.status != 2 ||
			!strings.HasPrefix(r.stderr, "wherry: stat: ") || strings.Count(r.stderr, "\n") != 1 || !strings.Contains(r.stderr, want) {
			t.Errorf("stat %s: got status %d, %q, want 2 and one line with %q", args, r.status, r.stderr, want)
		}
	}
	m.env = arm64.env
	if r := m.run(wherry, "stat", "./pure"); runtime.GOARCH != "arm64" &&
		(r.status != 2 || !strings.Contains(r.stderr, "a program for linux/arm64 does not run here; -build FILE only builds it")) {
		t.Errorf("for another machine: got status %d, %q", r.status, r.stderr)
	}
	m.env = []string{"CGO_ENABLED=0"}
	if r := m.run(wherry, "stat", "./pure"); r.status != 1 || !strings.HasPrefix(r.stderr, "wherry: stat: crossings cannot be counted: ") {
		t.Errorf("without cgo: got status %d, %q", r.status, r.stderr)
	}
}
