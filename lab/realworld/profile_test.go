package main

import "testing"

const top = `File: job.test
Type: cpu
Duration: 2.50s, Total samples = 2s (80.00%)
Showing nodes accounting for 1050ms, 52.50% of 2000ms total
Dropped 32 nodes (cum <= 10ms)
      flat  flat%   sum%        cum   cum%
     500ms 25.00% 25.00%      500ms 25.00%  __mul
     400ms 20.00% 45.00%      600ms 30.00%  operator new
     150ms  7.50% 52.50%      150ms  7.50%  runtime.nextFreeFast (inline)
`

// What is shown of a profile is what pprof says, and what it says in another form is an error.
func TestProfiles(t *testing.T) {
	p, err := readTop([]byte(top))
	if want := "`__mul` 25 %, `operator new` 20 %, `runtime.nextFreeFast` 8 %"; err != nil || p.Busy != 0.8 || p.String() != want {
		t.Errorf("got %v processors busy in %s (%v), want 0.8 in %s", p.Busy, p, err, want)
	}
	if p.Busy = 0.04; p.String() != "waiting" {
		t.Errorf("got %s of a job that hardly runs, want waiting", p)
	}
	for _, text := range []string{"", "Duration: fast, Total samples = 2s (80.00%)", top + "1ms many 1% 1ms 1% f\n"} {
		if p, err := readTop([]byte(text)); err == nil {
			t.Errorf("got %v of %q, want an error", p, text)
		}
	}
}
