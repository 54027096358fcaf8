package policy

import (
	"fmt"
	"path"
	"strconv"
	"strings"
)

// MaxStack is the largest C stack that a rule may ask for, in bytes.
const MaxStack = 1 << 30

// setMode reads the word for a mode, as in fast or reentrant=1M, and checks
// the rule.
func (r *Rule) setMode(word string) error {
	if _, err := path.Match(r.Glob, ""); err != nil {
		return errorAt(r.File, r.Line, "malformed glob %s: want the syntax of Go's path.Match, such as sqlite3_bind_*", quoted(r.Glob))
	}
	mode, size, sized := strings.Cut(word, "=")
	if err := r.Mode.UnmarshalText([]byte(mode)); err != nil {
		return errorAt(r.File, r.Line, "unknown mode %s: want cgo, fast, reentrant or nocallback", quoted(mode))
	}
	if !sized {
		return nil
	}
	if r.Mode != Reentrant {
		return errorAt(r.File, r.Line, "%s has no C stack of its own, so %s means nothing; want %s, or reentrant=%s", mode,
			quoted("="+size), mode, shortened(size))
	}
	bytes, err := parseSize(size)
	if err != nil {
		return errorAt(r.File, r.Line, "%s: size of a C stack %s: want bytes with K or M, from 4K to 1024M, such as reentrant=1M",
			shortened(word), quoted(size))
	}
	r.Stack = bytes
	return nil
}

func parseSize(text string) (int64, error) {
	number, unit := text, int64(1)
	if digits, ok := strings.CutSuffix(text, "K"); ok {
		number, unit = digits, 1<<10
	} else if digits, ok := strings.CutSuffix(text, "M"); ok {
		number, unit = digits, 1<<20
	}
	n, err := strconv.ParseUint(number, 10, 31)
	if err != nil {
		return 0, err
	}
	if size := int64(n) * unit; size >= 4<<10 && size <= MaxStack {
		return size, nil
	}
	return 0, strconv.ErrRange
}

// Words is the mode as a policy says it.
func (r *Rule) Words() string {
	switch {
	case r.Stack == 0:
		return r.Mode.String()
	case r.Stack%(1<<20) == 0:
		return fmt.Sprintf("%s=%dM", r.Mode, r.Stack>>20)
	case r.Stack%(1<<10) == 0:
		return fmt.Sprintf("%s=%dK", r.Mode, r.Stack>>10)
	}
	return fmt.Sprintf("%s=%d", r.Mode, r.Stack)
}
