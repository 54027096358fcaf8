package main

import (
	"bytes"
	"strings"
	"testing"
)

const topText = `File: job.test
Type: cpu
Duration: 2.06s, Total samples = 540ms (26.23%)
Showing nodes accounting for 540ms, 100% of 540ms total
      flat  flat%   sum%        cum   cum%
     230ms 42.59% 42.59%      380ms 70.37%  runtime.cgocall
      70ms 12.96% 55.56%       70ms 12.96%  internal/runtime/atomic.(*Uint32).CompareAndSwap (inline)
      54ms   10% 65.56%       54ms   10%  runtime._ExternalCode
      20ms  3.70% 69.26%       20ms  3.70%  runtime.memmove
      20ms  3.70% 72.96%       20ms  3.70%  runtime.mallocgc
      20ms  3.70% 76.66%       20ms  3.70%  example.com/p.(*T).F
         0     0%   100%       10ms  1.85%  main.main
`

func TestParseTop(t *testing.T) {
	p, err := parseTop(topText)
	if err != nil {
		t.Fatal(err)
	}
	if p.C < 0.5258 || p.C > 0.526 || len(p.Other) != 3 || p.Other[0].Function != "internal/runtime/atomic.(*Uint32).CompareAndSwap" || int(1e4*p.Other[0].Share) != 1296 {
		t.Errorf("got %+v", p)
	}
	if _, err := parseTop("File: job.test\n"); err == nil {
		t.Error("a profile without functions was read")
	}
}

// It says whether crossings are the cost, and whether what can be had was.
func TestWhy(t *testing.T) {
	at := &profile{C: 0.9, Other: []spent{{"runtime.memmove", 0.04}}}
	var text bytes.Buffer
	why(&text, []*result{
		{Module: "github.com/a/much", Ratio: 1.3, CI: [2]float64{1.2, 1.4}, Profile: at},
		{Module: "github.com/a/same", Ratio: 1.02, CI: [2]float64{1.01, 1.08}, Share: 0.06, Saving: 0.06, Profile: at},
		{Module: "github.com/a/left", Ratio: 1.02, CI: [2]float64{1.01, 1.03}, Share: 0.11, Saving: 0.1, Profile: at},
		{Module: "github.com/a/none", Ratio: 1.01, CI: [2]float64{0.99, 1.02}, Share: 0.001, Saving: 0.001, Profile: at},
		{Module: "github.com/a/unknown", Ratio: 1.01},
	})
	want := `- a/same (1.02): 90 % of its time is in C, then runtime.memmove 4 %; crossings are 6.0 %, and the 1.06 that can be had are in the interval, 1.01 to 1.08.
- a/left (1.02): 90 % of its time is in C, then runtime.memmove 4 %; crossings are 11.0 %, and of the 1.11 that can be had something is left on the table.
- a/none (1.01): 90 % of its time is in C, then runtime.memmove 4 %; crossings are not its cost: 0.1 %, and without them and what they allocate it would be 1.00.
- a/unknown (1.01): crossings are not its cost: 0.0 %, and without them and what they allocate it would be 1.00.
`
	if _, list, _ := strings.Cut(text.String(), "\n\n"); list != want {
		t.Errorf("got\n%s\nwant\n%s", list, want)
	}
}

// A gain beyond the crossings is explained only where threads switch less.
func TestOtherGains(t *testing.T) {
	var text bytes.Buffer
	otherGains(&text, []*result{
		{Module: "github.com/a/long", Share: 0.001, Ratio: 1.12, CI: [2]float64{1.1, 1.14}, Saving: 0.001, Switches: [2]float64{8.5, 0.6}},
		{Module: "github.com/a/calls", Share: 0.001, Ratio: 1.5, CI: [2]float64{1.4, 1.6}, Saving: 0.3, Switches: [2]float64{8.5, 0.6}},
		{Module: "github.com/a/old", Share: 0.001, Ratio: 1.2, CI: [2]float64{1.1, 1.3}},
		{Module: "github.com/a/uncounted", Ratio: 1.2, CI: [2]float64{1.1, 1.3}, Switches: [2]float64{8.5, 0.6}},
		{Module: "github.com/a/unknown", Share: 0.001, Ratio: 1.2, CI: [2]float64{1.1, 1.3}, Switches: [2]float64{8.5, 8.4}},
	})
	want := "- a/long (1.12, predicted 1.00): 8.50 switches through cgo, 0.600 by wherry.\n"
	if _, list, _ := strings.Cut(strings.TrimPrefix(text.String(), "\n"), "\n\n"); list != want {
		t.Errorf("got\n%s\nwant\n%s", list, want)
	}
}
