//go:build linux && (amd64 || arm64) && cgo

package callback_test

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"runtime"
	"runtime/pprof"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"
	"unsafe"

	"github.com/wherrygo/wherry/callback"
	"github.com/wherrygo/wherry/callback/internal/cexample"
	"github.com/wherrygo/wherry/direct"
)

// The C functions, on C stacks of their own.
var (
	apply = direct.MustReentrant[func(f unsafe.Pointer, n int64) int64](cexample.Address("apply"))
	sort  = direct.MustReentrant[func(base []int32, size int64, compare unsafe.Pointer)](cexample.Address("sort"))
)

func made(t testing.TB, f any) unsafe.Pointer {
	t.Helper()
	c, err := callback.New(f)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(c.Release)
	return c.Pointer()
}

// again runs this program's tests in another process. WHERRY_EMULATOR is what
// has to run it, if this processor cannot.
func again(args ...string) *exec.Cmd {
	command := append(strings.Fields(os.Getenv("WHERRY_EMULATOR")), os.Args[0])
	command = append(command, args...)
	return exec.Command(command[0], command[1:]...)
}

// All of these tests for arm64, in qemu-user.
func TestOnArm64(t *testing.T) {
	const compiler, emulator = "aarch64-linux-gnu-gcc", "qemu-aarch64 -L /usr/aarch64-linux-gnu"
	if testing.Short() || runtime.GOARCH == "arm64" {
		t.Skip("the other tests are enough, on arm64 and with -short")
	}
	for _, tool := range []string{compiler, "qemu-aarch64"} {
		if _, err := exec.LookPath(tool); err != nil {
			t.Skipf("%v (Debian: qemu-user, gcc-aarch64-linux-gnu)", err)
		}
	}
	program := t.TempDir() + "/callback.test"
	cmd := exec.Command("go", "test", "-c", "-o", program, ".")
	cmd.Env = append(os.Environ(), "GOARCH=arm64", "CGO_ENABLED=1", "CC="+compiler)
	if output, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, output)
	}
	cmd = exec.Command(strings.Fields(emulator)[0], append(strings.Fields(emulator)[1:], program, "-test.timeout=5m")...)
	cmd.Env = append(os.Environ(), "WHERRY_EMULATOR="+emulator)
	if output, err := cmd.CombinedOutput(); err != nil {
		t.Errorf("%v\n%s", err, output)
	}
}

// The same through plain cgo, in another process.
func TestByPlainCgo(t *testing.T) {
	cmd := again("-test.run=^TestTypes$|^TestWays$|^TestPanicPasses$|^TestPreserved$")
	cmd.Env = append(os.Environ(), "WHERRY_SLOW=1")
	if output, err := cmd.CombinedOutput(); err != nil {
		t.Errorf("%v\n%s", err, output)
	}
}

func TestWays(t *testing.T) {
	double := made(t, func(x int64) int64 { return 2 * x })
	before := runtime.NumCgoCall()
	apply(double, 1)
	slow := direct.Supported()
	if byCgo := runtime.NumCgoCall() != before; byCgo != (slow != nil) || slow == nil && os.Getenv("WHERRY_SLOW") != "" {
		t.Errorf("WHERRY_SLOW=%s: reentrant calls go through cgo: %v; slow because %v", os.Getenv("WHERRY_SLOW"), byCgo, slow)
	}
	for name, way := range map[string]func(unsafe.Pointer, int64) int64{"reentrant": apply, "C thread": cexample.OnThread,
		"cgo": cexample.Apply} {
		if got := way(double, 1000); got != 999000 {
			t.Errorf("%s: got %d, want 999000", name, got)
		}
	}
}

