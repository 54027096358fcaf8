//go:build linux && (amd64 || arm64) && cgo

package callback_test

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"runtime"
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
	cmd.Env = append([]string{"WHERRY_STRESS=1s"}, append(os.Environ(), "WHERRY_EMULATOR="+emulator)...) // if it is not set
	if output, err := cmd.CombinedOutput(); err != nil {
		t.Errorf("%v\n%s", err, output)
	}
}

// MemorySanitizer, which does not see what assembly stores, takes no argument for a mistake.
func TestMemorySanitizer(t *testing.T) {
	if _, err := exec.LookPath("clang"); err != nil || testing.Short() || os.Getenv("WHERRY_EMULATOR") != "" {
		t.Skip("needs clang, a processor of its own, and no -short")
	}
	cmd := exec.Command("go", "test", "-msan", "-run", "^TestTypes$|^TestRegisters$|^TestWays$|^TestNewAndRelease$", ".")
	cmd.Env = append(os.Environ(), "CC=clang")
	if output, err := cmd.CombinedOutput(); err != nil {
		t.Errorf("%v\n%s", err, output)
	}
}

// The same through plain cgo, in another process.
func TestByPlainCgo(t *testing.T) {
	cmd := again("-test.run=^TestTypes$|^TestRegisters$|^TestWays$|^TestPanicPasses$|^TestPreserved$")
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

// A func that takes all registers that C's pair up with, and needs more stack than there is,
// finds its arguments where they belong, from a C stack and through cgo.
func TestRegisters(t *testing.T) {
	var seen string
	f := made(t, func(a int64, b float64, c *[4]byte, d float32, e int16, g float64, h int64, i float32, j float64, k int32, l float64,
		m float32, n float64, o int64) float64 {
		var room [64 << 10]byte
		room[a] = c[0]
		runtime.GC()
		seen = fmt.Sprint(a, b, string(room[a:a+1])+string(c[1:3]), d, e, g, h, i, j, k, l, m, n, o)
		return b + g
	})
	direct := direct.MustReentrant[func(unsafe.Pointer) float64](cexample.Address("give_registers"))
	for name, way := range map[string]func(unsafe.Pointer) float64{"reentrant": direct, "cgo": cexample.GiveRegisters} {
		got := make(chan float64) // a goroutine's stack is small at first
		go func() { got <- way(f) }()
		if result := <-got; result != 5 || seen != "1 1.5abc2.5 -3 3.5 4 4.5 5.5 5 6.5 7.5 8.5 6" {
			t.Errorf("%s: got %v, saw %s", name, result, seen)
		}
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
	if !bytes.Contains(trace, []byte("TestTrace.func1")) || !bytes.Contains(trace, []byte("callback_test.TestTrace(")) {
		t.Errorf("got %s", trace)
	}
}

// A callback from a func of direct.Bind turns the call.
func TestCallbackFromDirectCall(t *testing.T) {
	bound := direct.MustBind[func(f unsafe.Pointer, n int64) int64](cexample.Address("apply"))
	depth := 0
	var f unsafe.Pointer
	f = made(t, func(x int64) int64 {
		if depth++; depth < 5 {
			grow(20)
			bound(f, 2)
		}
		depth--
		return x
	})
	for range 100 {
		if got := bound(f, 10); got != 45 {
			t.Fatalf("got %d, want 45", got)
		}
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
		deep(10_000_000) // clang keeps a byte of its 1,000
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
