package inflight

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/wherrygo/wherry/internal/crossing/blocking"
)

// Functions with these signatures install handlers: f(signal, handler).
var installers = []string{"signal", "bsd_signal", "sysv_signal", "__sysv_signal", "ssignal", "sigset"}

// And these set the mask: f(how, set, old).
var maskers = []string{"pthread_sigmask", "sigprocmask"}

// buffered are functions that wait only when a stream's buffer does not do, with the
// macros of c/stdio.c that know their signatures.
var buffered = map[string]string{
	"fread": "READS", "fread_unlocked": "READS", "__fread_chk": "READS_CHECKED", "__fread_unlocked_chk": "READS_CHECKED",
	"fgetc": "READS_BYTE", "fgetc_unlocked": "READS_BYTE", "getc": "READS_BYTE", "getc_unlocked": "READS_BYTE", "_IO_getc": "READS_BYTE",
	"fgets": "READS_LINE", "fgets_unlocked": "READS_LINE", "__fgets_chk": "READS_LINE_CHECKED", "getline": "READS_WHOLE_LINE",
	"fwrite": "WRITES", "fwrite_unlocked": "WRITES", "fputs": "WRITES_STRING", "fputs_unlocked": "WRITES_STRING",
	"fputc": "WRITES_BYTE", "fputc_unlocked": "WRITES_BYTE", "putc": "WRITES_BYTE", "putc_unlocked": "WRITES_BYTE", "_IO_putc": "WRITES_BYTE",
}

// interposition is the C text of the functions of the C library that the program
// defines itself.
type interposition struct {
	slots, thunks, functions strings.Builder
	n                        int
}

// blocking returns a table of the addresses of the functions of the C library which
// may block, and for each a few instructions that go to _wherry_blocks, or for a
// lock a function that tries it first.
func (t Target) blocking() *interposition {
	text := &interposition{n: 2} // sigaction and pthread_getattr_np stand before
	for _, f := range blocking.Functions() {
		switch f.Kind {
		case blocking.Mask:
			if slices.Contains(maskers, f.Name) {
				fmt.Fprintf(&text.functions, "MASKS(%s, &_wherry_slots[%d])\n", f.Name, text.slot(f, t.GOARCH))
				continue
			}
			fallthrough
		case blocking.Blocks:
			slot := text.slot(f, t.GOARCH)
			code := thunk(t.GOARCH, f.Name, slot*slotSize, t.Hidden)
			if macro := buffered[f.Name]; macro != "" {
				code = "#ifndef __GLIBC__\n" + code + "#endif\n"
				fmt.Fprintf(&text.functions, "#ifdef __GLIBC__\n%s(%s, &_wherry_slots[%d])\n#endif\n", macro, f.Name, slot)
			}
			text.thunks.WriteString(code)
		case blocking.Tries:
			try, _ := blocking.Lookup(f.Try) // it is there: a test of package blocking
			fmt.Fprintf(&text.functions, "TRIES(%s, &_wherry_slots[%d], &_wherry_slots[%d], %d, %s)\n", f.Name, text.slot(try, t.GOARCH),
				text.slot(f, t.GOARCH), f.Busy, mayTry(f))
		case blocking.Handler:
			if slices.Contains(installers, f.Name) {
				fmt.Fprintf(&text.functions, "INSTALLS(%s, &_wherry_slots[%d])\n", f.Name, text.slot(f, t.GOARCH))
			}
		}
	}
	return text
}

// mayTry is a condition of C, of the lock function's arguments after the lock: a and b.
func mayTry(f blocking.Function) string {
	condition := "1"
	switch {
	case f.Clock:
		condition = "valid_clock(a) && valid_time(b)"
	case f.Time:
		condition = "valid_time(a)"
	}
	if f.Cancels {
		condition = "(" + condition + ") && (pthread_testcancel(), 1)"
	}
	return condition
}

// slot adds a function to the table and returns its index.
func (i *interposition) slot(f blocking.Function, goarch string) int {
	version := "NULL"
	if v := f.Versions[goarch]; v != "" {
		version = strconv.Quote(v)
	}
	fmt.Fprintf(&i.slots, "{NULL, %q, %s}, ", f.Name, version)
	i.n++
	return i.n - 1
}

const slotSize = 24 // bytes

// thunk is a function that goes to _wherry_blocks, with its slot's address in a
// register that is free between a call and a function's begin.
func thunk(goarch, name string, offset int, hidden bool) string {
	lines := []string{".weak " + name, ".type " + name + ", %function", name + ":"}
	if hidden {
		lines = append([]string{".hidden " + name}, lines...)
	}
	if goarch == "amd64" {
		lines[len(lines)-2] = ".type " + name + ", @function"
		lines = append(lines, fmt.Sprintf("leaq _wherry_slots+%d(%%rip), %%r11", offset), "jmp _wherry_blocks")
	} else {
		lines = append(lines, fmt.Sprintf("adrp x16, _wherry_slots+%d", offset),
			fmt.Sprintf("add x16, x16, :lo12:_wherry_slots+%d", offset), "b _wherry_blocks")
	}
	lines = append(lines, ".size "+name+", .-"+name)
	var text strings.Builder
	for _, line := range lines {
		fmt.Fprintf(&text, "\t%q\n", line+"\n")
	}
	return text.String()
}
