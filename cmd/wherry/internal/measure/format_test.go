package measure

import (
	"slices"
	"testing"
)

func TestFormat(t *testing.T) {
	for _, c := range []struct{ got, want string }{
		{FormatTime(0.0123), "0.0123 ns"},
		{FormatTime(0.25), "0.250 ns"},
		{FormatTime(1.57), "1.57 ns"},
		{FormatTime(26.41), "26.4 ns"},
		{FormatTime(9.996), "10.0 ns"},
		{FormatTime(999.4), "999 ns"},
		{FormatTime(999.6), "1.00 us"},
		{FormatTime(123456), "123 us"},
		{FormatTime(1.5e6), "1.50 ms"},
		{FormatTime(7.2e10), "72.0 s"},
		{FormatTime(4.3e13), "43000 s"},
		{formatBytes(0), "0 B"},
		{formatBytes(10239), "10239 B"},
		{formatBytes(10240), "10.0 KiB"},
		{formatBytes(3 << 20), "3.00 MiB"},
		{formatCount(3.5), "3.5"},
		{formatCount(10), "10"},
		{FormatRatio(1), "1.000"},
		{FormatRatio(1.1824), "1.182"},
		{FormatRatio(1.0004), "1.0004"},
		{FormatRatio(0.99996), "0.99996"},
		{FormatRatio(0.9999999), "1.000000"},
		{FormatRatio(16.84), "16.8"},
		{FormatRatio(1234.5), "1234"},
		{formatInterval(Interval{0.5, 12}), "0.500 to 12.0"},
		{formatInterval(infinite), "∞"},
	} {
		if c.got != c.want {
			t.Errorf("got %q, want %q", c.got, c.want)
		}
	}
}

func TestTable(t *testing.T) {
	got := Table([][]string{{"a", "b", "c"}, {"long", "∞", "x"}}, []bool{false, true, false})
	want := []string{"a     b  c", "long  ∞  x"}
	if !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}
