//go:build linux && cgo && (amd64 || arm64)

package direct_test

import (
	"bytes"
	"os"
	"os/exec"
	"runtime"
	"runtime/debug"
	"runtime/pprof"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/wherrygo/wherry/direct"
	"github.com/wherrygo/wherry/direct/internal/cexample"
)

func TestSupported(t *testing.T) {
	if err := direct.Supported(); err != nil {
		t.Error(err)
	}
}

func TestRefusals(t *testing.T) {
	refuse := func(err error, want string) {
		t.Helper()
		if err == nil || !strings.HasPrefix(err.Error(), "direct: cannot bind ") || !strings.Contains(err.Error(), want) {
			t.Errorf("got %v, want %q", err, want)
		}
	}
	p := cexample.Address("add")
	bad := func(_ any, err error) error { return err }
	refuse(bad(direct.Bind[int](p)), "is no func type")
	refuse(bad(direct.Bind[func()](nil)), "NULL")
	refuse(bad(direct.Bind[func(int, func())](p)),
		"argument 2 (func()): a Go func value cannot be called by C; pass the Pointer of a callback.Func")
	refuse(bad(direct.Bind[func(any)](p)), "argument 1 (interface {}): a Go interface is nothing that C knows")
	refuse(bad(direct.Bind[func(map[int]int)](p)), "pass a handle")
	refuse(bad(direct.Bind[func([3]int)](p)), "pass a pointer to it")
	refuse(bad(direct.Bind[func([3]int64, int)](p)), "argument 1")
	refuse(bad(direct.Bind[func(int, struct{ a, b, c int })](p)), "argument 2 (struct { a int; b int; c int }): it has 24 bytes")
	refuse(bad(direct.Bind[func(struct{})](p)), "has no size")
	refuse(bad(direct.Bind[func(struct{ s string })](p)), "its field s is a string")
	refuse(bad(direct.Bind[func(...int)](p)), "variadic")
	refuse(bad(direct.Bind[func() string](p)), "result (string)")
	refuse(bad(direct.Bind[func() (int, int)](p)), "result 2 (int)")
	refuse(bad(direct.Bind[func() (int, error)](p)), "direct.Errno")
}

func TestVariadic(t *testing.T) {
	sum := direct.MustBind[func(int32, float64, float64, float64) float64](cexample.Address("sum"))
	if got := sum(3, 1, 2, 4.5); got != 7.5 {
		t.Errorf("got %v, want 7.5", got)
	}
}

func TestErrno(t *testing.T) {
	fail := direct.MustBind[func(int32) (int32, direct.Errno)](cexample.Address("fail"))
	if n, errno := fail(int32(syscall.ENOTTY)); n != -1 || errno != syscall.ENOTTY {
		t.Errorf("got %d, %v, want -1, %v", n, errno, syscall.ENOTTY)
	}
	only := direct.MustBind[func(int32) direct.Errno](cexample.Address("fail"))
	if errno := only(7); errno != 7 {
		t.Errorf("got %v, want 7", errno)
	}
}

func TestNothingIsAllocated(t *testing.T) {
	add := direct.MustBind[func(a, b int32) int32](cexample.Address("add"))
	general := direct.MustBind[func(a, b int8) (int32, direct.Errno)](cexample.Address("add"))
	if n := testing.AllocsPerRun(1000, func() { add(1, 2); general(1, 2) }); n != 0 {
		t.Errorf("%v allocations a call", n)
	}
}

// A goroutine may begin with a bound func, and be found by the collector before.
func TestGoroutinesBegin(t *testing.T) {
	const goroutines, collections = 200, 20
	counted := direct.MustBind[func() int](cexample.Address("counted"))
	for _, f := range []func(){direct.MustBind[func()](cexample.Address("counts")), direct.MustReentrant[func()](cexample.Address("counts"))} {
		before := counted()
		for range goroutines {
			go f()
			time.AfterFunc(0, f)
		}
		for range collections {
			runtime.GC()
		}
		for counted() < before+2*goroutines {
			time.Sleep(time.Millisecond)
		}
	}
}

// A loop of calls stops for the collector although nearly all its time is
// spent in C.
func TestLoopIsPreempted(t *testing.T) {
	const calls = 300000 // more than a second
	straight := direct.MustBind[func(int64) int64](cexample.Address("spin"))
	general := direct.MustBind[func(int64) (int64, direct.Errno)](cexample.Address("spin"))
	for name, loop := range map[string]func(){
		"straight": func() {
			for range calls {
				straight(3000)
			}
		},
		"general": func() {
			for range calls {
				general(3000)
			}
		},
	} {
		if waited, took := collectBeside(loop); waited > took/5 {
			t.Errorf("%s: the collector waited %v for a loop of %v", name, waited, took)
		}
	}
}

