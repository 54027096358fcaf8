package bench

import (
	"fmt"
	"io"
	"strings"
	"sync"
	"time"
)

// A bar is a line at the bottom of a terminal:
//
//	[######..............] 12/40 rounds, 4m10s left, with wherry: example.com/p
//
// Its unit is the process, of which a round has two.
type bar struct {
	unit  string // what is counted; "" is rounds, of two processes each
	w     io.Writer
	width func() int
	now   func() time.Time

	mu       sync.Mutex
	started  int // processes, the running one included
	total    int
	text     string
	begin    time.Time // of the first process
	current  time.Time // when the running one began
	finished bool
}

const clearLine = "\r\x1b[K"

func (b *bar) step(text string) {
	b.mu.Lock()
	b.current = b.now()
	if b.started == 0 {
		b.begin = b.current
	}
	b.started++
	b.text = text
	b.mu.Unlock()
	b.draw()
}

func (b *bar) drop(processes int) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.total -= processes
}

func (b *bar) draw() {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.started > 0 && !b.finished {
		io.WriteString(b.w, clearLine+b.line())
	}
}

func (b *bar) clear() {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.started > 0 && !b.finished {
		io.WriteString(b.w, clearLine)
	}
}

// finish clears the line for good.
func (b *bar) finish() {
	b.clear()
	b.mu.Lock()
	defer b.mu.Unlock()
	b.finished = true
}

const barCells = 20

func (b *bar) line() string {
	done := b.started - 1
	cells := min(barCells, barCells*done/max(1, b.total))
	unit, per := b.unit, 1
	if unit == "" {
		unit, per = "rounds", len(variants)
	}
	line := fmt.Sprintf("[%s%s] %d/%d %s%s, %s",
		strings.Repeat("#", cells), strings.Repeat(".", barCells-cells),
		done/per, b.total/per, unit, b.remaining(done), b.text)
	// A line that wraps could not be cleared.
	if width := b.width() - 1; len(line) > width {
		line = line[:max(0, width)]
	}
	return line
}

// remaining takes the mean of the processes so far. It is unknown during the
// first one.
func (b *bar) remaining(done int) string {
	if done == 0 {
		return ""
	}
	mean := b.current.Sub(b.begin) / time.Duration(done)
	left := mean*time.Duration(b.total-done) - b.now().Sub(b.current)
	return ", " + max(0, left).Round(time.Second).String() + " left"
}
