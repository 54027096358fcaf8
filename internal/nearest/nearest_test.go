package nearest

import "testing"

func TestDidYouMean(t *testing.T) {
	names := []string{"sqlite3_step", "sqlite3_reset", "crc32", "libm.so.6", "libm.so", "inflateInit_", "step", "stop"}
	for wrong, want := range map[string]string{
		"sqlite3_stpe": "; did you mean sqlite3_step or sqlite3_reset?",
		"CRC32":        "; did you mean crc32?",
		"crc_32":       "; did you mean crc32?",
		"CRC*":         "; did you mean crc32?",
		"libn.so":      "; did you mean libm.so or libm.so.6?",
		"inflate":      "; did you mean inflateInit_?",
		"stap":         "; did you mean step or stop?",
		"zzz":          "",
		"in":           "",
	} {
		if got := DidYouMean(wrong, names, 2); got != want {
			t.Errorf("%s: got %q, want %q", wrong, got, want)
		}
	}
}