// collectBeside runs a loop and collects meanwhile. It gives the time of the
// collection, which is the loop's if that cannot be preempted, and the loop's. A
// busy machine can make them alike, but hardly three times.
func collectBeside(loop func()) (waited, took time.Duration) {
	for range 3 {
		done := make(chan time.Duration)
		begin := time.Now()
		go func() { loop(); done <- time.Since(begin) }()
		time.Sleep(10 * time.Millisecond)
		collect := time.Now()
		runtime.GC()
		waited = time.Since(collect)
		if took = <-done; waited <= took/5 {
			break
		}
	}
	return waited, took
}

// What C is given stays while it runs, also if nothing else leads there.
func TestArgumentsAreKept(t *testing.T) {
	step := direct.MustBind[func(int64) int64](cexample.Address("step"))
	holds := direct.MustBind[func(*int64) int64](cexample.Address("holds"))
	slice := direct.MustBind[func([]int64) int64](cexample.Address("holds"))
	second := direct.MustBind[func(int64, *int64) int64](cexample.Address("holds_second"))
	general := direct.MustBind[func(*int64) (int64, direct.Errno)](cexample.Address("holds"))
	for name, call := range map[string]func(place *[100]int64) int64{
		"first":  func(place *[100]int64) int64 { return holds(&place[0]) },
		"slice":  func(place *[100]int64) int64 { return slice(place[:]) },
		"second": func(place *[100]int64) int64 { return second(1, &place[0]) - 1 },
		"errno": func(place *[100]int64) int64 {
			n, _ := general(&place[0])
			return n
		},
	} {
		var gone atomic.Bool
		result := make(chan int64)
		step(3)
		go func() {
			place := new([100]int64)
			place[0] = 42
			runtime.SetFinalizer(place, func(*[100]int64) { gone.Store(true) })
			result <- call(place)
		}()
		collect := func(until func() bool) {
			for range 500 {
				runtime.GC()
				time.Sleep(time.Millisecond)
				if until() {
					break
				}
			}
		}
		collect(func() bool { return step(0) == 1 })
		rounds := 0
		collect(func() bool { rounds++; return rounds == 20 || gone.Load() })
		if gone.Load() {
			t.Errorf("%s: the argument was collected while C had it", name)
		}
		step(2)
		if got := <-result; got != 42 {
			t.Errorf("%s: got %d, want 42", name, got)
		}
		if collect(gone.Load); !gone.Load() {
			t.Errorf("%s: the argument was never collected", name)
		}
	}
}

// Stacks grow and shrink, the collector runs, the profiler interrupts: nothing
// that a call passes may be lost. WHERRY_STRESS sets how long.
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
	add := direct.MustBind[func(a, b int32) int32](cexample.Address("add"))
	six := direct.MustBind[func(a, b, c, d, e, f int64) float64](cexample.Address("six"))
	first := direct.MustBind[func(*int64) int64](cexample.Address("first"))
	firstErrno := direct.MustBind[func(*int64) (int64, direct.Errno)](cexample.Address("first"))
	narrow := direct.MustBind[func(a, b int8) int32](cexample.Address("add"))
	slice := direct.MustBind[func([]int64) int64](cexample.Address("first"))
	end := time.Now().Add(limit)
	stop := make(chan bool)
	go func() {
		for {
			select {
			case <-stop:
				return
			default:
				runtime.GC()
			}
		}
	}()
	var wg sync.WaitGroup
	for w := range 8 {
		wg.Add(1)
		go func() {
			defer wg.Done()
			var deep func(n int, x int64) int64
			deep = func(n int, x int64) int64 {
				var room [200]byte
				room[n%200] = byte(x)
				p := new(int64)
				*p = x
				if got := first(p); got != x {
					t.Errorf("first: got %d, want %d", got, x)
				}
				if n > 0 {
					deep(n-1, x+int64(room[(n+1)%200]))
				}
				if got, errno := firstErrno(p); got != x || errno != 0 {
					t.Errorf("first with errno: got %d, %v, want %d", got, errno, x)
				}
				return *p
			}
			for i := int64(w); time.Now().Before(end) && !t.Failed(); i++ {
				x, y := int32(i), int32(i*7)
				if got := add(x, y); got != x+y {
					t.Errorf("add: got %d, want %d", got, x+y)
				}
				if got, want := narrow(int8(x), int8(y)), int32(int8(x))+int32(int8(y)); got != want {
					t.Errorf("add of int8: got %d, want %d", got, want)
				}
				if got, want := six(i, i+1, i+2, i+3, i+4, i+5), float64(63*i+2+8+24+64+160); got != want {
					t.Errorf("six: got %v, want %v", got, want)
				}
				if got := slice([]int64{i, 1, 2}); got != i {
					t.Errorf("slice: got %d, want %d", got, i)
				}
				done := make(chan int64)
				go func() { done <- deep(int(i%100), i) }()
				if got := <-done; got != i {
					t.Errorf("deep: got %d, want %d", got, i)
				}
			}
		}()
	}
	wg.Wait()
	close(stop)
}

