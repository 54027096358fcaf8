package measure

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

func testProgress(out *strings.Builder, now *time.Time, width int) *Progress {
	return &Progress{out: out, width: func() int { return width }, now: func() time.Time { return *now }, begin: *now}
}

// Nothing is drawn in the first second, then at most ten times a second, and the line is
// wiped at the end.
func TestProgress(t *testing.T) {
	var out strings.Builder
	now := time.Unix(0, 0)
	p := testProgress(&out, &now, 50)
	for _, c := range []struct {
		after       time.Duration
		done, total int
		text, want  string
	}{
		{0, 0, 40, "p", ""},
		{999 * time.Millisecond, 1, 40, "p", ""},
		{time.Millisecond, 0, 40, "p", "[....................] 0/40 runs, p"},
		{99 * time.Millisecond, 1, 40, "p", ""},
		{18901 * time.Millisecond, 2, 40, "p", "[#...................] 2/40 runs, 6m20s left, p"},
		{time.Hour, 20, 40, "a long name", "[##########..........] 20/40 runs, 1h0m20s left, a long name"[:49]},
		{time.Hour, 0, 0, "", "[....................] 0/0 runs"},
	} {
		out.Reset()
		now = now.Add(c.after)
		p.Show(c.done, c.total, c.text)
		if got := strings.TrimPrefix(out.String(), clearLine); got != c.want {
			t.Errorf("%d of %d: got\n%s, want\n%s", c.done, c.total, got, c.want)
		}
	}
	out.Reset()
	p.Clear()
	p.Clear()
	if got := out.String(); got != clearLine {
		t.Errorf("got %q at the end, want the line cleared once", got)
	}
}

// A log must not get into the middle of the bar's line.
func TestLogClearsBar(t *testing.T) {
	var out strings.Builder
	now := time.Unix(0, 0)
	r := &reporter{log: &out, progress: testProgress(&out, &now, 80), total: 2}
	now = now.Add(time.Minute)
	r.step("p", wherry, 1, 1)
	r.say("line")
	if want := clearLine + "[....................] 0/2 runs, with wherry: p" + clearLine + "line\n"; out.String() != want {
		t.Errorf("got\n%q, want\n%q", out.String(), want)
	}
}

// What is written meanwhile stands above the line, and nothing is drawn after the end.
func TestWaiting(t *testing.T) {
	var out strings.Builder
	now := time.Unix(0, 0)
	w := &Waiting{out: &out, progress: testProgress(&out, &now, 80)}
	now = now.Add(12 * time.Second)
	building := func(since time.Duration) string { return fmt.Sprint("building, ", since) }
	w.draw(building)
	io.WriteString(w, "a warning\n")
	w.draw(building)
	nothing := func(time.Duration) string { return "" }
	w.draw(nothing)
	w.draw(nothing)
	w.draw(building)
	w.Stop()
	if w.draw(building) {
		t.Error("it goes on after its end")
	}
	line := clearLine + "building, 12s"
	if want := line + clearLine + "a warning\n" + line + clearLine + line + clearLine; out.String() != want {
		t.Errorf("got\n%q, want\n%q", out.String(), want)
	}
}

func TestNoBarInFile(t *testing.T) {
	file, err := os.Create(filepath.Join(t.TempDir(), "out"))
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	if NewProgress(file).out != nil {
		t.Error("a file gets a bar, want none")
	}
	terminal, err := os.OpenFile("/dev/ptmx", os.O_RDWR, 0)
	if err != nil {
		t.Skipf("no terminal to open: %v", err)
	}
	defer terminal.Close()
	if NewProgress(terminal).out == nil {
		t.Error("a terminal gets no bar")
	}
}
