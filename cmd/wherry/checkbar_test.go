package main

import (
	"bytes"
	"io"
	"os"
	"strings"
	"testing"
	"time"
)

// TestCheckBar draws nothing in the first second, then at most ten times a
// second, and wipes the line at the end.
func TestCheckBar(t *testing.T) {
	var out bytes.Buffer
	now := time.Unix(1000, 0)
	b := &checkBar{start: now, out: &out, now: func() time.Time { return now }}
	at := func(after time.Duration, done, left int) string {
		out.Reset()
		now = time.Unix(1000, 0).Add(after)
		b.update(done, left)
		return out.String()
	}
	if s := at(999*time.Millisecond, 64, 64); s != "" {
		t.Errorf("before a second: %q", s)
	}
	if s := at(time.Second, 64, 64); s != "\r["+strings.Repeat("=", 15)+strings.Repeat(" ", 15)+"] 64 functions read, 64 to do \x1b[K" {
		t.Errorf("after a second: %q", s)
	}
	if s := at(1099*time.Millisecond, 65, 63); s != "" {
		t.Errorf("again within 100 ms: %q", s)
	}
	if s := at(1100*time.Millisecond, 128, 0); !strings.HasPrefix(s, "\r["+strings.Repeat("=", 30)+"] 128 ") {
		t.Errorf("done: %q", s)
	}
	if s := at(2*time.Second, 0, 0); !strings.HasPrefix(s, "\r[ ") {
		t.Errorf("nothing to do: %q", s)
	}
	out.Reset()
	b.close()
	if out.String() != "\r\x1b[K" {
		t.Errorf("closed: %q, want the line wiped", out.String())
	}
	if s := at(5*time.Second, 1, 1); s != "" {
		t.Errorf("after close: %q", s)
	}
	b.close()
	if out.Len() != 0 {
		t.Errorf("closed again: %q", out.String())
	}
	short := &checkBar{start: now, out: &out, now: func() time.Time { return now }}
	short.update(1, 1)
	short.close()
	if out.Len() != 0 {
		t.Errorf("work of less than a second: %q", out.String())
	}
}

// TestCheckBarOnTerminals is shown on a terminal, never in a pipe or a file.
func TestCheckBarOnTerminals(t *testing.T) {
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	b := newCheckBar(w)
	b.start = b.start.Add(-time.Hour)
	b.update(1, 1)
	b.close()
	w.Close()
	if got, err := io.ReadAll(r); err != nil || len(got) != 0 || !b.off {
		t.Errorf("in a pipe: %q, %v", got, err)
	}
	terminal, err := os.OpenFile("/dev/ptmx", os.O_RDWR, 0)
	if err != nil {
		t.Skipf("no terminal to open: %v", err)
	}
	defer terminal.Close()
	if newCheckBar(terminal).off {
		t.Error("on a terminal: off")
	}
}
