//go:build linux && (amd64 || arm64)

package reentrant

import "testing"

// A callback finds its record through a word of the goroutine's stack, and
// believes it if goSP is where it is: a record that was given back must not say
// that of any place.
func TestReleasedRecordIsNobodys(t *testing.T) {
	r, err := acquire()
	if err != nil {
		t.Fatal(err)
	}
	r.goSP = 4096
	release(r)
	if r.goSP != 0 {
		t.Errorf("goSP is %d, want 0", r.goSP)
	}
}
