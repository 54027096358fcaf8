package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// runOf writes rounds of benchmarks: name, value and unit, so many times as much for each.
type runOf struct{ strings.Builder }

func newRun() *runOf {
	b := new(runOf)
	b.WriteString("go: go1.99\ngoos: linux\ngoarch: amd64\ncpu: Test\n")
	return b
}

func (b *runOf) add(name string, values ...any) {
	fmt.Fprintf(b, "Benchmark%s-2 100", name)
	for _, v := range values {
		fmt.Fprintf(b, " %v", v)
	}
	b.WriteByte('\n')
}

// check makes a table from text, and looks for parts of it.
func check(t *testing.T, kind, text string, parts ...string) {
	t.Helper()
	file := filepath.Join(t.TempDir(), "raw.txt")
	if err := os.WriteFile(file, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	got, err := table([]string{kind, file})
	for _, part := range parts {
		if missing, ok := strings.CutPrefix(part, "error: "); ok {
			if err == nil || !strings.Contains(err.Error(), missing) {
				t.Errorf("%s: got %v, want an error with %q", kind, err, missing)
			}
		} else if err != nil || !strings.Contains(got, part) {
			t.Errorf("%s: no %q (%v) in\n%s", kind, part, err, got)
		}
	}
}

// In the run the rivals take 2, 3 and 4 times as long, whatever a round's noise.
func handlesRun(rounds int) string {
	b := newRun()
	for round := range rounds {
		noise := 1 + float64(round*7%5)/10
		for i, table := range append([]string{"wherry"}, rivals...) {
			line := func(name string, ns float64, more ...any) {
				b.add(name+"/table="+table, append([]any{ns * noise * float64(i+1), "ns/op"}, more...)...)
			}
			for _, name := range []string{"Cycle", "Value", "Article/work=non-concurrent"} {
				line(name, 10)
			}
			line("Parallel/workers=1", 10, 11, "cpu-ns/op")
			line("Parallel/workers=2", 11, 22, "cpu-ns/op")
			line("Parallel/workers=32", 12, 33, "cpu-ns/op")
			line("HandOver", 20)
			line("Article/work=concurrent", 10, 1e8/noise/float64(i+1), "handles/s")
			line("Million", 100, 32*(i+1), "B/handle")
		}
	}
	return b.String()
}

func TestHandles(t *testing.T) {
	check(t, "handles", handlesRun(10),
		"go1.99, linux/amd64, Test, GOMAXPROCS 2, 10 rounds\n",
		"| New, Value, Delete of a pointer | 12 (10) ns | 24 (20) ns | 2 (2 to 2) | 36 (30) ns | 3 (3 to 3) | 48 (40) ns | 4 (4 to 4) |\n",
		"| its handles per second | 83.3 (100) million | 41.7 (50) million | 2 (2 to 2) |",
		"| heap for each of a million | 32 B | 64 B | 2 (2 to 2) | 96 B | 3 (3 to 3) | 128 B | 4 (4 to 4) |\n",
		"| 2 goroutines | 1.1 (1.1 to 1.1) | 1.1 (1.1 to 1.1) |",
		"| 32 goroutines | 1.2 (1.2 to 1.2) |",
		"| the same in processor time | 2 (2 to 2) |",
		"| the same in processor time | 3 (3 to 3) |",
		"| created here, deleted on another goroutine | 2 (2 to 2) |")
	check(t, "handles", handlesRun(3), "| Value | 12 (10) ns | 24 (20) ns | 2 | 36 (30) ns | 3 |") // too few for an interval
	// A line without values, or with some missing, would be a wrong table.
	for _, part := range []string{"BenchmarkMillion/table=cgo", "BenchmarkParallel/workers=32/table=wherry"} {
		check(t, "handles", strings.Replace(handlesRun(3), part, "BenchmarkOther/table=x", 1), "error: values: want one of each for every round")
	}
	check(t, "handles", newRun().String(), "error: the run has no Cycle/table=wherry in sec/op")
}

func directRun(leaveOut string) string {
	b, seen := newRun(), map[string]bool{}
	for round := range 6 {
		line := func(name, way string, n int) {
			if id := fmt.Sprint(name, way, round); !seen[id] && way != leaveOut {
				seen[id] = true
				b.add(name+"/way="+way, 10*n, "ns/op", 1000*n, "B/goroutine")
			}
		}
		for _, shape := range shapes {
			line(shape[1], "wherry", 1)
			line(shape[1], "floor", 3)
		}
		for _, use := range uses {
			for i, way := range append([]string{use.own}, use.rivals...) {
				line(use.benchmark, way, i+1)
			}
		}
		for _, shape := range shapes {
			for i, way := range []string{"cgo", "bind"} {
				line(shape[1], way, []int{2, 5}[i])
			}
		}
	}
	return b.String()
}

func TestDirect(t *testing.T) {
	check(t, "direct", directRun(""), "go1.99, linux/amd64, Test, 6 rounds",
		"| six ints, Bind | 10 (10) ns | 20 (20) ns | 2 (2 to 2) |", "| 2000 B | 2 (2 to 2) | | | 3000 B |",
		"| int, int and errno | 20 (20) ns | 10 (10) ns | 2 (2 to 2) | 30 (30) ns | 0.333 (0.333 to 0.333) | "+
			"1.67 (1.67 to 1.67) |")
	check(t, "direct", directRun("purego"), "error: the run has no Add/way=purego in sec/op")
}

func TestEvents(t *testing.T) {
	b := newRun()
	for range 3 {
		for _, size := range []int{8, 64} {
			for _, threads := range []int{1, 2, 4} {
				for i, by := range []string{"ring", "batch", "events", "lent", "callback", "channel"} {
					b.add(fmt.Sprintf("Throughput/size=%d/threads=%d/by=%s", size, threads, by), 1<<i, "ns/op", 2, "processors")
				}
			}
		}
		for i, post := range posts {
			b.add(post[1], i+1, "ns-median", 10*i+10, "ns-99%", 100*i+100, "ns-99.99%")
		}
		b.add("WakeUp", 5000, "ns-median-queue", 4000, "ns-median-eventfd")
	}
	check(t, "event", b.String(), "3 rounds; medians",
		"| 8 bytes, one thread | 16 (16) | 32 (32) | 8 (8) | 4 (4) | 2 (2) | 1 (1) | 4 (4 to 4) | 8 (8 to 8) | 4 (4 to 4) | 2 (2 to 2) |\n",
		"| one each 2 us | 5 (5) | 50 (50) | 500 (500) |\n", "without being 1: post 1.2 (1.2 to 1.2), callback 1.14 (1.14 to 1.14).\n",
		"has the record: 5000 (5000) ns; by a bare eventfd and its netpoll wake 4000 (4000) ns; ratio 1.25 (1.25 to 1.25).")
}

func TestCoalesce(t *testing.T) {
	b := newRun()
	for round := range 3 {
		b.add("bulk/link=veth/way=default", 10+round, "MB/s", 345.6, "packets/MB")
		b.add("bulk/link=veth/way=nagle", 1, "MB/s", 3.456, "packets/MB")
		b.add("paced/link=bad/way=cork", 12.345, "p50-us")
	}
	check(t, "coalesce", b.String(), "#### bulk over veth\n\n| way | MB/s | packets/MB |\n| --- | ---: | ---: |\n"+
		"| default | 11 (10 to 12) | 346 |\n| nagle | 1 (1 to 1) | 3.46 |\n\n#### paced over bad\n\n| way | p50-us |\n| --- | ---: |\n"+
		"| cork | 12.3 (12.3 to 12.3) |\n")
}

// Ratios are of the rounds, and goals look at what they are about.
func TestInflight(t *testing.T) {
	check(t, "inflight", `
inflight way=cgo round=1 case=crossing/add call-ns=30
inflight way=wherry round=1 case=crossing/add call-ns=2
inflight way=wherry round=2 case=crossing/add call-ns=6
inflight way=cgo round=2 case=crossing/add call-ns=40
inflight way=cgo round=1 case=stop/15us stopping-gc-p99-us=500
inflight way=wherry round=1 case=stop/15us stopping-gc-p99-us=101
inflight way=cgo round=1 case=stop/15us GC-p50-us=500
inflight way=wherry round=1 case=stop/15us GC-p50-us=600
inflight way=wherry round=1 case=end/condition failed=1
inflight way=wherry round=1 case=end/condition in-a-second-of-100=99
`, "35 (30-40)", "4 (2-6)", "0.108", "missed: ratio <= 0.1", "missed: <= 100", "met: ratio <= 1.2", "nothing", "missed: all")
}

// Each goal is some measure's, and decides.
func TestGoals(t *testing.T) {
	of := func(measure string, cgo, wherry float64) measured {
		r := &run{}
		s := summary(r.quotients([]float64{wherry}, []float64{cgo}))
		return measured{measure, []float64{cgo}, []float64{wherry}, &s}
	}
	for name, c := range map[string]struct {
		m    measured
		want string
	}{
		"stop/in-go":              {of("stopping-gc-p99-us", 1, 500), ""},
		"stop/15us":               {of("stopping-gc-p50-us", 1, 500), ""},
		"late/spinning":           {of("late-p99-us", 1, 29_000), "met: <= 30000"},
		"late/poll":               {of("late-p99-us", 1, 29_000), "missed: <= 1000"},
		"eintr/poll":              {of("eintr", 1, 2), "missed: no more than cgo"},
		"eintr/raw-futex":         {of("eintr", 1, 2), ""},
		"threads/1-P4":            {of("callbacks/s", 1, 7), "missed: ratio >= 8"},
		"threads/2-P4":            {of("callbacks/s", 1, 7), "met: ratio >= 6"},
		"threads/2-P4-issue60961": {of("callbacks/s", 1, 1.5), "missed: ratio >= 1.8"},
		"threads/1-P1":            {of("callbacks/s", 1, 0.94), "missed: not worse by 5 %"},
		"threadstop/0s-P2":        {of("GC-p50-us", 1, 40), "met: ratio <= 1.2, or 50 us"},
		"threadstop/1us-P2":       {of("stopping-gc-p50-us", 1, 40), "missed: not worse by 5 %"},
		"beside/work-P1":          {of("work/s", 1, 0.96), "met: not worse by 5 %"},
		"beside/sleeper-P1":       {of("late-p50-us", 1, 0.5), "met: not worse by 5 %"},
		"sleepers/10":             {of("wakes/s", 1, 0.9), "missed: ratio >= 0.95"},
		"crossing/errno":          {of("call-ns", 1, 1.04), "missed: not slower by 3 %"},
		"compute/2us":             {of("calls/s", 1, 1.5), "met: not slower by 3 %"},
	} {
		if got := c.m.verdict(name); got != c.want {
			t.Errorf("%s %s: got %q, want %q", name, c.m.measure, got, c.want)
		}
	}
}

func TestUsage(t *testing.T) {
	for _, args := range [][]string{nil, {"handles"}, {"unknown", "x"}} {
		if _, err := table(args); err == nil || !strings.Contains(err.Error(), "usage: ") {
			t.Errorf("%q: got %v", args, err)
		}
	}
	check(t, "inflight", "BenchmarkX 1 y ns/op\n", "error: raw:1: ")
}