func TestProfileShowsGoCaller(t *testing.T) {
	var profile bytes.Buffer
	spin := direct.MustBind[func(int64) int64](cexample.Address("spin"))
	if err := pprof.StartCPUProfile(&profile); err != nil {
		t.Fatal(err)
	}
	for range 40_000 { // half a second of the processor's time, on a busy machine too
		callSpin(spin)
	}
	pprof.StopCPUProfile()
	file := t.TempDir() + "/profile"
	if err := os.WriteFile(file, profile.Bytes(), 0o666); err != nil {
		t.Fatal(err)
	}
	output, err := exec.Command("go", "tool", "pprof", "-top", file).CombinedOutput()
	if err != nil {
		t.Fatal(err, string(output))
	}
	for line := range strings.Lines(string(output)) {
		if strings.Contains(line, "callSpin") {
			// Cumulative: the fifth field.
			if share, err := strconv.ParseFloat(strings.TrimSuffix(strings.Fields(line)[4], "%"), 64); err == nil && share > 60 {
				return
			}
		}
	}
	t.Errorf("callSpin has not most of the time:\n%s", output)
}

//go:noinline
func callSpin(spin func(int64) int64) { spin(10000) }

// A goroutine that called C keeps a stack as large as another's.
func TestGoroutinesStaySmall(t *testing.T) {
	if race {
		t.Skip("the race detector keeps memory of its own for each goroutine")
	}
	add := direct.MustBind[func(a, b int32) int32](cexample.Address("add"))
	const n = 10000
	release := make(chan bool)
	var ready, done sync.WaitGroup
	start := func(add func(a, b int32) int32) (each int) {
		before := resident(t)
		for i := range int32(n) {
			ready.Add(1)
			done.Add(1)
			go func() {
				defer done.Done()
				if add(i, 1) != i+1 {
					t.Error("wrong sum")
				}
				ready.Done()
				<-release
			}()
		}
		ready.Wait()
		return (resident(t) - before) / n
	}
	// What new stacks have the runtime decides when it collects, by what others use.
	debug.FreeOSMemory()
	defer debug.SetGCPercent(debug.SetGCPercent(-1))
	usual := start(func(a, b int32) int32 { return a + b })
	each := start(add)
	close(release)
	done.Wait()
	t.Logf("%d bytes for each goroutine, %d without C", each, usual)
	if each > usual+512 {
		t.Errorf("%d bytes for each goroutine, want at most %d and 512", each, usual)
	}
}

func resident(t *testing.T) int {
	t.Helper()
	// Of /proc/self/statm the kernel only says about as much, the less so the more
	// processors there are.
	text, err := os.ReadFile("/proc/self/smaps_rollup")
	if err != nil {
		t.Skip(err)
	}
	for line := range strings.Lines(string(text)) {
		if kilobytes, ok := strings.CutPrefix(line, "Rss:"); ok {
			n, err := strconv.Atoi(strings.Fields(kilobytes)[0])
			if err != nil {
				t.Fatal(err)
			}
			return n << 10
		}
	}
	t.Fatal("/proc/self/smaps_rollup has no Rss")
	return 0
}

func BenchmarkAdd(b *testing.B) {
	add := direct.MustBind[func(a, b int32) int32](cexample.Address("add"))
	for b.Loop() {
		add(1, 2)
	}
}

func BenchmarkAddErrno(b *testing.B) {
	add := direct.MustBind[func(a, b int32) (int32, direct.Errno)](cexample.Address("add"))
	for b.Loop() {
		add(1, 2)
	}
}

func BenchmarkAddByCgo(b *testing.B) {
	for b.Loop() {
		cexample.Add(1, 2)
	}
}
