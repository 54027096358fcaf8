// Table reads the raw lines of package pauses and writes the table for
// BENCHMARKS.md. Its argument is the raw file.
package main

import (
	"bufio"
	"fmt"
	"log"
	"os"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/perf/benchmath"
)

func main() {
	log.SetFlags(0)
	if len(os.Args) != 2 {
		log.Fatal("table: want one argument, the raw file")
	}
	file, err := os.Open(os.Args[1])
	if err != nil {
		log.Fatal(err)
	}
	type row struct{ us, mode string }
	values := map[row]map[string][]float64{} // by unit, in order of the rounds
	var rows []row
	for lines := bufio.NewScanner(file); lines.Scan(); {
		words := strings.Fields(lines.Text())
		if len(words) == 0 || words[0] != "pauses" {
			continue
		}
		fields := map[string]string{}
		for _, word := range words[1:] {
			name, value, _ := strings.Cut(word, "=")
			fields[name] = value
		}
		r := row{fields["us"], fields["mode"]}
		if values[r] == nil {
			values[r] = map[string][]float64{}
			rows = append(rows, r)
		}
		for name, text := range fields {
			if name == "mode" {
				continue
			}
			value, err := strconv.ParseFloat(text, 64)
			if err != nil {
				log.Fatalf("table: %s: %v", lines.Text(), err)
			}
			values[r][name] = append(values[r][name], value)
		}
	}
	if len(rows) == 0 {
		log.Fatalf("table: %s has no line of pauses", os.Args[1])
	}
	fmt.Printf("%d rounds; medians, and the longest of all in brackets.\n\n", len(values[rows[0]]["round"]))
	fmt.Print("| C in a handler | mode | until all stood still, us: 50 % | 99 % | longest | until they ran again: 50 % | 99 % | longest | requests/s |\n| ---: | --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: |\n")
	for _, r := range rows {
		v := values[r]
		fmt.Printf("| %s us | %s | %.3g | %.3g | %.3g (%.3g) | %.3g | %.3g | %.3g (%.3g) | %.0f |\n", r.us, r.mode,
			median(v["stop-p50-us"]), median(v["stop-p99-us"]), median(v["stop-max-us"]), slices.Max(v["stop-max-us"]),
			median(v["total-p50-us"]), median(v["total-p99-us"]), median(v["total-max-us"]), slices.Max(v["total-max-us"]), median(v["requests/s"]))
	}
}

func median(values []float64) float64 {
	sample := benchmath.NewSample(slices.Clone(values), &benchmath.DefaultThresholds)
	return benchmath.AssumeNothing.Summary(sample, 0.95).Center
}
