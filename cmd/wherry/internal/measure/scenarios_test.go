package measure

import (
	"fmt"
	"os"
	"os/exec"
	"slices"
	"strings"
	"time"
)

// scenarios are what the fakes can play. It is filled by init, as hang refers
// to it.
var scenarios map[string]scenario

func init() {
	scenarios = map[string]scenario{
		"twice":           twice,
		"fails-both":      failsIn("plain", "wherry"),
		"fails-wherry":    failsIn("wherry"),
		"fails-if-marked": failsIfMarked,
		"runs":            runs,
		"crash":           crash,
		"missing":         missing,
		"empty":           empty,
		"open":            open,
		"zero":            zero,
		"procs":           procs,
		"program":         program,
		"program-exit":    programExit,
		"program-other":   programOther,
		"program-flaky":   programFlaky,
		"hang":            hang,
		"bench":           benchScenarios,
		"bench-wrong":     benchWrong,
		"no-list":         func(call) int { fmt.Println("cannot reach the database"); return 3 },
	}
}

// ns of the plain build halve from round to round, those of the accelerated
// one are always half of them: a machine that drifts, and a ratio of exactly 2.
func twice(c call) int {
	if c.kind == "test" {
		fmt.Println("PASS")
		return 0
	}
	ns := 1000.0
	for range c.round {
		ns *= 0.9
	}
	if c.variant == "wherry" {
		ns /= 2
	}
	head()
	line("Sum/rows=10", ns)
	fmt.Println("PASS")
	return 0
}

func failsIn(variants ...string) scenario {
	return func(c call) int {
		for _, v := range variants {
			if c.kind == "test" && c.variant == v {
				fmt.Println(strings.Repeat("noise\n", 2000) + "--- FAIL: TestSum\n    sum_test.go:7: got 3, want 4\nFAIL")
				return 1
			}
		}
		return twice(c)
	}
}

// runs fails if other tests than TestSum are asked for.
func runs(c call) int {
	if c.kind == "test" && !slices.Contains(c.args, "-test.run=TestSum$") {
		return 1
	}
	return 0
}

func failsIfMarked(c call) int {
	if _, err := os.Stat("marked"); err == nil {
		return 1
	}
	return twice(c)
}

func crash(c call) int {
	if c.kind == "bench" && c.variant == "wherry" && c.round == 1 {
		head()
		fmt.Fprintln(os.Stderr, "SIGSEGV: segmentation violation\nPC=0x1 m=0 sigcode=1\n\ngoroutine 7 gp=0x1 [syscall]:\nmain.culprit()\n\n"+
			"goroutine 8 [chan receive]:\nmain.innocent()") // in one write: lines of the standard output come between
		for n := range 500 {
			fmt.Fprintf(os.Stderr, "\ngoroutine %d [chan receive]:\nmain.innocent()\n\t/a/file.go:1 +0x1\n", n+9)
		}
		return 2
	}
	return twice(c)
}

// missing has a benchmark for each way of not being compared.
func missing(c call) int {
	head()
	line("Fine", 10)
	line("Sub/good", 10)
	fmt.Println("BenchmarkWhole")
	line("Whole/part", 10)
	if c.variant == "wherry" {
		fmt.Println("--- FAIL: BenchmarkWhole")
	}
	if c.variant == "wherry" || c.round != 1 {
		line("Partly", 10)
	}
	if c.variant == "plain" {
		line("Gone", 10)
		line("Sub/bad", 10)
		fmt.Println("PASS")
		return 0
	}
	if c.round != 1 {
		line("Sometimes", 10)
	}
	fmt.Println("BenchmarkSub/bad\n    sub_test.go:9: note\n    sub_test.go:10: wrong sum\n--- FAIL: BenchmarkSub/bad\n--- FAIL: BenchmarkSub")
	fmt.Println("BenchmarkSkipped\n    x_test.go:3: no database\n--- SKIP: BenchmarkSkipped")
	fmt.Println("FAIL")
	return 1
}

