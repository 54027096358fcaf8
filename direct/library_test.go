//go:build linux && cgo

package direct_test

import (
	"strings"
	"testing"

	"github.com/wherrygo/wherry/direct"
)

func TestOpenSaysWhatThereIs(t *testing.T) {
	_, err := direct.Open("libmm.so.6")
	if err == nil || !strings.HasPrefix(err.Error(), "direct: cannot open libmm.so.6: ") ||
		!strings.Contains(err.Error(), "did you mean lib") || !strings.Contains(err.Error(), "libm.so.6") {
		t.Errorf("got %v, want a suggestion of libm.so.6", err)
	}
	m, err := direct.Open("libm.so.6")
	if err != nil {
		t.Fatal(err)
	}
	_, err = m.Lookup("atann2")
	if err == nil || !strings.Contains(err.Error(), "libm.so.6 has no atann2: ") || !strings.Contains(err.Error(), "did you mean atan2") {
		t.Errorf("got %v, want a suggestion of atan2", err)
	}
	if _, err := m.Lookup("no_such_thing_at_all_anywhere"); err == nil || strings.Contains(err.Error(), "did you mean") {
		t.Errorf("got %v, want no suggestion", err)
	}
	atan2 := direct.MustBind[func(y, x float64) float64](m.MustLookup("atan2"))
	if got := atan2(0, -1); got != 3.141592653589793 {
		t.Errorf("atan2 gives %v", got)
	}
	if err := m.Close(); err != nil {
		t.Error(err)
	}
}
