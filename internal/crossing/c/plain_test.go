//go:build linux && cgo && !wherry_built && (amd64 || arm64) && go1.24 && !go1.28 && !msan && !asan

package c

import "testing"

// Settings mean what they mean to the runtime.
func TestPreemptionIsOff(t *testing.T) {
	for setting, want := range map[string]int{
		"": 0, "asyncpreemptoff=1": 1, "asyncpreemptoff=2": 1, "asyncpreemptoff=-1": 1, "asyncpreemptoff=0": 0, "asyncpreemptoff=no": 0,
		"asyncpreemptoff=1,asyncpreemptoff=0": 0, "gccheckmark=1,asyncpreemptoff=0": 1, "gccheckmark=2": 1, "gccheckmark=-1": 0,
		"gctrace=0,asyncpreemptoff=1": 1, "asyncpreemptoff": 0,
	} {
		t.Setenv("GODEBUG", setting)
		if got := int(preemptionIsOff()); got != want {
			t.Errorf("%q: got %d, want %d", setting, got, want)
		}
	}
}
