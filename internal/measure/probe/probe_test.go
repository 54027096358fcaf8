package probe

import (
	"strings"
	"sync/atomic"
	"testing"
	"time"
)

// Wrong results and lost operations end a measurement.
func TestResultsAreChecked(t *testing.T) {
	total := 0
	for _, test := range []struct {
		name string
		s    Scenario
		want string
	}{
		{"right", Scenario{Run: func(int) bool { return true }}, ""},
		{"wrong", Scenario{Run: func(int) bool { return false }}, "wrong result"},
		{"all", Scenario{Run: func(n int) bool { total += n; return true }, Total: func() int { return total }}, ""},
		{"lost", Scenario{Run: func(n int) bool { total += n - 1; return true }, Total: func() int { return total }},
			"9 operations had an effect, want 10"},
	} {
		_, _, err := test.s.measure(1, 10)
		if (err == nil) != (test.want == "") || err != nil && !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s: got %v, want %q", test.name, err, test.want)
		}
	}
}

// All goroutines work, and together as long as the slowest.
func TestTogether(t *testing.T) {
	const nap = 20 * time.Millisecond
	done := make(chan bool, 4)
	if d, _ := together(4, func() { time.Sleep(nap); done <- true }); d < nap || len(done) != 4 {
		t.Errorf("%d of 4 in %v, want %v", len(done), d, nap)
	}
	// The fastest one is not slowed by the other; that a busy machine does so
	// five times is not expected.
	var all, fastest time.Duration
	for range 5 {
		var first atomic.Bool
		all, fastest = together(2, func() {
			if first.CompareAndSwap(false, true) {
				time.Sleep(10 * nap)
			}
		})
		if all < 10*nap || fastest <= all/2 {
			break
		}
	}
	if all < 10*nap || fastest > all/2 {
		t.Errorf("all took %v, the fastest %v", all, fastest)
	}
}

func TestCalibrate(t *testing.T) {
	s := Scenario{Run: func(n int) bool { time.Sleep(time.Duration(n) * time.Millisecond); return true }}
	var calls atomic.Int32
	late := Scenario{Run: func(n int) bool { // one of two begins late
		time.Sleep(time.Duration(n) * time.Millisecond)
		if calls.Add(1)%2 == 0 {
			time.Sleep(50 * time.Millisecond)
		}
		return true
	}}
	for procs, s := range map[int]Scenario{1: s, 2: late} {
		n, err := 0, error(nil)
		for range 5 { // naps of a busy machine are longer
			if n, err = s.calibrate(procs, 20*time.Millisecond); n >= 5 {
				break
			}
		}
		if err != nil || n < 5 || n > 20 {
			t.Errorf("%d goroutines: got %d, %v; want at most 20 naps of 1ms in 20ms", procs, n, err)
		}
	}
	s.Least = 30
	if n, _ := s.calibrate(1, 20*time.Millisecond); n < 30 {
		t.Errorf("got %d, want at least 30", n)
	}
}
