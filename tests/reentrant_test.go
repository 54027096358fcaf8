package tests

import (
	"fmt"
	"os"
	"os/exec"
	"regexp"
	"runtime"
	"strings"
	"testing"
)

const reentrantPolicy = `example.com/m *          reentrant
example.com/m deepLarge  reentrant=1M
example.com/m deepHuge   reentrant=8M
example.com/m plainVisit cgo
example.com/m whereFast  fast
example.com/m stacks*    fast
`

func reentrantModule(t *testing.T, on target) *module {
	m := testdata(t, "reentrant").on(on)
	m.write("wherry.policy", reentrantPolicy)
	return m
}

var reentrantBuilt = map[string]*shared{"native": {}, "arm64": {}}

// reentrantProgram has the program fast, with the rules of reentrantPolicy.
func reentrantProgram(t *testing.T, on target) *module {
	return reentrantBuilt[on.name].module(t, func(t *testing.T) *module {
		m := reentrantModule(t, on)
		m.build("fast")
		return m
	}).on(on)
}

// deaf finds settings with which Go's runtime sends its threads no signals.
var deaf = regexp.MustCompile(`GODEBUG=\S*(asyncpreemptoff|gccheckmark)=1`)

// What Go code may do in a callback, and what is left when it is over; also where the objects are
// compiled and linked in other ways.
func TestReentrantCalls(t *testing.T) {
	const others = "goroutines, nested, goexit, blocking, locked, same thread, c thread, idle, sizes" // which no flag concerns
	onEach(t, func(t *testing.T, on target) {
		built := map[string]*module{fmt.Sprint(reentrantPolicy, []string(nil)): reentrantProgram(t, on)}
		for _, way := range []struct {
			name, policy, env string
			flags             []string
			not               string
		}{
			{"reentrant", reentrantPolicy, "WHERRY_CSTACK_SIZE=262144", nil, ""},
			{"by default", "", "", nil, "fibers"},
			{"system stack", "example.com/m * fast\n", "", nil, "own stack, fibers"},
			{"through cgo", "", "GODEBUG=asyncpreemptoff=1", nil, "own stack, fibers"},
			{"position-independent", reentrantPolicy, "", []string{"-buildmode=pie", "-trimpath"}, others},
			{"Go for debuggers", reentrantPolicy, "", []string{"-gcflags=all=-N -l"}, others},
			{"C for debuggers", reentrantPolicy, "CGO_CFLAGS=-O0", []string{"-ldflags=-s -w"}, others},
			{"clang", reentrantPolicy, "CC=clang", nil, others},
		} {
			if way.not == others && on.runner != nil {
				continue
			}
			if _, err := exec.LookPath("clang"); err != nil && way.env == "CC=clang" {
				t.Log("clang is not installed: one build less is tested")
				continue
			}
			how := fmt.Sprint(way.policy, way.flags)
			if strings.HasPrefix(way.env, "C") { // the compiler's, not the program's
				how += way.env
			}
			m := built[how]
			if m == nil {
				m = reentrantModule(t, on)
				m.write("wherry.policy", way.policy)
				m.with(way.env).build("fast", way.flags...)
				built[how] = m
			}
			m = m.with(way.env)
			for _, name := range []string{"own stack", "values", "goroutines", "nested", "panics", "goexit", "blocking", "everything",
				"locked", "same thread", "traces", "fibers", "c thread", "idle", "sizes"} {
				if strings.Contains(way.not, name) { // what calls through cgo cannot do: the runtime looks at the stack
					continue
				}
				if name == "own stack" && way.policy == "" && deaf.MatchString(os.Getenv("WHERRY_TEST_ENV")) {
					t.Log("own stack: without signals calls go through cgo by default")
					continue
				}
				if name == "fibers" && on.runner == nil && strings.Contains(os.Getenv("CC"), "musl") {
					t.Log("fibers: musl has no ucontext")
					continue
				}
				r := m.program("./fast", name)
				if r.status != 0 || r.stdout != "ok\n" {
					t.Errorf("%s, %s: exit status %d, output %q\n%.2000s", way.name, name, r.status, r.stdout, r.stderr)
				}
			}
		}
	})
}

var steppedProgram shared

