package bench

import (
	"fmt"
	"io"
	"os"
	"time"

	"golang.org/x/term"
)

// A reporter tells the user how far a comparison is: lines to a log, and a bar
// where a terminal shows it. Both may be the same terminal.
type reporter struct {
	log  io.Writer
	bar  *bar
	stop chan struct{}
}

func newReporter(log, progress io.Writer, processes int) *reporter {
	r := &reporter{log: log, stop: make(chan struct{})}
	if terminal, ok := progress.(*os.File); ok && term.IsTerminal(int(terminal.Fd())) {
		r.bar = &bar{w: terminal, width: widthOf(terminal), now: time.Now, total: processes}
		go r.tick()
	}
	return r
}

// widthOf asks every time: windows change their size.
func widthOf(terminal *os.File) func() int {
	return func() int {
		if width, _, err := term.GetSize(int(terminal.Fd())); err == nil && width > 0 {
			return width
		}
		return 80
	}
}

// tick lets the remaining time go down while a process runs.
func (r *reporter) tick() {
	ticker := time.NewTicker(time.Second)
	defer ticker.Stop()
	for {
		select {
		case <-r.stop:
			return
		case <-ticker.C:
			r.bar.draw()
		}
	}
}

// say writes a line.
func (r *reporter) say(format string, args ...any) {
	if r.bar != nil {
		r.bar.clear()
		defer r.bar.draw()
	}
	if r.log != nil {
		fmt.Fprintf(r.log, format+"\n", args...)
	}
}

// more says that some benchmarks get more rounds.
func (r *reporter) more(pkg string, benchmarks, rounds int) {
	r.say("%s: %d more rounds where these leave it open: %d", pkg, rounds, benchmarks)
	r.drop(-rounds * len(variants))
}

// step says that a measured process starts.
func (r *reporter) step(pkg string, v variant, process, count int) {
	if process == 0 {
		r.say("%s: measuring %d x 2 runs", pkg, count)
	}
	if r.bar != nil {
		r.bar.step(v.how() + ": " + pkg)
	}
}

// drop says that some processes will not run, or, if negative, that more will.
func (r *reporter) drop(processes int) {
	if r.bar != nil {
		r.bar.drop(processes)
	}
}

func (r *reporter) close() {
	close(r.stop)
	if r.bar != nil {
		r.bar.finish()
	}
}

// A Progress is the bar for another measurement, whose steps are processes.
type Progress struct{ r *reporter }

// NewProgress draws on w if that is a terminal.
func NewProgress(w io.Writer) *Progress {
	r := newReporter(nil, w, 0)
	if r.bar != nil {
		r.bar.unit = "runs"
	}
	return &Progress{r}
}

// Step says that one more of total processes starts.
func (p *Progress) Step(total int, text string) {
	if p.r.bar != nil {
		p.r.bar.mu.Lock()
		p.r.bar.total = total
		p.r.bar.mu.Unlock()
		p.r.bar.step(text)
	}
}

// Close takes the bar away.
func (p *Progress) Close() { p.r.close() }
