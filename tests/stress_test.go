package tests

import (
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"
	"time"
)

// What is fast in the program; package direct's own functions come after.
const stressFast = "add address deep fill free holdingEnd holdingThread holds malloc many misaligned nap napThrough onThread " +
	"receive scale scramble spin spinThrough stacksInUse sum through turn turnTwice"

// With nothing but one call that stays on cgo, and with rules for the ways that no
// function takes by default.
const (
	stressDefault = "example.com/m plainThrough cgo\n"
	stressPolicy  = `example.com/m plainThrough cgo
example.com/m onThread     reentrant
example.com/m through      reentrant
example.com/m many         reentrant
example.com/m turnTwice    reentrant
example.com/m spinThrough  reentrant
example.com/m napThrough   reentrant
example.com/m spin         reentrant
example.com/m fill         nocallback
example.com/m sum          nocallback
example.com/m nap          nocallback
example.com/m receive      nocallback
`
)

// stress runs the program and returns how often C threads held their P.
func (m *module) stress(program string, args ...string) (holds int, err error) {
	r := m.program(program, args...)
	if r.status == 2 && strings.Contains(r.stderr, "stack too short to match cached location; stk = ") {
		m.t.Logf("%s %q: once more without a profile, because of golang/go issue 70529", program, args)
		m.env = append(m.env, "STRESS_PROFILE=off")
		r = m.program(program, args...)
	}
	if _, err := fmt.Sscanf(r.stdout, "done %d\n", &holds); r.status != 0 || err != nil {
		return 0, fmt.Errorf("exit status %d, output %q\n%.3000s", r.status, r.stdout, r.stderr)
	}
	return holds, nil
}

// Everything at once under a collector that never rests: stacks that grow and
// shrink, calls that are turned while they run, callbacks, C threads, panics,
// profiler and tracer. WHERRY_STRESS sets the time of each of the five runs; by
// hand it should be minutes.
func TestStress(t *testing.T) {
	duration := 4 * time.Second // five times, for all ways
	if text := os.Getenv("WHERRY_STRESS"); text != "" {
		var err error
		if duration, err = time.ParseDuration(text); err != nil {
			t.Fatalf("WHERRY_STRESS=%s: %v", text, err)
		}
	} else if testing.Short() {
		duration = time.Second
	}
	onEach(t, func(t *testing.T, on target) {
		duration := duration
		if on.runner != nil && os.Getenv("WHERRY_STRESS") == "" {
			duration = time.Second
		}
		m := testdata(t, "stress").on(on)
		m.usesWherry()
		for name, policy := range map[string]string{"./default": stressDefault, "./policy": stressPolicy} {
			m.write("wherry.policy", policy)
			if rep := m.build(name); !strings.HasPrefix(rep.fast(), stressFast+" ") {
				t.Fatalf("%s: got fast functions %q; malloc: %s", name, rep.fast(), rep.why("malloc"))
			}
		}
		m.must("go", "build", "-o", "plain", ".")
		env := m.env
		// Where there is no C stack callbacks run as through cgo. There the tracer follows frame
		// pointers into C's frames when a panic has left a callback, and may crash: with plain
		// cgo too, and on arm64 with C stacks too, since a function that calls back is soon
		// called through cgo. With gccheckmark the runtime sends no signals, so there is none.
		ways := []struct{ program, env, tracer string }{
			{"./default", "", "trace"},
			{"./default", "WHERRY_CSTACK_LIMIT=1", "no trace"},
			{"./policy", "", "trace"},
			{"./plain", "BOUND=pointers", "no trace"}, // packages direct and callback alone
		}
		duration /= time.Duration(len(ways))
		holds := 0
		for i, debug := range []string{"", "gccheckmark=1", "clobberfree=1", "gcshrinkstackoff=0,gcstoptheworld=1", "invalidptr=1,cgocheck=1"} {
			for j, way := range ways {
				if i > 0 && i%len(ways) != j && on.runner != nil && os.Getenv("WHERRY_STRESS") == "" {
					continue // an emulated program takes longest to start
				}
				m.env = append(slices.Clip(env), "GOGC=1", "GODEBUG="+debug, way.env)
				if debug == "gccheckmark=1" || on.runner != nil {
					way.tracer = "no trace"
				}
				n, err := m.stress(way.program, duration.String(), way.tracer)
				if err != nil {
					t.Errorf("%s, GODEBUG=%s %s: %v", way.program, debug, way.env, err)
				}
				holds += n
			}
			if on.runner != nil && testing.Short() {
				break
			}
		}
		// Under qemu, where the runtime sends no signals, or the linker knows no --wrap, there need be none.
		if t.Logf("C threads held their P %d times", holds); holds == 0 && on.runner == nil &&
			!strings.HasPrefix(os.Getenv("CC"), "zig ") &&
			!strings.Contains(os.Getenv("WHERRY_TEST_ENV"), "asyncpreemptoff=1") {
			t.Error("no C thread held its P")
		}
	})
}
