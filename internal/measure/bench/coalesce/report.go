//go:build linux

package main

import (
	"bytes"
	"fmt"
	"os"
	"runtime"
	"slices"
	"strconv"
	"strings"
)

func header() string {
	release, _ := os.ReadFile("/proc/sys/kernel/osrelease")
	return fmt.Sprintf("goos: %s\ngoarch: %s\ngo: %s\nkernel: %scpus: %d\n", runtime.GOOS, runtime.GOARCH, runtime.Version(),
		release, runtime.NumCPU())
}

// A cell has the values of one work, at one place, by one way.
type cell map[string][]float64

// writeReport makes a table for each work and place: medians, and minimum and
// maximum of what varies most.
func writeReport(name string, raw []byte) error {
	order, cells := []string{}, map[string]cell{}
	units := map[string][]string{} // of a table, in their order
	for _, line := range strings.Split(string(raw), "\n") {
		fields := strings.Fields(line)
		if len(fields) < 4 || !strings.HasPrefix(fields[0], "Benchmark") {
			continue
		}
		key := strings.TrimPrefix(fields[0], "Benchmark")
		if cells[key] == nil {
			order = append(order, key)
			cells[key] = cell{}
		}
		table := key[:strings.LastIndex(key, "/")]
		for i := 2; i+1 < len(fields); i += 2 {
			v, err := strconv.ParseFloat(fields[i], 64)
			if err != nil {
				return fmt.Errorf("%q: %w", line, err)
			}
			unit := fields[i+1]
			cells[key][unit] = append(cells[key][unit], v)
			if !slices.Contains(units[table], unit) {
				units[table] = append(units[table], unit)
			}
		}
	}
	var out bytes.Buffer
	last := ""
	for _, key := range order {
		slash := strings.LastIndex(key, "/")
		table, way := key[:slash], strings.TrimPrefix(key[slash+1:], "way=")
		if table != last {
			work, place, _ := strings.Cut(table, "/link=")
			fmt.Fprintf(&out, "\n#### %s over %s\n\n| way | %s |\n| --- |%s\n", work, place, strings.Join(units[table], " | "),
				strings.Repeat(" ---: |", len(units[table])))
			last = table
		}
		fmt.Fprintf(&out, "| %s |", way)
		for _, unit := range units[table] {
			fmt.Fprintf(&out, " %s |", spread(cells[key][unit], unit))
		}
		out.WriteByte('\n')
	}
	text := bytes.TrimLeft(out.Bytes(), "\n")
	if name == "" {
		_, err := os.Stdout.Write(text)
		return err
	}
	return os.WriteFile(name, text, 0o666)
}

// spread returns the median, and for speeds and times how far values lie apart.
func spread(values []float64, unit string) string {
	if len(values) == 0 {
		return ""
	}
	slices.Sort(values)
	n := len(values)
	median := number((values[(n-1)/2] + values[n/2]) / 2)
	if unit != "MB/s" && unit != "p50-us" && unit != "p99-us" {
		return median
	}
	return fmt.Sprintf("%s (%s to %s)", median, number(values[0]), number(values[len(values)-1]))
}

func number(v float64) string {
	switch {
	case v >= 100 || v == float64(int(v)):
		return strconv.FormatFloat(v, 'f', 0, 64)
	case v >= 10:
		return strconv.FormatFloat(v, 'f', 1, 64)
	}
	return strconv.FormatFloat(v, 'f', 2, 64)
}
