package measure

import (
	"context"
	"fmt"
	"strings"
)

// HasBenchmarks reports whether a test binary has a benchmark that a -bench
// pattern selects. Sub-benchmarks are not known before they run, so of
// "Insert/rows=10" only "Insert" is looked for.
func HasBenchmarks(testBinary, dir, pattern string) (bool, error) {
	if err := checkPattern(pattern); err != nil {
		return false, err
	}
	run, err := start(context.Background(), testBinary, dir, "-test.list="+topLevel(pattern))
	if err != nil {
		return false, err
	}
	if !run.state.Success() {
		return false, fmt.Errorf("measure: %s cannot list its benchmarks: %v; does its TestMain need something that is missing?%s",
			testBinary, run.state, run.quote())
	}
	for line := range strings.Lines(string(run.stdout)) {
		if strings.HasPrefix(line, "Benchmark") { // tests, examples and fuzz targets are listed too
			return true, nil
		}
	}
	return false, nil
}
