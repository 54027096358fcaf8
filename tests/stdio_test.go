package tests

import (
	"strings"
	"testing"
)

// C that reads and writes byte by byte waits only when a stream's buffer does not do:
// other calls are not turned. glibc's buffer has 4096 bytes, so each call of ten bytes
// in some 400 turns.
func TestBufferedStreams(t *testing.T) {
	onEach(t, func(t *testing.T, on target) {
		m := testdata(t, "stdio").on(on)
		m.build("fast", ".")
		m.must("go", "build", "-o", "plain", ".")
		want, got := m.mustProgram("./plain", "p").stdout, m.mustProgram("./fast", "f").stdout
		if got != want || !strings.HasPrefix(want, "300000 ") {
			t.Errorf("got %q, want, as through plain cgo, %q", got, want)
		}
	})
	m := testdata(t, "stdio")
	_, report, _ := m.stat(".", "s")
	seen := 0
	for _, row := range report.Rows {
		if row.Function != "reads" && row.Function != "writes" {
			continue
		}
		seen++
		if turned := row.Turned.Blocking; row.N < 30000 || turned == 0 || turned > row.N/100 {
			t.Errorf("C.%s: %d of %d calls turned, want a few", row.Function, turned, row.N)
		}
	}
	if seen != 2 {
		t.Errorf("got %+v, want reads and writes", report.Rows)
	}
}
