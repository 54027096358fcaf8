package tests

import (
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// A gocgoPackage is a package of Go's own tests of cgo.
type gocgoPackage struct {
	name string
	fast int // C functions at least, in all builds that the package makes by wherry
}

// Fewer fast functions than these would show little. Each Go version has some more. Those
// of testcshared call back into a Go library whose runtime asks for stack bounds, and those
// of testcarchive wait where nothing stands before.
var gocgoPackages = []gocgoPackage{
	{"test", 140}, {"testcarchive", 0}, {"testcshared", 0}, {"testerrors", 100}, {"testfortran", 1}, {"testlife", 2}, {"testso", 4},
	{"teststdio", 18}, {"testtls", 3},
}

// Go's own tests of cgo, in src/cmd/cgo/internal of the Go at hand, end the same by
// go and by wherry, with every C function fast and no policy. Tests that build
// programs do that by wherry too. This runs the largest package with the local Go,
// and of its thousand starts of a program, Test18146, a hundred. All packages with all versions of Go, some 6 minutes for each:
//
//	WHERRY_GOCGO=all go test ./tests -run 'TestGoCgo$' -v -timeout 1h
//
// WHERRY_TEST_GO=go1.26.8 narrows the versions, -run 'TestGoCgo/.*/testso$' the packages.
func TestGoCgo(t *testing.T) {
	t.Parallel()
	needsFastPath(t)
	if os.Getenv("WHERRY_GOCGO") != "all" {
		compareGocgo(t, "", gocgoPackages[:1])
		return
	}
	onEachGo(t, func(t *testing.T, env string) { compareGocgo(t, env, gocgoPackages) })
}

func compareGocgo(t *testing.T, env string, packages []gocgoPackage) {
	g := newGocgo(t, env)
	for _, p := range packages {
		t.Run(p.name, func(t *testing.T) {
			if _, err := exec.LookPath("gfortran"); err != nil && p.name == "testfortran" {
				t.Skip("gfortran is not installed (Debian: gfortran)")
			}
			g.compare(t, p)
		})
	}
}

func (g *gocgo) compare(t *testing.T, p gocgoPackage) {
	plain, plainText := g.results(t, p.name, g.bin)
	fast, fastText := g.results(t, p.name, g.wherryBin)
	passed := 0
	for _, test := range slices.Sorted(maps.Keys(plain)) {
		want := plain[test]
		if want == "PASS" {
			passed++
		} else if want != "SKIP" {
			t.Logf("%s: %s by go too", test, want)
		}
		if fast[test] != want {
			t.Errorf("%s: %s by go, %q by wherry, want %q", test, plain[test], fast[test], want)
		}
	}
	if passed == 0 || len(fast) != len(plain) {
		t.Errorf("%d tests by go, %d of them pass, and %d tests by wherry:\n%s", len(plain), passed, len(fast), plainText)
	}
	fastFunctions := g.fastFunctions(t)
	if fastFunctions < p.fast {
		t.Errorf("%d C functions are fast, want %d at least", fastFunctions, p.fast)
	}
	t.Logf("%d tests, %d pass by go; %d C functions are fast", len(plain), passed, fastFunctions)
	if t.Failed() {
		t.Logf("by wherry:\n%s", fastText)
	}
}

var (
	startedLine = regexp.MustCompile(`=== RUN   (\S+)\n`)
	resultLine  = regexp.MustCompile(`--- (PASS|FAIL|SKIP): (\S+) \(`) // anywhere: C prints without line ends
)

// results builds the tests of a package with the go command of a folder, runs them
// and returns how each ended: PASS, FAIL, SKIP or, where it took the process along,
// CRASH. After a crash the rest runs again.
func (g *gocgo) results(t *testing.T, name, bin string) (map[string]string, string) {
	t.Helper()
	program, dir := filepath.Join(t.TempDir(), "cgo.test"), filepath.Join(g.dir, name)
	if out, err := g.run(bin, g.dir, filepath.Join(bin, "go"), "test", "-c", "-o", program, "./"+name); err != nil {
		t.Fatalf("building %s: %v\n%s", name, err, out)
	}
	list, err := g.run(bin, dir, program, "-test.list=^Test")
	if err != nil {
		t.Fatalf("%s -test.list: %v\n%s", name, err, list)
	}
	results, all := map[string]string{}, ""
	for left := strings.Fields(list); len(left) > 0; {
		out, err := g.run(bin, dir, program, "-test.v", "-test.timeout=10m", "-test.run=^("+strings.Join(left, "|")+")$")
		all += out
		for _, match := range resultLine.FindAllStringSubmatch(out, -1) {
			results[match[2]] = match[1]
		}
		for _, match := range startedLine.FindAllStringSubmatch(out, -1) {
			if results[match[1]] == "" {
				results[match[1]] = "CRASH"
			}
		}
		before := len(left)
		left = slices.DeleteFunc(left, func(name string) bool { return results[name] != "" })
		if len(left) == before {
			t.Fatalf("%s: %s does not start: %v\n%s", name, left[0], err, out)
		}
	}
	return results, all
}

var summaryLine = regexp.MustCompile(`^wherry: (\d+) of \d+ C functions are fast|^wherry: nothing to accelerate: `)

// fastFunctions sums what wherry said of its builds, and wants it to say nothing else.
func (g *gocgo) fastFunctions(t *testing.T) (sum int) {
	t.Helper()
	log, err := os.ReadFile(g.log)
	if err != nil || os.Remove(g.log) != nil {
		t.Fatal(err)
	}
	for _, line := range strings.Split(strings.TrimSpace(string(log)), "\n") {
		match := summaryLine.FindStringSubmatch(line)
		if match == nil {
			t.Errorf("wherry says %q", line)
			continue
		}
		n, _ := strconv.Atoi(match[1]) // none where there is nothing to accelerate
		sum += n
	}
	return sum
}
