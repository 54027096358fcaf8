package measure

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// This test binary also plays the executables that it compares: started under
// the name fake-plain or fake-wherry it does what the scenario says that the
// environment names. Being a Go program, it has a Go version to read, too.

// A call is one start of a fake.
type call struct {
	variant string // plain or wherry
	kind    string // list, test, bench, or program
	round   int    // earlier calls of the same variant and kind
	args    []string
}

// A scenario prints what the executable would, and gives the exit status.
type scenario func(call) int

const (
	scenarioKey = "WHERRY_FAKE"
	callsFile   = "calls"
)

func TestMain(m *testing.M) {
	if name, ok := strings.CutPrefix(filepath.Base(os.Args[0]), "fake-"); ok {
		os.Exit(playFake(name))
	}
	os.Exit(m.Run())
}

func playFake(variant string) int {
	play, ok := scenarios[os.Getenv(scenarioKey)]
	if !ok {
		fmt.Printf("no scenario %q\n", os.Getenv(scenarioKey))
		return 99
	}
	c := call{variant: variant, kind: kindOf(os.Args[1:]), args: os.Args[1:]}
	entry := c.variant + " " + c.kind + "\n"
	earlier, _ := os.ReadFile(callsFile)
	c.round = strings.Count(string(earlier), entry)
	if err := os.WriteFile(callsFile, append(earlier, entry...), 0o666); err != nil {
		fmt.Println(err)
		return 98
	}
	return play(c)
}

func kindOf(args []string) string {
	for _, arg := range args {
		switch {
		case strings.HasPrefix(arg, "-test.list="):
			return "list"
		case arg == "-test.bench=^$":
			return "test"
		case strings.HasPrefix(arg, "-test.bench="):
			return "bench"
		}
	}
	return "program"
}

// fake returns a target whose executables play a scenario, in a folder that only
// they use.
func fake(t *testing.T, name string) Target {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	bin := t.TempDir()
	target := Target{
		Package: "example.com/" + name,
		Dir:     t.TempDir(),
		Plain:   filepath.Join(bin, "fake-plain"),
		Wherry:  filepath.Join(bin, "fake-wherry"),
	}
	for _, path := range []string{target.Plain, target.Wherry} {
		if err := os.Symlink(self, path); err != nil {
			t.Skip("no symbolic links here:", err)
		}
	}
	t.Setenv(scenarioKey, name)
	t.Setenv("GORACE", "atexit_sleep_ms=0") // the race detector waits a second at every exit
	return target
}

// calls returns the starts of a target's fakes, in order.
func calls(t *testing.T, target Target) []string {
	t.Helper()
	content, err := os.ReadFile(filepath.Join(target.Dir, callsFile))
	if err != nil && !os.IsNotExist(err) {
		t.Fatal(err)
	}
	return strings.Split(strings.TrimSuffix(string(content), "\n"), "\n")
}

// head prints what test binaries print first.
func head() {
	fmt.Println("goos: linux\ngoarch: amd64\npkg: example.com/p\ncpu: Imaginary CPU")
}

// line prints a benchmark's start and result.
func line(name string, ns float64) {
	fmt.Printf("Benchmark%s\nBenchmark%s-8 \t 100\t %v ns/op\t 16 B/op\t 1 allocs/op\n", name, name, ns)
}