func TestTypes(t *testing.T) {
	floats := direct.MustReentrant[func(unsafe.Pointer) float64](cexample.Address("give_floats"))
	if got := floats(made(t, func(a float64, b float32, c float64) float64 { return 100*a + 10*float64(b) + c })); got != 169.5 {
		t.Errorf("floats: got %v, want 169.5", got)
	}
	narrow := direct.MustReentrant[func(unsafe.Pointer) int32](cexample.Address("give_narrow"))
	var seen string
	if got := narrow(made(t, func(a int8, b uint8, c int16, d uint16, e int32, f uint32) bool {
		seen = fmt.Sprint(a, b, c, d, e, f)
		return true
	})); got != 1 || seen != "-1 255 -2 65535 -3 4294967295" {
		t.Errorf("narrow: got %d, saw %s", got, seen)
	}
	many := direct.MustReentrant[func(unsafe.Pointer) int64](cexample.Address("give_many"))
	if got := many(made(t, func(a, b, c, d, e, f, g int64, h int8, i, j, k, l, m, n, o, p float64, q float32) int64 {
		seen = fmt.Sprint(a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q)
		return -12
	})); got != -12 || seen != "1 2 3 4 5 6 7 -8 1 2 3 4 5 6 7 8 9.5" {
		t.Errorf("many: got %d, saw %s", got, seen)
	}
	type pair struct {
		a int64
		b float64
	}
	type small struct {
		a int8
		b int16
		c float32
	}
	pairs := direct.MustReentrant[func(unsafe.Pointer) float64](cexample.Address("give_pairs"))
	if got := pairs(made(t, func(p pair, s small) pair {
		return pair{p.a + int64(s.a) + int64(s.b), p.b + float64(s.c)}
	})); got != 2005 {
		t.Errorf("pairs: got %v, want 2005", got)
	}
	// In four registers on arm64.
	type quad struct{ a, b, c, d float32 }
	quads := direct.MustReentrant[func(unsafe.Pointer) float64](cexample.Address("give_quads"))
	if got := quads(made(t, func(q quad, x float32) quad {
		return quad{q.d + x, q.c + x, q.b + x, q.a + x}
	})); got != 4876.5 {
		t.Errorf("quads: got %v, want 4876.5", got)
	}
}

func TestRefusals(t *testing.T) {
	for want, f := range map[string]any{
		"is no func":                              3,
		"argument 1 (string): C has no":           func(string) {},
		"argument 2 ([]int): C has no":            func(int, []int) {},
		"result 2":                                func() (int, int) { return 0, 0 },
		"no errno comes from Go":                  func() direct.Errno { return 0 },
		"argument 1 (map[int]int): a Go map is n": func(map[int]int) {},
	} {
		if _, err := callback.New(f); err == nil || !strings.HasPrefix(err.Error(), "callback: ") || !strings.Contains(err.Error(), want) {
			t.Errorf("got %v, want %q", err, want)
		}
	}
	if _, err := callback.New((func())(nil)); err == nil {
		t.Error("a nil func is taken")
	}
}

func TestPreserved(t *testing.T) {
	preserved := direct.MustReentrant[func(unsafe.Pointer) int64](cexample.Address("preserved"))
	same := made(t, func(x int64) int64 { grow(int(x)); return 0 })
	want := preserved(made(t, func(x int64) int64 { return 0 }))
	if got := preserved(same); got != want || got < 1000000 {
		t.Errorf("got %d, want %d", got, want)
	}
}

//go:noinline
func grow(n int) byte {
	var room [500]byte
	room[n%500] = byte(n)
	if n > 0 {
		return grow(n-1) + room[(n*7)%500]
	}
	return room[0]
}

func TestQsort(t *testing.T) {
	compare := made(t, func(a, b *int32) int32 { return *a - *b })
	data := make([]int32, 100000)
	for i := range data {
		data[i] = rand.Int32N(1 << 20)
	}
	want := slices.Clone(data)
	slices.Sort(want)
	sort(data, 4, compare)
	if !slices.Equal(data, want) {
		t.Error("not sorted")
	}
}

