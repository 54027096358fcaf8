package read_test

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/wherrygo/wherry/check"
	"github.com/wherrygo/wherry/internal/read"
)

// withoutCallback are the classes beside which a function is known not to call back.
var withoutCallback = []string{"alloc", "block", "syscall", "recursion", "dynamic-stack"}

// An answer is to a question of accel's: true is what lets a call be faster.
type answer struct {
	noCallback, noSyscall, noLoop, harmless, apart bool
}

func (a answer) each(b answer, f func(question string, a, b bool)) {
	f("no callback", a.noCallback, b.noCallback)
	f("no system call", a.noSyscall, b.noSyscall)
	f("no loop", a.noLoop, b.noLoop)
	f("does not wait", a.harmless, b.harmless)
	f("stack arguments", a.apart, b.apart)
}

func checked(r check.Result) (a answer, why []string) {
	harmless := r.Verdict == check.Safe || r.OnlyAllocates()
	a = answer{true, !slices.Contains(r.Notes, check.OwnSyscall), !r.Loops, harmless, !r.Watches && !r.Strict}
	for _, h := range r.Hazards {
		a.noCallback = a.noCallback && slices.Contains(withoutCallback, h.Class.String())
		a.apart = a.apart && (h.Class == check.Alloc || h.Class == check.DynamicStack)
		path := []string{}
		for _, f := range h.Path {
			path = append(path, f.Function)
		}
		why = append(why, fmt.Sprintf("%v %s (%s)", h.Class, strings.Join(path, " -> "), h.Detail))
	}
	return a, why
}

func readNow(f read.Function) (a answer, why []string) {
	a = answer{true, !f.Syscalls, !f.Loops, true, !f.Watches && !f.Strict}
	for _, r := range f.Does {
		a.noCallback = a.noCallback && slices.Contains(withoutCallback, r.Class.String())
		a.harmless = a.harmless && r.Class == read.Alloc
		a.apart = a.apart && (r.Class == read.Alloc || r.Class == read.DynamicStack)
		why = append(why, fmt.Sprintf("%v %s", r.Class, strings.Join(r.Path, " -> ")))
	}
	return a, why
}

// Answers are those of package check, but for what is listed here.
func TestAgreesWithCheck(t *testing.T) {
	files := strings.Fields(os.Getenv("WHERRY_LIBRARIES"))
	if len(files) == 0 {
		files, _ = filepath.Glob("/usr/lib/x86_64-linux-gnu/lib{z,lzma}.so.?")
	}
	for _, file := range files {
		old, err := check.Open(file, check.Options{})
		if err != nil {
			t.Error(err)
			continue
		}
		now, err := read.Open(file, read.Options{})
		if err != nil {
			t.Error(err)
			continue
		}
		names := old.AllFunctions()
		results, err := old.Check(names...)
		if err != nil {
			t.Error(err)
			continue
		}
		functions, err := now.Read(names...)
		if err != nil {
			t.Error(err)
			continue
		}
		differ := 0
		for i, name := range names {
			a, was := checked(results[i])
			b, is := readNow(functions[i])
			a.each(b, func(question string, a, b bool) {
				if a == b {
					return
				}
				differ++
				word, why := "lost", is
				if b {
					word, why = "won", was
				}
				t.Logf("%s: %s: %s: %s: %s", filepath.Base(file), name, question, word, strings.Join(why, "; "))
			})
		}
		if a, b := old.ComparesStack(), now.ComparesStack(); !slices.Equal(a, b) {
			t.Logf("%s: compares the stack pointer: %q, now %q", filepath.Base(file), a, b)
		}
		t.Logf("%s: %d functions, %d answers differ", filepath.Base(file), len(names), differ)
	}
}
