// Table reads the raw lines of several rounds of the benchmarks of package event
// and writes the tables for BENCHMARKS.md. Its argument is the raw file.
package main

import (
	"bufio"
	"fmt"
	"log"
	"os"
	"slices"
	"strconv"
	"strings"
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
	runs := map[string][]float64{} // by benchmark and unit, in order of the rounds
	for lines := bufio.NewScanner(file); lines.Scan(); {
		words := strings.Fields(lines.Text())
		if len(words) < 4 || !strings.HasPrefix(words[0], "Benchmark") {
			continue
		}
		name := words[0][len("Benchmark"):]
		if i := strings.LastIndex(name, "-"); i > 0 {
			name = name[:i]
		}
		for i := 2; i+1 < len(words); i += 2 {
			value, err := strconv.ParseFloat(words[i], 64)
			if err != nil {
				log.Fatalf("table: %s: %v", lines.Text(), err)
			}
			runs[name+" "+words[i+1]] = append(runs[name+" "+words[i+1]], value)
		}
	}
	get := func(key string) []float64 {
		if len(runs[key]) == 0 {
			log.Fatalf("table: %s has no %q", os.Args[1], key)
		}
		return runs[key]
	}
	ns := func(key string) string {
		v := get(key)
		return fmt.Sprintf("%s (%s)", three(median(v)), three(slices.Min(v)))
	}
	through := func(threads int, by string) string {
		return fmt.Sprintf("Throughput/threads=%d/by=%s ns/op", threads, by)
	}
	const lane1, lane2 = "queue/lanes=1", "queue/lanes=2"
	fmt.Printf("%d rounds; medians, minima in brackets. A ratio is the median of the ratios of the rounds, with the lowest and highest.\n\n", len(get(through(1, lane1))))
	fmt.Print("| a record of 64 bytes, ns until Go has it | callback | queue | callback / queue | queue, two lanes | callback / queue, two lanes |\n| --- | ---: | ---: | ---: | ---: | ---: |\n")
	for i, row := range []string{"one thread", "two threads, together"} {
		callback, one, two := through(i+1, "callback"), through(i+1, lane1), through(i+1, lane2)
		fmt.Printf("| %s | %s | %s | %s | %s | %s |\n", row, ns(callback), ns(one), ratio(get(callback), get(one)), ns(two), ratio(get(callback), get(two)))
	}
	fmt.Printf("\nThroughput of the queue with two threads, that with one being 1: %s with one lane, %s with two.\n\n",
		ratio(get(through(1, lane1)), get(through(2, lane1))), ratio(get(through(1, lane2)), get(through(2, lane2))))
	fmt.Print("| a post, ns in C | median | 99 % | 99.99 % |\n| --- | ---: | ---: | ---: |\n")
	for _, row := range [][2]string{
		{"one thread without pause", "Post/threads=1"},
		{"two threads without pause", "Post/threads=2"},
		{"one each 2 us", "Collector/by=queue/collector=rests"},
		{"the same, the collector at work on 1 GB", "Collector/by=queue/collector=runs"},
		{"a callback each 2 us", "Collector/by=callback/collector=rests"},
		{"the same, the collector at work on 1 GB", "Collector/by=callback/collector=runs"},
	} {
		fmt.Printf("| %s | %s | %s | %s |\n", row[0], ns(row[1]+" ns-median"), ns(row[1]+" ns-99%"), ns(row[1]+" ns-99.99%"))
	}
	fmt.Printf("\nThe 99.99th percentile with the collector at work, without being 1: post %s, callback %s.\n\n",
		ratio(get("Collector/by=queue/collector=runs ns-99.99%"), get("Collector/by=queue/collector=rests ns-99.99%")),
		ratio(get("Collector/by=callback/collector=runs ns-99.99%"), get("Collector/by=callback/collector=rests ns-99.99%")))
	queue, eventfd := "WakeUp ns-median-queue", "WakeUp ns-median-eventfd"
	fmt.Printf("From a post until a sleeping goroutine has the record: %s ns; by a bare eventfd and its netpoll wake %s ns; ratio %s.\n", ns(queue), ns(eventfd), ratio(get(queue), get(eventfd)))
}

func median(values []float64) float64 {
	v := slices.Sorted(slices.Values(values))
	return (v[len(v)/2] + v[(len(v)-1)/2]) / 2
}

// ratio compares round by round.
func ratio(a, b []float64) string {
	if len(a) != len(b) {
		log.Fatalf("table: %d and %d rounds", len(a), len(b))
	}
	var r []float64
	for i := range a {
		r = append(r, a[i]/b[i])
	}
	return fmt.Sprintf("%s (%s to %s)", three(median(r)), three(slices.Min(r)), three(slices.Max(r)))
}

func three(x float64) string {
	if x >= 100 {
		return strconv.FormatFloat(x, 'f', 0, 64)
	}
	return strconv.FormatFloat(x, 'g', 3, 64)
}