func TestPanicPasses(t *testing.T) {
	bad := made(t, func(x int64) int64 {
		if x == 5 {
			panic("out of C")
		}
		return x
	})
	exit := made(t, func(x int64) int64 { runtime.Goexit(); return 0 })
	good := made(t, func(x int64) int64 { return x })
	for range 1000 { // C stacks are given back
		func() {
			defer func() {
				if got := recover(); got != "out of C" {
					t.Errorf("recovered %v", got)
				}
			}()
			apply(bad, 10)
		}()
		var wg sync.WaitGroup
		wg.Add(1)
		go func() { defer wg.Done(); apply(exit, 1) }()
		wg.Wait()
		if got := apply(good, 10); got != 45 {
			t.Fatalf("afterwards: got %d, want 45", got)
		}
	}
}

func TestNested(t *testing.T) {
	var again unsafe.Pointer
	again = made(t, func(x int64) int64 {
		if x == 0 {
			return 1
		}
		grow(20)
		return apply(again, x) + 1
	})
	var model func(n int64) int64 // apply(again, n)
	model = func(n int64) (s int64) {
		for x := range n {
			if x == 0 {
				s++
			} else {
				s += model(x) + 1
			}
		}
		return s
	}
	if got, want := apply(again, 10), model(10); got != want {
		t.Errorf("got %d, want %d", got, want)
	}
}

// The callers of C and the callback are in one trace.
func TestTrace(t *testing.T) {
	var trace []byte
	apply(made(t, func(x int64) int64 {
		trace = make([]byte, 10000)
		trace = trace[:runtime.Stack(trace, false)]
		return 0
	}), 1)
	if !bytes.Contains(trace, []byte("TestTrace.func1")) || !bytes.Contains(trace, []byte("reentrant.Call")) ||
		!bytes.Contains(trace, []byte("callback_test.TestTrace(")) {
		t.Errorf("got %s", trace)
	}
}

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

// A callback from a direct call, which must not call back, ends the process
// before Go code runs.
func TestCallbackFromDirectCall(t *testing.T) {
	if os.Getenv("WHERRY_DIRECT") != "" {
		wrong := direct.MustBind[func(f unsafe.Pointer, n int64) int64](cexample.Address("apply"))
		wrong(made(t, func(x int64) int64 { fmt.Println("Go ran"); return x }), 1)
		os.Exit(0)
	}
	cmd := again("-test.run=^TestCallbackFromDirectCall$")
	cmd.Env = append(os.Environ(), "WHERRY_DIRECT=1")
	if output, _ := cmd.CombinedOutput(); cmd.ProcessState.ExitCode() != 2 || bytes.Contains(output, []byte("Go ran")) {
		t.Errorf("status %d, %s", cmd.ProcessState.ExitCode(), output)
	}
}

// C that needs more stack than it has ends the process: it does not write to
// memory of others.
func TestOverflow(t *testing.T) {
	deep := direct.MustReentrant[func(n int64) int64](cexample.Address("deep"))
	if got := deep(200); got != 200 {
		t.Errorf("got %d, want 200", got)
	}
	if os.Getenv("WHERRY_DEEP") != "" {
		deep(1000)
		os.Exit(0)
	}
	cmd := again("-test.run=^TestOverflow$")
	cmd.Env = append(os.Environ(), "WHERRY_DEEP=1")
	output, _ := cmd.CombinedOutput()
	if cmd.ProcessState.ExitCode() != 2 || !bytes.Contains(output, []byte("SIGSEGV")) ||
		!bytes.Contains(output, []byte("callback_test.TestOverflow(")) {
		t.Errorf("status %d, %s", cmd.ProcessState.ExitCode(), output)
	}
}

// storm stops the world over and over and changes the number of processors, until
// the func that it gives is called.
func storm() (end func()) {
	procs := runtime.GOMAXPROCS(0)
	stop, done := make(chan bool), make(chan bool)
	go func() {
		defer close(done)
		var stats runtime.MemStats
		for n := 0; ; n++ {
			select {
			case <-stop:
				runtime.GOMAXPROCS(procs)
				return
			case <-time.After(20 * time.Microsecond):
				runtime.ReadMemStats(&stats)
				if n%100 == 0 {
					runtime.GOMAXPROCS(1 + rand.IntN(8))
				}
			}
		}
	}()
	return func() { close(stop); <-done }
}

