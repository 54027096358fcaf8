package main

import (
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// drivers is the job that compares drivers for SQLite. A round takes minutes; with
// fewer than six there is no interval.
const (
	drivers      = "sqlitedrivers"
	driverRounds = 6
)

// compareDrivers measures mattn's driver, plain and by wherry, and modernc's in the
// same run.
func compareDrivers() error {
	s := suite{name: drivers}
	if _, err := os.Stat(s.file(".json")); err == nil && !*again {
		fmt.Fprintf(os.Stderr, "realworld: %s has a result; -again runs it again\n", s.name)
		return nil
	}
	fmt.Fprintf(os.Stderr, "realworld: %s\n", s.name)
	all, err := s.compare(filepath.Join(jobs, s.name), ".", "1x", driverRounds)
	if err != nil {
		return fmt.Errorf("%s: %w", s.name, err)
	}
	return s.store(all.Packages[0].Benchmarks)
}

// writeDrivers writes the table of drivers, if they were compared.
func writeDrivers(w io.Writer) error {
	text, err := os.ReadFile(suite{name: drivers}.file(".json"))
	if os.IsNotExist(err) {
		return nil
	}
	var all []benchmark
	if err == nil {
		err = json.Unmarshal(text, &all)
	}
	if err != nil {
		return err
	}
	byName := map[string]benchmark{}
	for _, b := range all {
		byName[b.Name] = b
	}
	fmt.Fprint(w, driversHead)
	for _, b := range all {
		name, ours := strings.CutSuffix(b.Name, "/mattn")
		other, ok := byName[name+"/modernc"]
		if !ours || !ok || len(b.CI) != 2 {
			continue
		}
		pure := quotients(b.Samples.Cgo, other.Samples.Cgo)
		fmt.Fprintf(w, "| %s | %.0f ms | %.0f ms | %s | %s | %.0f ms | %s |\n", strings.TrimPrefix(name, "Benchmark"),
			b.CgoNS/1e6, b.WherryNS/1e6,
			digits(b.Ratio), interval([2]float64{b.CI[0], b.CI[1]}), other.CgoNS/1e6, digits(median(pure)))
	}
	return nil
}

const driversHead = `
## Drivers for SQLite

The cases and sizes of cvilsmeier/go-sqlite-bench, written anew (internal/measure/bench/realworld/jobs/sqlitedrivers): simple inserts a million users in one transaction and reads them; complex inserts 200 users with 100 articles each and 20 comments on each article, and joins all; many reads 10, 100 or 1,000 users a thousand times; large inserts 10,000 users of 50,000, 100,000 or 200,000 bytes and reads them; concurrent reads a million users in 2, 4 or 8 goroutines. github.com/mattn/go-sqlite3, built plainly and by wherry, and modernc.org/sqlite, which is Go alone, in the same rounds; processor time. The last column is the plain driver's time divided by modernc's.

| case | mattn | by wherry | faster | 95 % interval | modernc | mattn / modernc |
| --- | ---: | ---: | ---: | --- | ---: | ---: |
`

// quotients divides what was measured in the same rounds.
func quotients(a, b []float64) (q []float64) {
	for i := range slices.Min([]int{len(a), len(b)}) {
		q = append(q, a[i]/b[i])
	}
	return q
}
