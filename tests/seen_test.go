package tests

import (
	"cmp"
	"fmt"
	"maps"
	"os/exec"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// callsOfSeen are the ways of program seen, by the Go function that calls, with the functions
// of C from the innermost on. C that called back through cgo is not shown.
var callsOfSeen = map[string]string{
	"inFlight":    "inner outer in_flight C.in_flight",
	"byCgo":       "inner outer by_cgo C.by_cgo runtime.cgocall",
	"turned":      "inner outer C.turned",
	"calledBack":  "inner outer called_back C.called_back",
	"belowQsort":  "inner outer below_qsort C.below_qsort",
	"nested":      nestedInSeen + " nests C.nests",
	"nestedTwice": nestedInSeen + " nests C.nests main.nested main.again nests C.nests",
	"nestedByCgo": nestedInSeen + " runtime.cgocall",
	"nestedMixed": nestedInSeen + " runtime.cgocall main.nestedByCgo main.again",
}

// threadsOfSeen are what its C threads do, with the functions that they are in.
var threadsOfSeen = map[string]string{
	"computes":    "inner outer computes",
	"calls_back":  "inner outer calls_back",
	holdingInSeen: "inner outer in_flight C.in_flight main.ofThread calls_back",
}

const holdingInSeen = "calls_back, holding its P"

const nestedInSeen = "inner outer in_flight C.in_flight main.inFlight main.again"

// A CPU profile shows C's functions by their names, from the innermost to the Go function that
// called C, and on to main.main, however the call went; and those of threads that C created.
func TestProfileShowsC(t *testing.T) {
	onEach(t, func(t *testing.T, on target) {
		m := testdata(t, "seen").on(on)
		for _, flags := range [][]string{nil, {"-buildmode=pie"}, {"-ldflags=-extldflags=-static"},
			{"-buildmode=pie", "-ldflags=-extldflags=-static-pie"}} {
			if len(on.runner) > 0 && flags != nil {
				continue // an emulator takes longer, and how C is found does not depend on the machine
			}
			t.Run(strings.Join(flags, " "), func(t *testing.T) { testProfileOfC(t, m, flags) })
		}
	})
	t.Run("each Go", func(t *testing.T) {
		onEachGo(t, func(t *testing.T, env string) {
			sparesThisGo(t, env, "the native runs")
			testProfileOfC(t, testdata(t, "seen").with(env), nil)
		})
	})
}

func testProfileOfC(t *testing.T, m *module, flags []string) {
	m.build("fast", flags...)
	here := &module{t: t, dir: m.dir} // go tool is built for this machine
	threads := maps.Clone(threadsOfSeen)
	if strings.Contains(strings.Join(flags, " "), "-static") || len(m.runner) > 0 {
		delete(threads, holdingInSeen) // none does; and an emulator may be too slow for it
	}
	all, complete, other := map[string]int{}, map[string]int{}, map[string]string{}
	var found []sample
	for range 5 { // a thread gives its P back where others want it
		m.mustProgram("./fast")
		found = append(found, samples(here.must("go", "tool", "pprof", "-traces", "fast", "cpu.prof").stdout)...)
		if threads[holdingInSeen] == "" || slices.ContainsFunc(found, func(s sample) bool { return inOrder(s.stack, threads[holdingInSeen]) }) {
			break
		}
	}
	for _, sample := range found {
		for call, want := range callsOfSeen {
			if !strings.Contains(sample.stack, " main."+call+" ") || !strings.HasPrefix(sample.stack, "inner ") {
				continue // Go's own work for the call, or wherry's
			}
			all[call] += sample.milliseconds
			whole := inOrder(sample.stack, want) && strings.HasSuffix(sample.stack, " main.main runtime.main ")
			if whole && (call != "nestedMixed" || !strings.Contains(sample.stack, " nests ")) {
				complete[call] += sample.milliseconds
			} else {
				other[call] = sample.stack
			}
		}
		for thread, want := range threads {
			if inOrder(sample.stack, want) && !(thread == "calls_back" && strings.Contains(sample.stack, " main.ofThread ")) {
				complete[thread] += sample.milliseconds
			}
		}
	}
	for call := range callsOfSeen {
		if all[call] < 50 || complete[call]*100 < all[call]*98 {
			t.Errorf("%s: %d ms of %d show C whole, others as %q", call, complete[call], all[call], other[call])
		}
	}
	lines := here.must("go", "tool", "pprof", "-top", "-lines", "fast", "cpu.prof").stdout
	if share := cumulative(t, lines, "runtime._ExternalCode"); share > 5 {
		t.Errorf("%.1f %% of the samples are booked to no function\n%.2000s", share, lines)
	}
	if at := placeInSeen(m, "sum = sum * 31"); !regexp.MustCompile(`inner /.*/` + at + `\b`).MatchString(lines) {
		t.Errorf("no sample is at %s\n%.2000s", at, lines)
	}
	for thread := range threads {
		if complete[thread] == 0 {
			t.Errorf("no sample shows the C of a thread that %s", thread)
		}
	}
}

// A sample that comes at any instruction of a call or callback leads to the Go caller, and on: none is
// in code of nobody's. So it is when the call is turned, anywhere. What the scheduler does is left.
func TestProfileShowsEachInstruction(t *testing.T) {
	m := buildStepped(t)
	lost := regexp.MustCompile(`runtime\._|main\.|_wherry_`)
	for _, args := range [][]string{nil, {"asked"}} {
		traces := ""
		// The runtime maps memory by the C library, at most once in a while. From there nothing leads
		// to Go, through cgo neither: such a run tells nothing.
		for range 20 {
			m.mustProgram("./fast", args...)
			// Where one address has no name, as in a few instructions of the scheduler, pprof reads all anew.
			traces = m.must("go", "tool", "pprof", "-traces", "-unit=ms", "-symbolize=none", "fast", "cpu.prof").stdout
			if !strings.Contains(traces, "runtime.callCgoMmap\n") {
				break
			}
		}
		whole, inC, bound := 0, 0, 0
		for _, sample := range samples(traces) {
			switch {
			case strings.Contains(sample.stack, "main.stepped main.main.func1 main.onNewThread.func1 "):
				whole++
				if strings.HasPrefix(sample.stack, "C.mix ") {
					inC++
				}
				if strings.HasPrefix(sample.stack, "mix ") {
					bound++
				}
			case strings.HasPrefix(sample.stack, "runtime.systemstack "): // in some of its instructions Go loses the way
			case lost.MatchString(sample.stack) && !strings.HasSuffix(sample.stack, " runtime.main "):
				t.Errorf("%s: a sample is at %q", args, sample.stack)
			}
		}
		if whole < 100 || inC == 0 || bound == 0 {
			t.Errorf("%s: %d stacks with main.stepped, %d with C.mix, %d with mix as package direct calls it", args, whole, inC, bound)
		}
	}
}

// A thread of C's whose stack cannot be walked is in a profile by where it was interrupted.
func TestProfileShowsUnwalked(t *testing.T) {
	onEach(t, func(t *testing.T, on target) {
		m := testdata(t, "unwalked").on(on)
		m.build("fast")
		m.mustProgram("./fast")
		here := &module{t: t, dir: m.dir} // go tool is built for this machine
		text := here.must("go", "tool", "pprof", "-traces", "fast", "cpu.prof").stdout
		all, named := 0, 0
		for _, sample := range samples(text) {
			all += sample.milliseconds
			if strings.HasPrefix(sample.stack, "with_little ") {
				named += sample.milliseconds
			}
		}
		if named < 50 || named*2 < all { // the rest is Go's own work for the profile
			t.Errorf("%d ms of %d show the thread\n%.2000s", named, all, text)
		}
	})
}

// Functions of one name are told apart: runtime/pprof would show both with the file of the first. And
// a library has its own names where another one was before. What was inlined into the call has its own
// file, since the text that cgo made has none.
func TestProfileOfNamesakes(t *testing.T) {
	t.Parallel()
	needsFastPath(t)
	m := testdata(t, "namesakes")
	for _, library := range []string{"first", "second"} {
		m.must("gcc", "-O1", "-shared", "-fPIC", "-nostdlib", "-o", library+".so", "libs/"+library+".c")
	}
	m.build("fast")
	at := strings.Fields(m.mustProgram("./fast").stdout)
	if at[0] != at[1] {
		t.Log("the second library is not where the first one was")
	}
	tops := func(profile string) string {
		return m.must("go", "tool", "pprof", "-top", "-lines", "fast", profile).stdout
	}
	first, second := tops("first.prof"), tops("second.prof")
	before, _, _ := strings.Cut(m.read("main.go"), "for (int i")
	loop := fmt.Sprint(1 + strings.Count(before, "\n"))
	for _, want := range []string{` helper( \(a\.c\))? /.*/a\.c:3\b`, ` helper( \(b\.c\))? /.*/b\.c:8\b`, ` alpha live\.so:1\b`,
		` C\.in_call /.*/main\.go:` + loop + `\b`} {
		if !regexp.MustCompile(want).MatchString(first) {
			t.Errorf("the first profile has no %s\n%s", want, first)
		}
	}
	if !strings.Contains(second, " gamma live.so:1") || strings.Contains(second, "alpha") {
		t.Errorf("the second library's function is not gamma\n%s", second)
	}
}

// placeInSeen returns where a text stands in program seen's C.
func placeInSeen(m *module, text string) string {
	before, _, _ := strings.Cut(m.read("seen.c"), text)
	return fmt.Sprintf("seen.c:%d", 1+strings.Count(before, "\n"))
}

// inOrder reports whether a stack has functions in this order.
func inOrder(stack, functions string) bool {
	for _, function := range strings.Fields(functions) {
		_, rest, found := strings.Cut(" "+stack, " "+function+" ")
		if !found {
			return false
		}
		stack = rest
	}
	return true
}

// A sample is a stack of a profile, from the innermost function on, each with a blank behind it.
type sample struct {
	stack        string
	milliseconds int
}

var firstOfSample = regexp.MustCompile(`^ *(\d+)(ms|s) +(\S+)`)

// samples reads pprof -traces.
func samples(traces string) (all []sample) {
	for _, block := range strings.Split(traces, "-----------+-")[1:] {
		var s sample
		for line := range strings.Lines(block) {
			line = strings.TrimSuffix(strings.TrimSpace(line), " (inline)")
			if m := firstOfSample.FindStringSubmatch(line); m != nil {
				fmt.Sscan(m[1], &s.milliseconds)
				if m[2] == "s" {
					s.milliseconds *= 1000
				}
				line = m[3]
			}
			if s.milliseconds > 0 && line != "" {
				s.stack += line + " "
			}
		}
		all = append(all, s)
	}
	return all
}

// When C dies, the trace shows its functions above the Go function that called it; the exit
// status is cgo's, and so is the first line.
func TestCrashShowsC(t *testing.T) {
	// What Go says of a crash in a call.
	stateOfCrash := regexp.MustCompile(`signal arrived during cgo execution\n|goroutine 1 .*(\[\w+)`)
	onEach(t, func(t *testing.T, on target) {
		m := testdata(t, "seen").on(on)
		m.must("go", "build", "-o", "plain")
		m.build("fast")
		plains := map[string]result{} // by the kind, which alone decides it: an emulator takes long
		for call, want := range callsOfSeen {
			if on.runner != nil && strings.HasPrefix(call, "nested") && call != "nested" {
				continue
			}
			for i, kind := range []string{"segv", "call", "bus", "fpe", "ill", "abrt", "quit", "fill", "deep"} {
				how := fmt.Sprint(i + 1)
				plain, ran := plains[kind]
				if !ran || on.runner == nil {
					plain = m.program("./plain", call, how)
					plains[kind] = plain
				}
				fast := m.program("./fast", call, how)
				if fast.status != plain.status || fast.status == 0 {
					t.Errorf("%s, %s: got exit status %d, cgo's is %d\n%s", call, kind, fast.status, plain.status, fast.stderr)
				}
				first, _, _ := strings.Cut(plain.stderr, "\n")
				for _, found := range stateOfCrash.FindAllStringSubmatch(plain.stderr, -1) {
					if want := cmp.Or(found[1], found[0]); !strings.Contains(fast.stderr, want) {
						t.Errorf("%s, %s: want %s\ngot %.500s", call, kind, want, fast.stderr)
					}
				}
				_, trace, _ := strings.Cut(fast.stderr, "\ngoroutine 1 ")
				trace, _, _ = strings.Cut(trace, "\n\n")
				var names string
				for line := range strings.Lines(trace) {
					name, _, _ := strings.Cut(strings.TrimSpace(line), "(")
					names += strings.TrimSuffix(name, ".cold") + " "
				}
				if at := "/" + placeInSeen(m, "*(volatile int *)8 = 1") + " pc="; kind == "segv" && !strings.Contains(trace, at) {
					t.Errorf("%s: the trace does not have %s\n%s", call, at, trace)
				}
				if kind == "deep" { // C's outermost functions are too far
					want = "inner inner inner inner"
				}
				if !strings.Contains(fast.stderr, first) || !inOrder(names, want+" main."+call+" main.main") {
					t.Errorf("%s, %s: want %s\ngot %s", call, kind, want, fast.stderr[:min(len(fast.stderr), 3000)])
				}
			}
		}
		r := m.with("WHERRY_TRACES=0").program("./fast", "inFlight", "1")
		if strings.Contains(r.stderr, "\ninner\n") || r.status != plains["segv"].status {
			t.Errorf("WHERRY_TRACES=0: got exit status %d and %.3000s", r.status, r.stderr)
		}
	})
}

// What looks at C's stack for a profile does no harm where a handler has little room, where C has its
// alignment checked, and where the dynamic linker's lock is held.
func TestSamplesDoNoHarm(t *testing.T) {
	onEach(t, func(t *testing.T, on target) { testdata(t, "sampled").on(on).likePlain("little", "alignment", "lock") })
}

// A debugger goes from C to the Go function that called it, and on to main.main.
func TestDebuggerGoesToMain(t *testing.T) {
	t.Parallel()
	if _, err := exec.LookPath("gdb"); err != nil {
		t.Skip("gdb is not installed")
	}
	needsFastPath(t)
	m := testdata(t, "seen")
	m.build("fast")
	for _, call := range []string{"inFlight", "turned", "calledBack"} {
		out := m.must("gdb", "-batch", "-ex", "run", "-ex", "backtrace", "--args", "./fast", call, "1").stdout
		var names string
		for _, frame := range regexp.MustCompile(`(?m)^#\d+ +(?:0x\w+ in )?([\w.]+) \(`).FindAllStringSubmatch(out, -1) {
			names += frame[1] + " "
		}
		if !inOrder(names, "inner outer main."+call+" main.main") {
			t.Errorf("%s: got %s\n%s", call, names, out)
		}
	}
}

// Valgrind knows fewer operations of call-frame information than a debugger, and runs no program with others.
func TestValgrindRunsPrograms(t *testing.T) {
	t.Parallel()
	if _, err := exec.LookPath("valgrind"); err != nil {
		t.Skip("valgrind is not installed")
	}
	needsFastPath(t)
	m := testdata(t, "targets")
	m.build("fast", "./cgo")
	if r, want := m.run("valgrind", "-q", "--tool=none", "./fast"), m.must("./fast"); r.status != 0 || r.stdout != want.stdout {
		t.Errorf("got exit status %d, %q, want %q\n%s", r.status, r.stdout, want.stdout, r.stderr)
	}
}

// What follows frame pointers goes from C to the Go function that called it, and on to main.main.
func TestFramePointersLeadToGo(t *testing.T) {
	onEach(t, func(t *testing.T, on target) {
		m := testdata(t, "framepointers").on(on)
		m.build("fast")
		lines := strings.Split(m.mustProgram("./fast").stdout, "\n")
		for i, caller := range []string{"_Cfunc_inFlight", "_Cfunc_turned", "_Cfunc_calledBack", "_Cfunc_calledBack"} {
			if want := "main." + caller + " main.main runtime.main"; i >= len(lines) || !strings.Contains(lines[i], want) {
				t.Errorf("got %q, want %s on line %d", lines, want, i)
			}
		}
	})
}

// C that walks its own stack, as for an exception, is not led to where the goroutine's stack was, nor astray
// by a signal that turns its call.
func TestUnwindersOfC(t *testing.T) {
	onEach(t, func(t *testing.T, on target) {
		m := testdata(t, "unwinds").on(on)
		m.must("go", "build", "-o", "plain")
		want := m.mustProgram("./plain")
		for _, way := range []struct {
			policy string
			args   []string
		}{{"", []string{"beside"}}, {"example.com/m walksAfter fast\n", nil}} { // on a C stack, and on the system stack
			m.write("wherry.policy", way.policy)
			m.build("fast")
			if got := m.program("./fast", way.args...); !got.equals(want) {
				t.Errorf("%q: got exit status %d and %q, want %q\n%.2000s", way.policy, got.status, got.stdout, want.stdout, got.stderr)
			}
		}
	})
}
