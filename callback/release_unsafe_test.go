//go:build linux && (amd64 || arm64) && cgo

package callback_test

import (
	"bytes"
	"os"
	"runtime"
	"strings"
	"testing"
	"time"
	"unsafe"

	"github.com/wherrygo/wherry/callback"
	"github.com/wherrygo/wherry/callback/internal/cexample"
)

// Pointers that were released are used again, and memory does not grow.
func TestNewAndRelease(t *testing.T) {
	round := func(n int) {
		for i := range n {
			c, err := callback.New(func(x int64) int64 { return x + int64(i) })
			if err != nil {
				t.Fatal(err)
			}
			if i%1000 == 0 {
				if got := apply(c.Pointer(), 2); got != int64(1+2*i) {
					t.Fatalf("got %d, want %d", got, 1+2*i)
				}
			}
			c.Release()
			c.Release() // does nothing
		}
	}
	heap := func() uint64 {
		runtime.GC()
		var stats runtime.MemStats
		runtime.ReadMemStats(&stats)
		return stats.HeapAlloc
	}
	round(10000)
	before, used := mappings(t), heap()
	begin := time.Now()
	round(1000000)
	t.Logf("%v each", time.Since(begin)/1000000)
	if after := mappings(t); after != before {
		t.Errorf("%d executable mappings became %d", before, after)
	}
	if now := heap(); now > used+4<<20 {
		t.Errorf("the heap grew from %d to %d bytes", used, now)
	}
	// What was released twice is used once.
	users := map[unsafe.Pointer]bool{}
	for range 2000 {
		c, err := callback.New(func(x int64) int64 { return x })
		if err != nil {
			t.Fatal(err)
		}
		defer c.Release()
		users[c.Pointer()] = true
	}
	if len(users) != 2000 {
		t.Errorf("2000 callbacks have %d pointers", len(users))
	}
}

// mappings is how many executable mappings there are: each region has one.
// Others come and go with threads and with the heap.
func mappings(t *testing.T) (n int) {
	text, err := os.ReadFile("/proc/self/maps")
	if err != nil {
		t.Fatal(err)
	}
	for line := range bytes.Lines(text) {
		mode := bytes.Fields(line)[1]
		if bytes.Contains(mode, []byte("wx")) {
			t.Errorf("writable and executable: %s", line)
		}
		if bytes.Contains(mode, []byte("x")) {
			n++
		}
	}
	return n
}

func TestManyAtOnce(t *testing.T) {
	var all []*callback.Func
	for i := range 20000 {
		c, err := callback.New(func(x int64) int64 { return x + int64(i) })
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, c)
	}
	runtime.GC()
	for i, c := range all {
		if got := apply(c.Pointer(), 1); got != int64(i) {
			t.Fatalf("callback %d gives %d", i, got)
		}
		c.Release()
	}
	mappings(t)
}

func TestCallAfterRelease(t *testing.T) {
	if way := os.Getenv("WHERRY_RELEASED"); way != "" {
		c, err := callback.New(func(x int64) int64 { return x })
		if err != nil {
			t.Fatal(err)
		}
		c.Release()
		map[string]func(unsafe.Pointer, int64) int64{"reentrant": apply, "thread": cexample.OnThread, "cgo": cexample.Apply}[way](c.Pointer(), 1)
		os.Exit(0)
	}
	for _, way := range []string{"reentrant", "thread", "cgo"} {
		for _, debug := range []string{"0", "1"} {
			cmd := again("-test.run=^TestCallAfterRelease$")
			cmd.Env = append(os.Environ(), "WHERRY_RELEASED="+way, "WHERRY_CALLBACK_DEBUG="+debug)
			output, _ := cmd.CombinedOutput()
			text := string(output)
			if cmd.ProcessState.ExitCode() != 2 || !strings.HasPrefix(text, "callback: C called a function pointer that was released") {
				t.Errorf("%s: status %d, %s", way, cmd.ProcessState.ExitCode(), text)
			}
			if stacks := strings.Contains(text, "made by:") && strings.Contains(text, "released by:") &&
				strings.Contains(text, "(*Func).Release"); stacks != (debug == "1") {
				t.Errorf("%s, debug %s: stacks %v\n%s", way, debug, stacks, text)
			}
		}
	}
}

// In debug mode no pointer is used again, and only a full region asks for the next.
func TestDebugModeNeverReuses(t *testing.T) {
	const n, perRegion = 3000, 256
	if os.Getenv("WHERRY_CALLBACK_DEBUG") != "1" {
		cmd := again("-test.run=^TestDebugModeNeverReuses$")
		cmd.Env = append(os.Environ(), "WHERRY_CALLBACK_DEBUG=1")
		if output, err := cmd.CombinedOutput(); err != nil {
			t.Errorf("%v\n%s", err, output)
		}
		return
	}
	before := mappings(t)
	seen := map[unsafe.Pointer]bool{}
	for range n {
		c, err := callback.New(func(x int64) int64 { return x })
		if err != nil {
			t.Fatal(err)
		}
		seen[c.Pointer()] = true
		c.Release()
	}
	if len(seen) != n {
		t.Errorf("%d callbacks have %d pointers", n, len(seen))
	}
	if regions := mappings(t) - before; regions > n/perRegion+1 {
		t.Errorf("%d callbacks take %d regions, want %d", n, regions, n/perRegion+1)
	}
}
