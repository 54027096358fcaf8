package tests

import (
	"fmt"
	"os"
	"strconv"
	"strings"
	"testing"
)

const waitingProgram = `package main

/*
extern void goWait(void);
static int waitFor(int n)     { goWait(); return n + 1; }
static int waitPlainly(int n) { goWait(); return n + 1; }
*/
import "C"

import (
	"bufio"
	"fmt"
	"os"
	"runtime"
	"runtime/debug"
	"strconv"
	"strings"
	"sync"
)

var (
	inside sync.WaitGroup
	leave  = make(chan bool)
)

func wait() { inside.Done(); <-leave }

//export goWait
func goWait() { wait() }

// resident is exact: of /proc/self/status the kernel only says about as much, the less
// so the more processors there are.
func resident() int { return kilobytes("smaps_rollup", "Rss") }

// kilobytes reads one line of a file of the process.
func kilobytes(from, name string) int {
	file, err := os.Open("/proc/self/" + from)
	if err != nil {
		panic(err)
	}
	defer file.Close()
	for lines := bufio.NewScanner(file); lines.Scan(); {
		if value, ok := strings.CutPrefix(lines.Text(), name+":"); ok {
			n, err := strconv.Atoi(strings.Fields(value)[0])
			if err != nil {
				panic(err)
			}
			return n
		}
	}
	panic("/proc/self/" + from + " has no " + name)
}

func main() {
	n, err := strconv.Atoi(os.Args[2])
	if err != nil {
		panic(err)
	}
	debug.SetMaxThreads(n + 1000)
	before := resident()
	var all sync.WaitGroup
	sum := make(chan int, n)
	inside.Add(n)
	all.Add(n)
	for i := range n {
		go func() {
			defer all.Done()
			switch os.Args[1] {
			case "go":
				wait()
				sum <- i + 1
			case "locked":
				runtime.LockOSThread()
				wait()
				sum <- i + 1
			case "reentrant":
				sum <- int(C.waitFor(C.int(i)))
			case "cgo":
				sum <- int(C.waitPlainly(C.int(i)))
			}
		}()
	}
	inside.Wait()
	held, threads := resident()-before, kilobytes("status", "Threads")
	close(leave)
	all.Wait()
	close(sum)
	got := 0
	for v := range sum {
		got += v
	}
	if want := n * (n + 1) / 2; got != want {
		panic(fmt.Sprintf("the calls return %d in total, want %d", got, want))
	}
	fmt.Println(held, threads)
}
`

// maxWaiting is what a reentrant call may hold in memory, while its callback
// waits, beyond a goroutine that waits with a thread of its own, in bytes: a page
// of its C stack, and one to spare.
const maxWaiting = 8 << 10

// Many goroutines may each wait in a callback, in a reentrant call of its own.
// Each has a thread, as by cgo, which is most of what it costs.
func TestManyWaitInCallbacks(t *testing.T) {
	needsFastPath(t)
	n := 1000
	if text := os.Getenv("WHERRY_WAITING"); text != "" {
		var err error
		if n, err = strconv.Atoi(text); err != nil || n < 1 {
			t.Fatalf("WHERRY_WAITING=%s: want a number of goroutines", text)
		}
	}
	m := newModule(t, map[string]string{"main.go": waitingProgram, "wherry.policy": "example.com/m waitFor reentrant\n"})
	if rep := m.build("fast"); !strings.Contains(rep.direct(), "waitFor") {
		t.Fatalf("waitFor is not reentrant: %s", rep.why("waitFor"))
	}
	each := map[string]int{} // bytes
	for _, mode := range []string{"go", "locked", "reentrant", "cgo"} {
		r := m.must("./fast", mode, fmt.Sprint(n))
		var held, threads int
		if _, err := fmt.Sscan(r.stdout, &held, &threads); err != nil {
			t.Fatalf("%s: output %q: %v", mode, r.stdout, err)
		}
		if mode != "go" && threads < n {
			t.Errorf("%s: %d threads for %d goroutines", mode, threads, n)
		}
		each[mode] = held << 10 / n
		t.Logf("%d goroutines wait, %s: %d bytes resident each, %d threads", n, mode, each[mode], threads)
	}
	if beyond := each["reentrant"] - each["locked"]; beyond > maxWaiting {
		t.Errorf("waiting in a callback holds %d bytes more than waiting with a thread does, want at most %d (by cgo: %d)",
			beyond, maxWaiting, each["cgo"]-each["locked"])
	}
}
