package handle

import (
	"fmt"
	"runtime"
	"strings"
)

// A Stack is a list of program counters, innermost first.
type Stack []uintptr

const stackDepth = 32

// callers returns the stack above the function that called its caller, which
// is skip frames up.
func callers(skip int) Stack {
	var pcs [stackDepth]uintptr
	n := runtime.Callers(skip+2, pcs[:])
	return append(Stack(nil), pcs[:n]...)
}

// String has two lines for each call, as in a panic.
func (s Stack) String() string {
	var b strings.Builder
	frames := runtime.CallersFrames(s)
	for {
		f, more := frames.Next()
		if f.Function != "" {
			fmt.Fprintf(&b, "\t%s\n\t\t%s:%d\n", f.Function, f.File, f.Line)
		}
		if !more {
			return b.String()
		}
	}
}
