package bench

import (
	"bytes"
	"strings"
	"sync"
)

// tailSize is how much of an output an error message may show.
const tailSize = 3000

// A tail keeps the end of what is written to it, and the head of a trace in it. Stdout
// and stderr of a process write from two goroutines.
type tail struct {
	mu    sync.Mutex
	buf   []byte
	cut   bool
	trace trace
}

func (t *tail) Write(p []byte) (int, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.trace.Write(p)
	t.buf = append(t.buf, p...)
	// Forgetting only now and then keeps the cost of small writes small.
	if len(t.buf) > 4*tailSize {
		t.forget()
	}
	return len(p), nil
}

// forget drops whole lines from the front.
func (t *tail) forget() {
	if len(t.buf) <= tailSize {
		return
	}
	rest := t.buf[len(t.buf)-tailSize:]
	if _, line, ok := bytes.Cut(rest, []byte("\n")); ok && len(line) > 0 {
		rest = line
	}
	t.buf = append(t.buf[:0], rest...)
	t.cut = true
}

// quote returns the lines indented below a message, or nothing.
func (t *tail) quote() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.forget()
	text := strings.TrimRight(string(t.buf), "\n")
	if text == "" {
		return ""
	}
	if t.cut {
		text = "...\n" + text
	}
	return "\n\t" + strings.ReplaceAll(text, "\n", "\n\t")
}