// open has benchmarks that ten rounds settle, and others. It selects as a test binary
// does, and adds what a rough pattern could select.
func open(c call) int {
	pattern := ""
	for _, arg := range c.args {
		if value, ok := strings.CutPrefix(arg, "-test.bench="); ok {
			pattern = value
		}
	}
	fast := c.variant == "wherry"
	times := map[string]float64{"Clear": 100, "Same": 100, "Wide/a+b": 100, "Late": 100}
	if fast {
		times["Clear"] = 50
		times["Wide/a+b"] = []float64{50, 200}[c.round%2]
		times["Late"] = 80
		if c.round == 3 {
			times["Late"] = 130
		}
	}
	head()
	for _, name := range []string{"Clear", "Same", "Wide/a+b", "Late"} {
		if selects(pattern, name) {
			line(name, times[name])
		}
	}
	if pattern != "." {
		line("Same", 1e9) // settled: not to be counted
	}
	fmt.Println("PASS")
	return 0
}

func empty(call) int { fmt.Println("PASS"); return 0 }

func zero(c call) int {
	head()
	line("Never", 0)
	if c.round == 0 {
		line("Once", 0)
	} else {
		line("Once", 5)
	}
	return 0
}

func procs(c call) int {
	head()
	fmt.Println("BenchmarkSum\nBenchmarkSum 100 20 ns/op\nBenchmarkSum-4 100 10 ns/op")
	fmt.Println("BenchmarkRows-2\nBenchmarkRows-2 100 20 ns/op\nBenchmarkRows-2-4 100 10 ns/op")
	return 0
}

func program(call) int {
	sum := 0
	for i := range 20_000_000 { // some CPU time
		sum += i ^ sum
	}
	fmt.Println("output", sum)
	return 0
}

func programExit(c call) int {
	if c.variant == "wherry" {
		fmt.Fprintln(os.Stderr, "cannot open file")
		return 3
	}
	return 0
}

func programOther(c call) int { fmt.Println(c.variant); return 4 }

func programFlaky(c call) int {
	if c.round == 2 {
		return 5
	}
	return 0
}

// hang starts a helper and neither ends by itself.
func hang(c call) int {
	if c.kind != "program" { // the helper comes here as "program"
		self, _ := os.Executable()
		helper := exec.Command(self)
		helper.Args = []string{"fake-helper"}
		helper.Stdout = os.Stdout
		if err := helper.Start(); err != nil {
			fmt.Println(err)
			return 1
		}
	} else if alive, err := os.OpenFile("alive", os.O_WRONLY, 0); err == nil {
		defer alive.Close()
	}
	time.Sleep(time.Hour)
	return 0
}

// benchScenarios plays the scenarios of wherry bench: a tenth of the time by wherry, and as
// much on two processors. With -test.short one is skipped.
func benchScenarios(c call) int {
	suffixes := []string{""}
	if slices.Contains(c.args, "-test.cpu=1,2") {
		suffixes = []string{"", "-2"}
	}
	asked := func(name string) bool {
		return slices.ContainsFunc(c.args, func(arg string) bool {
			pattern, ok := strings.CutPrefix(arg, "-test.bench=")
			return ok && (pattern == "." || strings.Contains(pattern+"|", exactly(name)+"|"))
		})
	}
	head()
	for _, name := range []string{"Call/add/way=go", "Call/add/way=cgo", "Call/add/way=bind", "Callback/1/way=cgo", "Handle/cycle/way=cgo",
		"Landmark/memory/way=go"} {
		memory := name == "Landmark/memory/way=go"
		for _, suffix := range suffixes {
			switch {
			case !asked(name):
			case memory && slices.Contains(c.args, "-test.short"):
				fmt.Printf("Benchmark%s\n    measure.go:39: sets up much\n--- SKIP: Benchmark%s\n", name, name)
			case c.variant == "wherry":
				fmt.Printf("Benchmark%s\nBenchmark%s%s \t 100\t 10 ns/op\n", name, name, suffix)
			default:
				fmt.Printf("Benchmark%s\nBenchmark%s%s \t 100\t 100 ns/op\n", name, name, suffix)
			}
		}
	}
	fmt.Println("PASS")
	return 0
}

func benchWrong(call) int {
	head()
	fmt.Println("BenchmarkCall/add/way=cgo\n    measure.go:59: wrong result after 1 operations\n--- FAIL: BenchmarkCall/add/way=cgo\nFAIL")
	return 1
}
