package main

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
			case "fast":
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
