package bench

import (
	"bytes"
	"regexp"
	"strings"
)

// A trace of Go has what went wrong at its head, with the goroutine that did it; the
// tail of it may be thousands of others.

var (
	crashLine  = regexp.MustCompile(`^(panic: |fatal error: |SIG[A-Z]+: )`)
	beforeLine = regexp.MustCompile(`^(runtime: |wherry: |unexpected fault address )`) // explains it
	goroutines = []byte("goroutine ")
)

// A trace keeps the head of the last trace among the lines of an output.
type trace struct {
	line   []byte // not ended yet
	before []byte
	head   []byte
	state  int
}

const (
	noTrace = iota
	inMessage
	inGoroutine
	ended // what follows are other goroutines
)

func (c *trace) Write(p []byte) {
	for {
		line, rest, ok := bytes.Cut(p, []byte("\n"))
		if room := tailSize - len(c.line); len(line) > room {
			line = line[:room]
		}
		c.line = append(c.line, line...)
		if !ok {
			return
		}
		c.take(c.line)
		c.line, p = c.line[:0], rest
	}
}

func (c *trace) take(line []byte) {
	switch starts := crashLine.Match(line); {
	case starts && (c.state == noTrace || c.state == ended):
		c.head, c.state = append(c.head[:0], c.before...), inMessage
	case c.state == inMessage && bytes.HasPrefix(line, goroutines):
		c.state = inGoroutine
	case c.state == inGoroutine && len(line) == 0:
		c.state = ended
	case c.state == inMessage && len(c.head) > tailSize:
		c.state = noTrace // no trace at all
	}
	if c.before = append(c.before, line...); !beforeLine.Match(line) || len(c.before) > tailSize {
		c.before = c.before[:0]
	} else {
		c.before = append(c.before, '\n')
	}
	if c.state == inMessage || c.state == inGoroutine && len(c.head) < tailSize {
		c.head = append(append(c.head, line...), '\n')
	}
}

// quote returns the lines indented below a message, or nothing.
func (c *trace) quote() string {
	if c.state < inGoroutine {
		return ""
	}
	return "\n\t" + strings.ReplaceAll(strings.TrimSpace(string(c.head)), "\n", "\n\t") + "\n\t..."
}
