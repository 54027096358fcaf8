package check

import (
	"fmt"
	"runtime"
	"strings"
	"testing"
)

// TestReadersAgree judges with one reader and with several: the results are
// the same to the letter. The chain of functions of which only the last one
// shows that none returns makes them read each other's callers again.
func TestReadersAgree(t *testing.T) {
	var source strings.Builder
	source.WriteString("int usleep(unsigned); void e0(int) __attribute__((noinline)); void e0(int x) { for (;;) __builtin_trap(); }\n")
	const links = 40
	for i := 1; i < links; i++ {
		fmt.Fprintf(&source, "__attribute__((noinline)) void e%d(int x) { volatile int y = x; e%d(y + %d); usleep(y); }\n", i, i-1, i)
		fmt.Fprintf(&source, "__attribute__((noinline)) int f%d(int x) { if (x > %d) { e%d(x); usleep(x); } return x; }\n", i, i, i)
	}
	// Without these gcc knows as well that nobody returns.
	object := compile(t, "gcc", source.String(), "-O1", "-fno-ipa-pure-const", "-fno-ipa-modref", "-fPIC")
	var names []string
	for i := links - 1; i > 0; i-- {
		names = append(names, fmt.Sprintf("f%d", i))
	}
	judge := func(readers int) string {
		defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(readers))
		p, err := Open(object, Options{})
		if err != nil {
			t.Fatal(err)
		}
		own, err := p.Check(names...)
		if err != nil {
			t.Fatal(err)
		}
		for _, r := range own {
			if r.Verdict != Safe {
				t.Fatalf("%d readers: %s: %v, want safe: what is behind a call that does not return counts: %v", readers, r.Name, r.Verdict, r.Hazards)
			}
		}
		text := fmt.Sprintf("%+v\n", own)
		if p, err = Open("/lib/x86_64-linux-gnu/libz.so.1", Options{}); err != nil {
			return text
		}
		library, err := p.Check(p.Functions()...)
		if err != nil {
			t.Fatal(err)
		}
		return text + strings.ReplaceAll(fmt.Sprintf("%+v", library), "} {", "}\n{")
	}
	want := judge(1)
	for range 20 {
		if got := judge(maxReaders); got != want {
			t.Fatalf("got %s\nwant %s", got, want)
		}
	}
}
