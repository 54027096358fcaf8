package measure

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// TestSameBuild compares a test binary with itself, on this machine as it is: of all
// verdicts at most one in a hundred may say that there is a difference. It takes a
// quarter of an hour.
//
//	WHERRY_SAME="strings bytes sort" go test ./internal/measure -run SameBuild -v -timeout 0
func TestSameBuild(t *testing.T) {
	packages := strings.Fields(os.Getenv("WHERRY_SAME"))
	if len(packages) == 0 {
		t.Skip("measures for long; WHERRY_SAME=\"strings bytes sort\" names the packages whose benchmarks it takes")
	}
	var targets []Target
	for i, pkg := range packages {
		dir := t.TempDir()
		plain, other := filepath.Join(dir, "plain"), filepath.Join(dir, "other")
		for _, file := range []string{plain, other} { // two files, as a comparison has them
			if out, err := exec.Command("go", "test", "-c", "-o", file, pkg).CombinedOutput(); err != nil {
				t.Fatalf("%v\n%s", err, out)
			}
		}
		where, err := exec.Command("go", "list", "-f", "{{.Dir}}", pkg).Output()
		if err != nil {
			t.Fatal(err)
		}
		targets = append(targets, Target{Package: packages[i], Dir: strings.TrimSpace(string(where)), Plain: plain, Wherry: other})
	}
	options := Options{Benchtime: "10ms", Log: os.Stderr}
	if pattern := os.Getenv("WHERRY_SAME_BENCH"); pattern != "" {
		options.Bench = pattern
	}
	result, err := Compare(t.Context(), targets, options)
	if err != nil {
		t.Fatal(err)
	}
	all, wrong, more, naive := 0, 0, 0, 0
	for _, p := range result.Packages {
		for _, b := range p.Benchmarks {
			all++
			if b.Rounds > DefaultCount {
				more++
			}
			first := summarize(b.Name, asPairs(b.Samples, DefaultCount), firstLook)
			if first.CI.Lo > 1 || first.CI.Hi < 1 {
				naive++
			}
			if b.Verdict == Faster || b.Verdict == Slower {
				wrong++
				t.Logf("%s %s: %s, %.3f (%.3f to %.3f), %d rounds", p.Package, b.Name, b.Verdict, b.Ratio, b.CI.Lo, b.CI.Hi, b.Rounds)
			}
		}
	}
	t.Logf("%d benchmarks, %d wrong verdicts (by the intervals of the first %d rounds: %d); %d got more rounds",
		all, wrong, DefaultCount, naive, more)
	if all < 100 {
		t.Errorf("only %d benchmarks; name packages with 100 or more", all)
	}
	if wrong*100 > all {
		t.Errorf("%d of %d verdicts are wrong, want at most one in a hundred", wrong, all)
	}
}

func asPairs(s Samples, count int) []pair {
	var pairs []pair
	for i := range min(count, len(s.Cgo), len(s.NS)) {
		pairs = append(pairs, pair{{ns: s.Cgo[i]}, {ns: s.NS[i]}})
	}
	return pairs
}
