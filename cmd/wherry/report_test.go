package main

import (
	"strings"
	"testing"
)

// The summary of a build with many packages is one line that can be read.
func TestSummaryIsShort(t *testing.T) {
	line := func(n int) string {
		var parts []string
		for range n {
			parts = append(parts, "example.com/some/package 12")
		}
		return shortened("wherry: 12 of 12 C functions are fast (", parts, "); -report says which and why")
	}
	for n, want := range map[int]string{
		1:  "fast (example.com/some/package 12); -report",
		4:  "(" + strings.Repeat("example.com/some/package 12, ", 3) + "example.com/some/package 12);",
		40: "(" + strings.Repeat("example.com/some/package 12, ", 4) + "and 36 more); -report says which and why",
	} {
		if got := line(n); !strings.Contains(got, want) || len(got) > longest {
			t.Errorf("%d packages: got %d bytes: %s\nwant %s", n, len(got), got, want)
		}
	}
	long := strings.Repeat("x", longest)
	if got := shortened("(", []string{long}, ")"); got != "(1 more)" {
		t.Errorf("got %s", got)
	}
}

// Where there are no C functions the summary speaks of none.
func TestSummaryOfNothing(t *testing.T) {
	for want, r := range map[string]reports{
		"wherry: nothing to accelerate: no package outside the standard library uses cgo\n":           nil,
		"wherry: nothing to accelerate: no package outside the standard library calls a C function\n": {{Package: "example.com/m"}},
	} {
		var got strings.Builder
		if r.writeSummary(&got); got.String() != want {
			t.Errorf("got %qwant %q", got.String(), want)
		}
	}
}
