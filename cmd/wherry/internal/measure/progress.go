package measure

import (
	"fmt"
	"io"
	"os"
	"strings"
	"sync"
	"time"

	"golang.org/x/term"

	"github.com/wherrygo/wherry/internal/printable"
)

// A Progress is a line at the bottom of a terminal, for work that takes longer than a
// second:
//
//	[######..............] 12/40 runs, 4m10s left, with wherry: example.com/p
type Progress struct {
	out          io.Writer // nil: no terminal
	width        func() int
	now          func() time.Time
	begin, drawn time.Time
}

// NewProgress draws on w if that is a terminal.
func NewProgress(w io.Writer) *Progress {
	p := &Progress{now: time.Now, begin: time.Now()}
	if terminal, ok := w.(*os.File); ok && term.IsTerminal(int(terminal.Fd())) {
		p.out = w
		p.width = func() int { // windows change their size
			if width, _, err := term.GetSize(int(terminal.Fd())); err == nil && width > 0 {
				return width
			}
			return 80
		}
	}
	return p
}

const (
	barCells  = 20
	clearLine = "\r\x1b[K"
)

// Show draws the line, at most ten times a second.
func (p *Progress) Show(done, total int, text string) {
	now := p.now()
	elapsed := now.Sub(p.begin)
	if p.out == nil || elapsed < time.Second || now.Sub(p.drawn) < 100*time.Millisecond {
		return
	}
	p.drawn = now
	cells := min(barCells, barCells*done/max(1, total))
	line := fmt.Sprintf("[%s%s] %d/%d runs", strings.Repeat("#", cells), strings.Repeat(".", barCells-cells), done, total)
	if done > 0 {
		left := elapsed / time.Duration(done) * time.Duration(max(0, total-done))
		line += fmt.Sprintf(", %s left", left.Round(time.Second))
	}
	if text != "" {
		line += ", " + text
	}
	p.draw(line)
}

func (p *Progress) draw(line string) {
	// A line that wraps could not be cleared.
	line = printable.Text(line)
	io.WriteString(p.out, clearLine+line[:max(0, min(len(line), p.width()-1))])
}

// Clear takes the line away.
func (p *Progress) Clear() {
	if !p.drawn.IsZero() {
		io.WriteString(p.out, clearLine)
		p.drawn = time.Time{}
	}
}

// A Waiting is such a line for work that does not say how far it is. What is written to it
// stands above the line.
type Waiting struct {
	mu       sync.Mutex
	out      io.Writer
	progress *Progress
	stopped  bool
}

// Wait draws a text and the seconds since then on out, if that is a terminal, until Stop.
func Wait(out io.Writer, text string) *Waiting {
	return WaitFor(out, func(since time.Duration) string { return fmt.Sprintf("%s, %.0f s", text, since.Seconds()) })
}

// WaitFor draws what text returns then, of the time since then; no line where that is empty.
func WaitFor(out io.Writer, text func(since time.Duration) string) *Waiting {
	w := &Waiting{out: out, progress: NewProgress(out)}
	if w.IsShown() {
		go func() {
			for w.draw(text) {
				time.Sleep(time.Second)
			}
		}()
	}
	return w
}

// IsShown reports whether there is a terminal to draw on.
func (w *Waiting) IsShown() bool { return w.progress.out != nil }

func (w *Waiting) draw(text func(since time.Duration) string) bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	p := w.progress
	if w.stopped {
		return false
	}
	now := p.now()
	if line := text(now.Sub(p.begin)); line == "" {
		p.Clear()
	} else {
		p.drawn = now
		p.draw(line)
	}
	return true
}

func (w *Waiting) Write(text []byte) (int, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.progress.Clear()
	return w.out.Write(text)
}

// Stop takes the line away.
func (w *Waiting) Stop() {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.progress.Clear()
	w.stopped = true
}

// A reporter tells the user how far a comparison is: lines to a log, and a bar
// where a terminal shows it. Both may be the same terminal.
type reporter struct {
	log      io.Writer
	progress *Progress
	// Processes, of which a round has two.
	started, total int
}

// say writes a line.
func (r *reporter) say(format string, args ...any) {
	r.progress.Clear()
	if r.log != nil {
		fmt.Fprintf(r.log, format+"\n", args...)
	}
}

// more says that some benchmarks get more rounds.
func (r *reporter) more(pkg string, benchmarks, rounds int) {
	r.say("%s: %d more rounds where these leave it open: %d", pkg, rounds, benchmarks)
	r.total += rounds * len(variants)
}

// step says that a measured process starts.
func (r *reporter) step(pkg string, v variant, process, count int) {
	if process == 0 {
		r.say("%s: measuring %d x 2 runs", pkg, count)
	}
	r.progress.Show(r.started, r.total, v.how()+": "+pkg)
	r.started++
}