// Callbacks that do all that Go may do, on many goroutines, with the collector
// and the profiler at work. WHERRY_STRESS sets how long.
func TestStress(t *testing.T) {
	limit := 3 * time.Second
	if text := os.Getenv("WHERRY_STRESS"); text != "" {
		var err error
		if limit, err = time.ParseDuration(text); err != nil {
			t.Fatal(err)
		}
	}
	var profile bytes.Buffer
	if err := pprof.StartCPUProfile(&profile); err != nil {
		t.Fatal(err)
	}
	defer pprof.StopCPUProfile()
	defer storm()()
	end := time.Now().Add(limit)
	var wg sync.WaitGroup
	for w := range 8 {
		wg.Add(1)
		go func() {
			defer wg.Done()
			random := rand.New(rand.NewPCG(uint64(w), 1))
			for time.Now().Before(end) && !t.Failed() {
				done := make(chan bool)
				go func() { // on a small stack
					defer close(done)
					kept := make([]*int64, 10)
					f := func(x int64) int64 {
						p := new(int64)
						*p = x
						kept[x%10] = p
						switch random.IntN(300) {
						case 0:
							grow(random.IntN(200))
						case 1:
							runtime.GC()
						case 2:
							time.Sleep(time.Microsecond)
						case 3:
							runtime.Gosched()
						case 4:
							runtime.Stack(make([]byte, 2000), random.IntN(10) == 0)
						case 5:
							if random.IntN(5) == 0 {
								panic("out")
							}
						}
						return *kept[x%10]
					}
					c, err := callback.New(f)
					if err != nil {
						t.Error(err)
						return
					}
					defer c.Release()
					defer func() { recover() }()
					if got := apply(c.Pointer(), 200); got != 19900 {
						t.Errorf("got %d, want 19900", got)
					}
					if random.IntN(20) == 0 {
						// No panics out of a C thread.
						calm, _ := callback.New(func(x int64) int64 { grow(int(x)); return x })
						defer calm.Release()
						if got := cexample.OnThread(calm.Pointer(), 10); got != 45 {
							t.Errorf("thread: got %d, want 45", got)
						}
					}
				}()
				<-done
			}
		}()
	}
	wg.Wait()
}

func BenchmarkReentrant(b *testing.B) {
	f := made(b, func(x int64) int64 { return 2 * x })
	b.ResetTimer()
	apply(f, int64(b.N))
}

func BenchmarkCgo(b *testing.B) {
	f := made(b, func(x int64) int64 { return 2 * x })
	b.ResetTimer()
	cexample.Apply(f, int64(b.N))
}

func BenchmarkNewAndRelease(b *testing.B) {
	for b.Loop() {
		c, _ := callback.New(func(x int64) int64 { return x })
		c.Release()
	}
}

// A func that is too small for a stack check of its own.
func TestSmallFuncIsPreempted(t *testing.T) {
	same := made(t, func(x int64) int64 { return x })
	slowly := direct.MustReentrant[func(f unsafe.Pointer, n int64) int64](cexample.Address("apply_slowly"))
	// A collection takes as long as the call if that cannot be preempted. A busy
	// machine can make them alike, but hardly three times.
	var waited, took time.Duration
	for range 3 {
		done := make(chan time.Duration)
		begin := time.Now()
		go func() { slowly(same, 500000); done <- time.Since(begin) }() // more than a second
		time.Sleep(10 * time.Millisecond)
		collect := time.Now()
		runtime.GC()
		waited = time.Since(collect)
		if took = <-done; waited <= took/5 {
			return
		}
	}
	t.Errorf("the collector waited %v for a call of %v", waited, took)
}