// buildStepped builds program stepped, for which the processor has to step.
func buildStepped(t *testing.T) *module {
	t.Helper()
	if runtime.GOARCH != "amd64" {
		t.Skip("only amd64 has a signal after each instruction")
	}
	return steppedProgram.module(t, func(t *testing.T) *module {
		m := testdata(t, "stepped")
		m.usesWherry()
		m.build("fast")
		return m
	})
}

// A call is not turned while its C stack is mapped, at whatever instruction the runtime's signal comes:
// it would go on without one.
func TestSignalsWhileStacksAreMapped(t *testing.T) {
	m := buildStepped(t)
	m.mustProgram("./fast", "mapped")
}

// An overflow of a C stack says so, and dies as a fault in C does.
func TestReentrantFaults(t *testing.T) {
	onEach(t, func(t *testing.T, on target) {
		m := reentrantProgram(t, on)
		for _, test := range []struct {
			name string
			env  string
			want []string
		}{
			{"overflow", "", []string{"wherry: C stack overflow in the call of deep: it has 8388608 bytes; set WHERRY_CSTACK_SIZE",
				"SIGSEGV", "main.main()"}},
			{"segv", "", []string{"SIGSEGV", "main.main()"}},
			{"fpe", "", []string{"SIGFPE", "main.main()"}},
			{"crash", "GOTRACEBACK=crash", []string{"panic: in a callback", "main.goDo", "main.with", "main.main()"}},
		} {
			if test.name == "fpe" && (on.name != "native" || runtime.GOARCH != "amd64") {
				continue // arm64 divides by zero in silence
			}
			m.env = append(m.env, test.env)
			r := m.program("./fast", test.name)
			if r.status == 0 || strings.Contains(r.stdout, "recovered") {
				t.Errorf("%s: got exit status %d, output %q", test.name, r.status, r.stdout)
			}
			contains(t, test.name, r.stderr, test.want...)
			if test.name == "segv" && strings.Contains(r.stderr, "wherry:") {
				t.Errorf("an ordinary fault is taken for an overflow:\n%.500s", r.stderr)
			}
		}
	})
}

// A C stack is as large as a thread's: what works in plain Go under a larger limit does here.
func TestDeepStacks(t *testing.T) {
	t.Parallel()
	needsFastPath(t)
	m := testdata(t, "deepstack")
	m.must("go", "build", "-o", "plain")
	if mode := m.build("fast").mode("deep"); mode == "" {
		t.Fatal("deep is not fast")
	}
	for _, kilobytes := range []string{"131072", "unlimited"} {
		limited := func(program string) result { return m.run("sh", "-c", "ulimit -s "+kilobytes+" && exec ./"+program) }
		want := limited("plain")
		if want.status != 0 {
			t.Skipf("plain go: %s", want.stderr) // the limit cannot be raised here
		}
		if got := limited("fast"); got.status != 0 || got.stdout != want.stdout {
			t.Errorf("%s: got status %d\n%s%swant\n%s", kilobytes, got.status, got.stdout, got.stderr, want.stdout)
		}
	}
}

// Where stacks are executable C runs on its thread's, also where a rule wants a C stack.
func TestExecutableStacks(t *testing.T) {
	onEach(t, func(t *testing.T, on target) { testdata(t, "nested").on(on).likePlain() })
}

// The size and number of C stacks can be set, and a wrong setting is reported.
func TestReentrantSettings(t *testing.T) {
	t.Parallel()
	needsFastPath(t)
	m := reentrantProgram(t, native)
	for _, test := range []struct{ scenario, env, want string }{
		{"overflow", "WHERRY_CSTACK_SIZE=1000000", "it has 1003520 bytes"},
		{"settings", "WHERRY_CSTACK_SIZE=2000000", ""},
		{"settings", "WHERRY_CSTACK_SIZE=12", "wherry: WHERRY_CSTACK_SIZE=12: want a number of at least 16384; 8388608 is used"},
		{"limits", "WHERRY_CSTACK_LIMIT=50", ""},
		{"limits", "WHERRY_CSTACK_DEPTH=50", ""},
		{"settings", "WHERRY_CSTACK_DEBUG=1 WHERRY_CSTACK_SIZE=2000000", "wherry: C stack high-water mark: "},
	} {
		m.env = strings.Fields(test.env)
		r := m.program("./fast", test.scenario)
		if test.want == "" && r.status != 0 {
			t.Errorf("%s with %s: exit status %d\n%.500s", test.scenario, test.env, r.status, r.stderr)
		}
		contains(t, test.env, r.stderr, test.want)
	}
}
