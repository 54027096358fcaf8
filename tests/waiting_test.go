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
`

// maxWaiting is what a call on a C stack may hold in memory, while its callback
// waits, beyond a goroutine that waits with a thread of its own, in bytes: a page
// of its C stack, and one to spare.
const maxWaiting = 8 << 10

// Many goroutines may each wait in a callback, in a call of its own on a C stack.
// Each has a thread, as through cgo, which is most of what it costs.
func TestManyWaitInCallbacks(t *testing.T) {
	t.Parallel()
	needsFastPath(t)
	n := 1000
	if text := os.Getenv("WHERRY_WAITING"); text != "" {
		var err error
		if n, err = strconv.Atoi(text); err != nil || n < 1 {
			t.Fatalf("WHERRY_WAITING=%s: want a number of goroutines", text)
		}
	}
	m := newModule(t, map[string]string{"main.go": waitingProgram, "wherry.policy": "example.com/m waitPlainly cgo\n"})
	if rep := m.build("fast"); !strings.Contains(rep.fast(), "waitFor") {
		t.Fatalf("waitFor is not fast: %s", rep.why("waitFor"))
	}
	each := map[string]int{} // bytes
	for _, mode := range []string{"go", "locked", "fast", "cgo"} {
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
	if beyond := each["fast"] - each["locked"]; beyond > maxWaiting {
		t.Errorf("waiting in a callback holds %d bytes more than waiting with a thread does, want at most %d (through cgo: %d)",
			beyond, maxWaiting, each["cgo"]-each["locked"])
	}
}

const waitingForGo = `package main

/*
#cgo LDFLAGS: -lpthread
#include <pthread.h>
#include <sched.h>
#include <time.h>
#include <unistd.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int turn, flag;

// pass waits until it is its turn, and gives it to the other.
static int pass(int me) {
	pthread_mutex_lock(&mutex);
	while (turn != me) pthread_cond_wait(&changed, &mutex);
	turn = !me;
	pthread_cond_broadcast(&changed);
	pthread_mutex_unlock(&mutex);
	return me;
}

static int receive(int fd) { char c; return read(fd, &c, 1) == 1 ? c : -1; }

// await computes until somebody sets the flag.
static void await(void) { while (!__atomic_load_n(&flag, __ATOMIC_ACQUIRE)); }
static void set(int to) { __atomic_store_n(&flag, to, __ATOMIC_RELEASE); }

// locked holds the mutex across a callback.
extern void hold(void);
static long locked(long *n) {
	pthread_mutex_lock(&mutex);
	long before = (*n)++;
	hold();
	long after = *n;
	pthread_mutex_unlock(&mutex);
	return after - before;
}

static int rest(long ms) { struct timespec t = {0, ms * 1000000}; return nanosleep(&t, 0); }
*/
import "C"

import (
	"fmt"
	"os"
	"runtime"
	"sync"
	"sync/atomic"
	"syscall"
	"time"
	"unsafe"
)

//export hold
func hold() { runtime.Gosched() }

var scenarios = map[string]func(){
	"condition": func() {
		var all sync.WaitGroup
		for me := range C.int(2) {
			all.Add(1)
			go func() {
				defer all.Done()
				for range 500 {
					C.pass(me)
				}
			}()
		}
		all.Wait()
	},
	"read": func() {
		var ends [2]int
		if err := syscall.Pipe(ends[:]); err != nil {
			panic(err)
		}
		for i := range 200 {
			go func() { syscall.Write(ends[1], []byte{byte(i % 100)}) }()
			if got := C.receive(C.int(ends[0])); got != C.int(i%100) {
				panic(got)
			}
		}
	},
	"computing": func() {
		for range 3 {
			go func() { runtime.GC(); C.set(1) }()
			C.await()
			C.set(0)
		}
	},
	"lock": func() {
		n := (*C.long)(unsafe.Pointer(new([8]C.long)))
		var pin runtime.Pinner
		pin.Pin(n)
		var all sync.WaitGroup
		for range 8 {
			all.Add(1)
			go func() {
				defer all.Done()
				for range 100 {
					if got := C.locked(n); got != 1 {
						panic(got)
					}
				}
			}()
		}
		all.Wait()
		fmt.Println(*n)
	},
	"sleep": func() {
		// Another goroutine goes on meanwhile, and no signal ends the sleep.
		var collections atomic.Int64
		go func() {
			for {
				runtime.GC()
				collections.Add(1)
			}
		}()
		for range 500 {
			before, start := collections.Load(), time.Now()
			if r := C.rest(20); r != 0 || time.Since(start) < 20*time.Millisecond {
				panic(fmt.Sprint("it slept ", time.Since(start), ", result ", r))
			}
			if collections.Load() >= before+2 {
				return
			}
		}
		panic("in no sleep did another goroutine run")
	},
}

func main() {
	runtime.GOMAXPROCS(1)
	scenarios[os.Args[1]]()
	fmt.Println("ok")
}
`

// C may wait for what other goroutines do, with a single P too: in a system call, for a
// condition, in a loop, and with a lock held while Go runs. While it sleeps the others
// run, and it sleeps to the end.
func TestCWaitsForGo(t *testing.T) {
	onEachAlone(t, func(t *testing.T, on target) {
		m := newModule(t, map[string]string{"main.go": waitingForGo}).on(on)
		m.must("go", "build", "-o", "plain")
		if rep := m.build("./fast"); rep.fast() != "await locked pass receive rest set" {
			t.Fatalf("got fast functions %q", rep.fast())
		}
		m.write("wherry.policy", "example.com/m * reentrant\n")
		m.build("./reentrant")
		for _, name := range []string{"condition", "read", "computing", "lock", "sleep"} {
			want := m.mustProgram("./plain", name).stdout
			for _, program := range []string{"./fast", "./reentrant"} {
				if r := m.program(program, name); r.status != 0 || r.stdout != want {
					t.Errorf("%s, %s: exit status %d, output %q, want %q\n%.2000s", program, name, r.status, r.stdout, want, r.stderr)
				}
			}
		}
	})
}
