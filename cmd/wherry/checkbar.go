package main

import (
	"fmt"
	"io"
	"os"
	"strings"
	"time"

	"golang.org/x/term"
)

// A checkBar shows on a terminal how far a check is that takes longer than a
// second.
type checkBar struct {
	start, drawn time.Time
	off          bool
	out          io.Writer
	now          func() time.Time
}

func newCheckBar(out *os.File) *checkBar {
	return &checkBar{start: time.Now(), off: !term.IsTerminal(int(out.Fd())), out: out, now: time.Now}
}

func (b *checkBar) update(done, left int) {
	now := b.now()
	if b.off || now.Sub(b.start) < time.Second || now.Sub(b.drawn) < 100*time.Millisecond {
		return
	}
	b.drawn = now
	const width = 30
	filled := width * done / max(done+left, 1)
	fmt.Fprintf(b.out, "\r[%s%s] %d functions read, %d to do \x1b[K", strings.Repeat("=", filled),
		strings.Repeat(" ", width-filled), done, left)
}

func (b *checkBar) close() {
	if !b.drawn.IsZero() {
		fmt.Fprint(b.out, "\r\x1b[K")
	}
	b.off, b.drawn = true, time.Time{}
}
