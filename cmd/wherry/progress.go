package main

import (
	"fmt"
	"io"
	"os"
	"sync"
	"time"

	"github.com/wherrygo/wherry/cmd/wherry/internal/measure"
	"github.com/wherrygo/wherry/internal/build/accel"
	"github.com/wherrygo/wherry/internal/printable"
)

// patience is how long a build may take before a line on the terminal says what it is at.
const patience = 2 * time.Second

// shownSteps is the line of this build: nil where it has none.
var shownSteps *progress

// A progress is a line that says what a build is at, and is gone at its end. The go command writes
// through it, so that its messages stand above.
type progress struct {
	*measure.Waiting
	mu    sync.Mutex
	dir   string // where tools write what they are at
	doing string // what wherry does itself, or ""
	since time.Time
}

// showSteps begins a line, if there is a terminal that can show it.
func showSteps() {
	if os.Getenv("TERM") == "dumb" {
		return
	}
	p := &progress{}
	if p.Waiting = measure.WaitFor(os.Stderr, func(time.Duration) string { return p.line(time.Now()) }); p.IsShown() {
		shownSteps, stderr = p, printable.Writer{To: p}
	}
}

// hideSteps takes the line away, for good.
func hideSteps() {
	if p := shownSteps; p != nil { // a signal may ask for it at the same time
		p.Stop()
		shownSteps, stderr = nil, printable.Writer{To: os.Stderr}
	}
}

// doing says what wherry does until the tools begin.
func doing(what string) {
	if p := shownSteps; p != nil {
		p.mu.Lock()
		defer p.mu.Unlock()
		p.doing, p.since = what, time.Now()
	}
}

// watch has the tools by the configuration in a folder say what they do.
func watch(dir string) {
	if p := shownSteps; p != nil && accel.WatchSteps(dir) == nil {
		p.mu.Lock()
		defer p.mu.Unlock()
		p.dir, p.doing = dir, ""
	}
}

// line is what is shown at a time, or "".
func (p *progress) line(now time.Time) string {
	p.mu.Lock()
	defer p.mu.Unlock()
	what, compiled := p.doing, 0
	if what == "" && p.dir != "" {
		steps := accel.ReadSteps(p.dir)
		what, compiled = steps.Now(), steps.Compiled
		if what != "" && p.since.IsZero() {
			p.since = now
		}
	}
	switch lasts := now.Sub(p.since); {
	case what == "" || lasts < patience:
		return ""
	case compiled > 1:
		return fmt.Sprintf("wherry: %.0f s, package %d: %s", lasts.Seconds(), compiled, what)
	default:
		return fmt.Sprintf("wherry: %.0f s: %s", lasts.Seconds(), what)
	}
}

// goErrors is where the go command writes its messages.
func goErrors() io.Writer {
	if p := shownSteps; p != nil {
		return p
	}
	return os.Stderr
}
