package main

import (
	"fmt"
	"slices"
)

// posts are the lines of the second table, which older runs have not all.
var posts = [][2]string{
	{"one thread without pause, 16 posts between two readings of the clock, a sixteenth", "Post/together=16/threads=1"},
	{"two threads", "Post/together=16/threads=2"},
	{"one thread without pause, each post between two readings that wait for it to end", "Post/together=1/threads=1"},
	{"two threads", "Post/together=1/threads=2"},
	{"one each 2 us", "Collector/by=queue/collector=rests"},
	{"the same, the collector at work on 1 GB", "Collector/by=queue/collector=runs"},
	{"a callback each 2 us", "Collector/by=callback/collector=rests"},
	{"the same, the collector at work on 1 GB", "Collector/by=callback/collector=runs"},
}

func events(r *run) (string, error) {
	var m markdown
	ns := func(v []float64) string { return fmt.Sprintf("%s (%s)", digits(median(v)), digits(slices.Min(v))) }
	ratio := func(a, b []float64) string { return spread(r.quotients(a, b), digits) }
	through := func(size, threads int, by string) []float64 {
		if by == "lines" && size == 64 {
			by = "ring" // whose slots are lines then
		}
		return r.get(fmt.Sprintf("Throughput/size=%d/threads=%d/by=%s", size, threads, by), "ns/op")
	}
	fmt.Fprintf(&m, "%d rounds; medians, minima in brackets. A ratio is the median of the ratios of the rounds, "+
		"with the lowest and highest.\n\n", len(through(8, 1, "ring")))
	ways := []string{"callback", "channel", "lent", "events", "batch", "ring"}
	ratios := [][2]string{{"callback", "events"}, {"callback", "batch"}, {"events", "ring"}, {"batch", "ring"}}
	titles := []string{"ns until Go has a record", "smallest callback", "callback that sends on a channel", "callback from a lent thread",
		"Events", "Batch", "plain ring, C to C"}
	of := []string{"callback / Events", "callback / Batch", "Events / ring", "Batch / ring"}
	if r.samples[key{"Throughput/size=8/threads=1/by=lines", "ns/op"}] != nil { // older runs have none
		ways, titles = append(ways, "lines"), append(titles, "plain ring of lines")
		ratios = append(ratios, [2]string{"events", "lines"}, [2]string{"batch", "lines"})
		of = append(of, "Events / ring of lines", "Batch / ring of lines")
		fmt.Fprint(&m, "The plain ring's slots are as large as the record; those of the ring of lines are 64 bytes, whatever the record.\n\n")
	}
	m.head(append(titles, of...)...)
	for _, size := range []int{8, 64} {
		for _, threads := range []int{1, 2, 4} {
			together := []string{"one thread", "two threads together", "", "four threads together"}[threads-1]
			cells := []string{fmt.Sprintf("%d bytes, %s", size, together)}
			for _, by := range ways {
				cells = append(cells, ns(through(size, threads, by)))
			}
			for _, pair := range ratios {
				cells = append(cells, ratio(through(size, threads, pair[0]), through(size, threads, pair[1])))
			}
			m.row(cells...)
		}
	}
	const processors = "Throughput/size=8/threads=1/by="
	fmt.Fprintf(&m, "\nBoth sides at work at the same time are two processors; "+
		"by Batch, 8 bytes and one thread had %s of them, the ring %s.\n\n",
		spread(r.get(processors+"batch", "processors"), digits), spread(r.get(processors+"ring", "processors"), digits))
	m.head("a post, ns in C", "median", "99 %", "99.99 %")
	for _, post := range posts {
		if r.samples[key{post[1], "ns-median"}] != nil {
			m.row(post[0], ns(r.get(post[1], "ns-median")), ns(r.get(post[1], "ns-99%")), ns(r.get(post[1], "ns-99.99%")))
		}
	}
	collected := func(by string) string {
		return ratio(r.get("Collector/by="+by+"/collector=runs", "ns-99.99%"), r.get("Collector/by="+by+"/collector=rests", "ns-99.99%"))
	}
	fmt.Fprintf(&m, "\nThe 99.99th percentile with the collector at work, without being 1: post %s, callback %s.\n\n", collected("queue"),
		collected("callback"))
	queue, eventfd := r.get("WakeUp", "ns-median-queue"), r.get("WakeUp", "ns-median-eventfd")
	fmt.Fprintf(&m, "From a post until a sleeping goroutine has the record: %s ns; by a bare eventfd and its netpoll wake %s ns; ratio %s.\n",
		ns(queue), ns(eventfd), ratio(queue, eventfd))
	return m.String(), nil
}

// spread is a median with the lowest and highest.
func spread(v []float64, number func(float64) string) string {
	return fmt.Sprintf("%s (%s to %s)", number(median(v)), number(slices.Min(v)), number(slices.Max(v)))
}
