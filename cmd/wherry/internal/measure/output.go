package measure

import (
	"bytes"
	"regexp"
	"strings"
	"sync"
)

const (
	shownOutput = 3000     // bytes that an error message may show
	keptOutput  = 16 << 20 // of these it shows a part
)

// An output keeps the end of what is written to it. Stdout and stderr of a process
// write from two goroutines.
type output struct {
	mu   sync.Mutex
	text []byte
	cut  bool
}

func (o *output) Write(p []byte) (int, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.text = append(o.text, p...)
	if len(o.text) > 2*keptOutput {
		o.text, o.cut = append(o.text[:0], o.text[len(o.text)-keptOutput:]...), true
	}
	return len(p), nil
}

// end returns the last lines, indented below a message, or nothing.
func (o *output) end() string {
	o.mu.Lock()
	defer o.mu.Unlock()
	text, cut := o.text, o.cut
	if len(text) > shownOutput {
		text, cut = text[len(text)-shownOutput:], true
		if _, lines, ok := bytes.Cut(text, []byte("\n")); ok && len(lines) > 0 {
			text = lines
		}
	}
	switch shown := strings.TrimRight(string(text), "\n"); {
	case shown == "":
		return ""
	case cut:
		return indented("...\n" + shown)
	default:
		return indented(shown)
	}
}

// A trace of Go has what went wrong at its head, with lines that explain it before, and
// the goroutine that did it; the tail of it may be thousands of others.
const trace = `(?m)(?:^(?:runtime: |wherry: |unexpected fault address ).*\n)*` +
	`^(?:panic: |fatal error: |SIG[A-Z]+: )(?:.*\n){1,30}?goroutine .*\n(?:.+\n?)*`

// crash returns the head of the last trace, or nothing.
func (o *output) crash() string {
	o.mu.Lock()
	defer o.mu.Unlock()
	all := regexp.MustCompile(trace).FindAll(o.text, -1)
	if len(all) == 0 {
		return ""
	}
	head := all[len(all)-1]
	return indented(strings.TrimSpace(string(head[:min(len(head), shownOutput)])) + "\n...")
}

func indented(text string) string { return "\n\t" + strings.ReplaceAll(text, "\n", "\n\t") }
