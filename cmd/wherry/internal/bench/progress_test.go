package bench

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

func TestBar(t *testing.T) {
	var out strings.Builder
	now := time.Unix(0, 0)
	width := 100
	b := &bar{w: &out, width: func() int { return width }, now: func() time.Time { return now }, total: 40}
	shown := func() string {
		text := out.String()
		out.Reset()
		return strings.TrimPrefix(text, clearLine)
	}

	b.draw()
	if got := shown(); got != "" {
		t.Errorf("got %q before the first process, want nothing", got)
	}
	b.step("without wherry: p")
	if got, want := shown(), "[....................] 0/20 rounds, without wherry: p"; got != want {
		t.Errorf("got\n%s, want\n%s", got, want)
	}
	now = now.Add(10 * time.Second)
	b.step("p")
	now = now.Add(10 * time.Second)
	b.step("p")
	now = now.Add(4 * time.Second)
	shown()
	b.draw()
	// 2 of 40 processes took 10 s each; 38 are left, one of them since 4 s.
	if got, want := shown(), "[#...................] 1/20 rounds, 6m16s left, p"; got != want {
		t.Errorf("got\n%s, want\n%s", got, want)
	}
	now = now.Add(time.Hour)
	b.draw()
	if got, want := shown(), "[#...................] 1/20 rounds, 0s left, p"; got != want {
		t.Errorf("got\n%s, want\n%s", got, want)
	}
	b.drop(36)
	width = 30
	b.draw()
	if got, want := shown(), "[##########..........] 1/2 rou"[:29]; got != want {
		t.Errorf("got\n%s, want\n%s", got, want)
	}
	b.finish()
	if got := out.String(); got != clearLine {
		t.Errorf("got %q at the end, want the line cleared", got)
	}
	out.Reset()
	b.draw()
	if got := shown(); got != "" {
		t.Errorf("got %q after the end, want nothing", got)
	}
}

// A log must not get into the middle of the bar's line.
func TestLogClearsBar(t *testing.T) {
	var out strings.Builder
	r := &reporter{log: &out, stop: make(chan struct{})}
	r.bar = &bar{w: &out, width: func() int { return 80 }, now: time.Now, total: 2, started: 1, text: "p"}
	r.say("line")
	if want := clearLine + "line\n" + clearLine + "[....................] 0/1 rounds, p"; out.String() != want {
		t.Errorf("got\n%q, want\n%q", out.String(), want)
	}
}

func TestNoBarInFile(t *testing.T) {
	file, err := os.Create(filepath.Join(t.TempDir(), "out"))
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	if r := newReporter(nil, file, 1); r.bar != nil {
		t.Error("a file gets a bar, want none")
	}
}
