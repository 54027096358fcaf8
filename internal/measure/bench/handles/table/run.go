package main

import (
	"fmt"
	"io"
	"strconv"
	"strings"

	"golang.org/x/perf/benchfmt"
)

// A run is the values of every benchmark, one for each round.
type run struct {
	system  map[string]string // goos, goarch, cpu, go
	procs   int               // GOMAXPROCS
	samples map[key][]float64
}

type key struct{ name, table, unit string }

// read reads a raw run: the output of the benchmarks, after lines with what
// is to be known about it ("go: go1.26.8").
func read(r io.Reader) (run, error) {
	result := run{system: map[string]string{}, procs: 1, samples: map[key][]float64{}}
	reader := benchfmt.NewReader(r, "raw")
	for reader.Scan() {
		line, ok := reader.Result().(*benchfmt.Result)
		if !ok {
			continue
		}
		for _, c := range line.Config {
			result.system[c.Key] = string(c.Value)
		}
		full := string(line.Name.Full())
		name, table, ok := strings.Cut(full, "/table=")
		if !ok {
			return run{}, fmt.Errorf("benchmark %s names no table", full)
		}
		if at := strings.LastIndexByte(table, '-'); at >= 0 {
			if n, err := strconv.Atoi(table[at+1:]); err == nil {
				table, result.procs = table[:at], n
			}
		}
		for _, v := range line.Values {
			k := key{name, table, v.Unit}
			result.samples[k] = append(result.samples[k], v.Value)
		}
	}
	return result, reader.Err()
}
