package main

import "testing"

// Ratios are of the rounds, and goals look at what they are about.
func TestSummarize(t *testing.T) {
	rows, err := summarize([]byte(`
inflight way=cgo round=1 case=crossing/add call-ns=30
inflight way=wherry round=1 case=crossing/add call-ns=2
inflight way=wherry round=2 case=crossing/add call-ns=6
inflight way=cgo round=2 case=crossing/add call-ns=40
inflight way=cgo round=1 case=stop/15us stopping-gc-p99-us=500
inflight way=wherry round=1 case=stop/15us stopping-gc-p99-us=101
inflight way=wherry round=1 case=end/condition failed=1
inflight way=wherry round=1 case=end/condition in-a-second-of-100=99
`))
	if err != nil || len(rows) != 4 {
		t.Fatalf("%d rows, %v", len(rows), err)
	}
	add, stopping := rows[0], rows[1]
	if want := (2.0/30 + 6.0/40) / 2; add.Ratio == nil || add.Ratio.Median != want || add.Ratio.Low != nil {
		t.Errorf("ratio: got %+v, want %v and no interval", add.Ratio, want)
	}
	if add.Goal == "" || add.Met {
		t.Errorf("add: goal %q, met %v, want one that is missed", add.Goal, add.Met)
	}
	if stopping.Goal == "" || stopping.Met {
		t.Errorf("stopping: goal %q, met %v, want one that is missed", stopping.Goal, stopping.Met)
	}
	if rows[2].Goal != "" || rows[2].Ratio != nil || rows[3].Met {
		t.Errorf("condition: got %+v", rows[2:])
	}
	if _, err := summarize([]byte("inflight way=cgo case=x round=1 a=1\n")); err == nil {
		t.Error("a malformed line is read")
	}
}
