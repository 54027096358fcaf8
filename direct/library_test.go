//go:build linux && cgo

package direct_test

import (
	"strings"
	"testing"

	"github.com/wherrygo/wherry/direct"
)

// What is missing is named by the dynamic linker's own message.
func TestOpenSaysWhatIsMissing(t *testing.T) {
	_, err := direct.Open("libmm.so.6")
	if err == nil || !strings.HasPrefix(err.Error(), "direct: cannot open libmm.so.6: ") ||
		!strings.Contains(err.Error(), "No such file or directory") {
		t.Errorf("got %v, want that there is no file libmm.so.6", err)
	}
	m, err := direct.Open("libm.so.6")
	if err != nil {
		t.Fatal(err)
	}
	_, err = m.Lookup("atann2")
	if err == nil || !strings.HasPrefix(err.Error(), "direct: libm.so.6 has no atann2: ") ||
		!strings.Contains(err.Error(), "undefined symbol: atann2") {
		t.Errorf("got %v, want that atann2 is undefined", err)
	}
	atan2 := direct.MustBind[func(y, x float64) float64](m.MustLookup("atan2"))
	if got := atan2(0, -1); got != 3.141592653589793 {
		t.Errorf("atan2 gives %v", got)
	}
	if err := m.Close(); err != nil {
		t.Error(err)
	}
}
