package nearest

import "testing"

func TestDidYouMean(t *testing.T) {
	names := []string{"sqlite3_step", "sqlite3_reset", "crc32", "inflateInit_", "step", "stop"}
	for wrong, want := range map[string]string{
		"sqlite3_stpe": "; did you mean sqlite3_step?",
		"CRC32":        "; did you mean crc32?",
		"crc_32":       "; did you mean crc32?",
		"CRC*":         "; did you mean crc32?",
		"inflate":      "; did you mean inflateInit_?",
		"stap":         "; did you mean step?",
		"zzz":          "",
		"in":           "",
	} {
		if got := DidYouMean(wrong, names); got != want {
			t.Errorf("%s: got %q, want %q", wrong, got, want)
		}
	}
}
