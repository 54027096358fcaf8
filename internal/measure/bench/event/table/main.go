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
	through := func(size, threads int, by string) string {
		if by == "lines" && size == 64 {
			by = "ring" // whose slots are lines then
		}
		return fmt.Sprintf("Throughput/size=%d/threads=%d/by=%s ns/op", size, threads, by)
	}
	fmt.Printf("%d rounds; medians, minima in brackets. A ratio is the median of the ratios of the rounds, with the lowest and highest.\n\n",
		len(get(through(8, 1, "ring"))))
	ways := []way{
		{"callback", "smallest callback"},
		{"channel", "callback that sends on a channel"},
		{"lent", "callback from a lent thread"},
		{"events", "Events"},
		{"batch", "Batch"},
		{"ring", "plain ring, C to C"},
		{"lines", "plain ring of lines"},
	}
	ways = slices.DeleteFunc(ways, func(w way) bool { // what this run does not have
		return (w.by == "lent" || w.by == "lines") && len(runs[through(8, 1, w.by)]) == 0
	})
	ratios := [][2]string{{"callback", "events"}, {"callback", "batch"}, {"events", "ring"}, {"batch", "ring"}}
	titles := " callback / Events | callback / Batch | Events / ring | Batch / ring |"
	if ways[len(ways)-1].by == "lines" {
		ratios = append(ratios, [2]string{"events", "lines"}, [2]string{"batch", "lines"})
		titles += " Events / ring of lines | Batch / ring of lines |"
		fmt.Print("The plain ring's slots are as large as the record; those of the ring of lines are 64 bytes, whatever the record.\n\n")
	}
	fmt.Print("| ns until Go has a record |")
	for _, w := range ways {
		fmt.Printf(" %s |", w.title)
	}
	fmt.Print(titles, "\n| --- |", strings.Repeat(" ---: |", len(ways)+len(ratios)), "\n")
	for _, size := range []int{8, 64} {
		for _, threads := range []int{1, 2, 4} {
			fmt.Printf("| %d bytes, %s |", size, []string{"one thread", "two threads together", "", "four threads together"}[threads-1])
			for _, w := range ways {
				fmt.Printf(" %s |", ns(through(size, threads, w.by)))
			}
			for _, of := range ratios {
				fmt.Printf(" %s |", ratio(get(through(size, threads, of[0])), get(through(size, threads, of[1]))))
			}
			fmt.Println()
		}
	}
	if key := "Throughput/size=8/threads=1/by=batch processors"; len(runs[key]) > 0 {
		fmt.Printf("\nBoth sides at work at the same time are two processors; by Batch, 8 bytes and one thread had %s of them, the ring %s.\n",
			spread(get(key)), spread(get("Throughput/size=8/threads=1/by=ring processors")))
	}
	fmt.Println()
	fmt.Print("| a post, ns in C | median | 99 % | 99.99 % |\n| --- | ---: | ---: | ---: |\n")
	for _, row := range [][2]string{
		{"one thread without pause, 16 posts between two readings of the clock, a sixteenth", "Post/together=16/threads=1"},
		{"two threads", "Post/together=16/threads=2"},
		{"one thread without pause, each post between two readings that wait for it to end", "Post/together=1/threads=1"},
		{"two threads", "Post/together=1/threads=2"},
		{"one each 2 us", "Collector/by=queue/collector=rests"},
		{"the same, the collector at work on 1 GB", "Collector/by=queue/collector=runs"},
		{"a callback each 2 us", "Collector/by=callback/collector=rests"},
		{"the same, the collector at work on 1 GB", "Collector/by=callback/collector=runs"},
	} {
		if len(runs[row[1]+" ns-median"]) == 0 { // what this run does not have
			continue
		}
		fmt.Printf("| %s | %s | %s | %s |\n", row[0], ns(row[1]+" ns-median"), ns(row[1]+" ns-99%"), ns(row[1]+" ns-99.99%"))
	}
	fmt.Printf("\nThe 99.99th percentile with the collector at work, without being 1: post %s, callback %s.\n\n",
		ratio(get("Collector/by=queue/collector=runs ns-99.99%"), get("Collector/by=queue/collector=rests ns-99.99%")),
		ratio(get("Collector/by=callback/collector=runs ns-99.99%"), get("Collector/by=callback/collector=rests ns-99.99%")))
	queue, eventfd := "WakeUp ns-median-queue", "WakeUp ns-median-eventfd"
	fmt.Printf("From a post until a sleeping goroutine has the record: %s ns; by a bare eventfd and its netpoll wake %s ns; ratio %s.\n",
		ns(queue), ns(eventfd), ratio(get(queue), get(eventfd)))
}

// A way is how a record gets to Go, as benchmarks and as the table name it.
type way struct{ by, title string }

func median(values []float64) float64 {
	v := slices.Sorted(slices.Values(values))
	return (v[len(v)/2] + v[(len(v)-1)/2]) / 2
}

// spread is a median with the lowest and highest.
func spread(v []float64) string {
	return fmt.Sprintf("%s (%s to %s)", three(median(v)), three(slices.Min(v)), three(slices.Max(v)))
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
	return spread(r)
}

func three(x float64) string {
	if x >= 100 {
		return strconv.FormatFloat(x, 'f', 0, 64)
	}
	return strconv.FormatFloat(x, 'g', 3, 64)
}
