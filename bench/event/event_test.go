//go:build linux

package event

import (
	"context"
	"fmt"
	"runtime"
	"slices"
	"testing"
	"time"

	"github.com/wherrygo/wherry/event"
)

// BenchmarkThroughput is the time per record that reaches Go, all threads
// together. Every record is checked; the queue makes threads wait when it is
// full, as the channel does.
func BenchmarkThroughput(b *testing.B) {
	for _, threads := range []int{1, 2} {
		b.Run(fmt.Sprintf("threads=%d/by=callback", threads), func(b *testing.B) {
			callbacks = make(chan Record, 4096)
			through(b, nil, threads, func(n int, check func(Record)) {
				for range n {
					check(<-callbacks)
				}
			})
		})
		for _, lanes := range []int{1, 2} {
			b.Run(fmt.Sprintf("threads=%d/by=queue/lanes=%d", threads, lanes), func(b *testing.B) {
				q := newQueue(b, event.Options{Capacity: 4096, Full: event.Wait, Lanes: lanes})
				through(b, q, threads, func(n int, check func(Record)) {
					for e := range q.Events(b.Context()) {
						check(parse(e.Data))
						if n--; n == 0 {
							break
						}
					}
				})
				b.ReportMetric(float64(q.Stats().WakeUps)/float64(b.N), "wakeups/op")
			})
		}
	}
}

func newQueue(b *testing.B, o event.Options) *event.Queue {
	q, err := event.New(o)
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() {
		q.Close()
		for q.Free() == event.ErrReceiving {
			time.Sleep(time.Millisecond)
		}
	})
	return q
}

func through(b *testing.B, q *event.Queue, threads int, receive func(int, func(Record))) {
	n := (b.N + threads - 1) / threads
	next := make([]uint64, threads)
	var posters []*poster
	b.ResetTimer()
	for i := range threads {
		if q == nil {
			posters = append(posters, start(nil, i, n, 0, false))
		} else {
			posters = append(posters, start(q.Pointer(), i, n, 0, false))
		}
	}
	receive(n*threads, func(r Record) {
		if r.Number != next[r.Producer] {
			b.Fatalf("thread %d: got record %d, want %d", r.Producer, r.Number, next[r.Producer])
		}
		next[r.Producer]++
	})
	b.StopTimer()
	for _, p := range posters {
		if _, failed := p.wait(); failed != 0 {
			b.Fatalf("%d posts failed", failed)
		}
	}
}

// BenchmarkPost is what a post costs in C, one by one, while Go receives. Full
// rings fail at once, and are counted.
func BenchmarkPost(b *testing.B) {
	for _, threads := range []int{1, 2} {
		b.Run(fmt.Sprintf("threads=%d", threads), func(b *testing.B) {
			q := newQueue(b, event.Options{Capacity: 1 << 16, Lanes: threads})
			measurePosts(b, q, threads, 0)
		})
	}
}

// BenchmarkCollector is what a post costs, one every 2 us, while the collector
// walks a heap of 1 GB again and again, and while it rests. A callback beside it.
func BenchmarkCollector(b *testing.B) {
	for _, by := range []string{"queue", "callback"} {
		for _, collector := range []string{"rests", "runs"} {
			b.Run(fmt.Sprintf("by=%s/collector=%s", by, collector), func(b *testing.B) {
				heap := newHeap(1 << 30)
				runtime.GC()
				stop := make(chan bool)
				stopped := make(chan bool)
				cycles := 0
				go func() {
					defer close(stopped)
					for {
						select {
						case <-stop:
							return
						default:
						}
						if collector == "runs" {
							runtime.GC()
							cycles++
						} else {
							time.Sleep(time.Millisecond)
						}
					}
				}()
				if by == "queue" {
					measurePosts(b, newQueue(b, event.Options{Capacity: 1 << 16, Full: event.Overwrite}), 1, 2000)
				} else {
					callbacks = make(chan Record, 4096)
					measurePosts(b, nil, 1, 2000)
				}
				close(stop)
				<-stopped
				if collector == "runs" && cycles == 0 {
					b.Error("no cycle ended")
				}
				b.ReportMetric(float64(cycles), "gc-cycles")
				runtime.KeepAlive(heap)
			})
		}
	}
}

// newHeap makes that many bytes of linked objects.
func newHeap(size int) [][]*[64]byte {
	var heap [][]*[64]byte
	for made := 0; made < size; made += 1024 * (64 + 8) {
		block := make([]*[64]byte, 1024)
		for i := range block {
			block[i] = new([64]byte)
		}
		heap = append(heap, block)
	}
	return heap
}

func measurePosts(b *testing.B, q *event.Queue, threads, everyNS int) {
	n := (b.N + threads - 1) / threads
	ctx, cancel := context.WithCancel(b.Context())
	ended := make(chan bool)
	var posters []*poster
	b.ResetTimer()
	go func() {
		defer close(ended)
		if q == nil {
			for {
				select {
				case <-callbacks:
				case <-ctx.Done():
					return
				}
			}
		}
		last := make([]uint64, threads)
		for e := range q.Events(ctx) {
			r := parse(e.Data)
			if r.Number < last[r.Producer] {
				b.Errorf("thread %d: got record %d after %d", r.Producer, r.Number, last[r.Producer])
			}
			last[r.Producer] = r.Number
		}
	}()
	for i := range threads {
		if q == nil {
			posters = append(posters, start(nil, i, n, everyNS, true))
		} else {
			posters = append(posters, start(q.Pointer(), i, n, everyNS, true))
		}
	}
	var times []float64
	failed := 0
	for _, p := range posters {
		t, f := p.wait()
		times = append(times, t...)
		failed += f
	}
	b.StopTimer()
	cancel()
	<-ended
	if len(times) == 0 {
		b.Fatal("no post succeeded")
	}
	slices.Sort(times)
	at := func(part float64) float64 { return times[int(part*float64(len(times)-1))] }
	b.ReportMetric(at(0.5), "ns-median")
	b.ReportMetric(at(0.99), "ns-99%")
	b.ReportMetric(at(0.9999), "ns-99.99%")
	b.ReportMetric(float64(failed)/float64(b.N), "full/op")
}

// BenchmarkWakeUp is the time from a post, or a write to an eventfd, in a thread
// of C until the goroutine that slept has the record. The two take turns.
func BenchmarkWakeUp(b *testing.B) {
	q := newQueue(b, event.Options{})
	file, fd, err := newEventfd()
	if err != nil {
		b.Fatal(err)
	}
	defer file.Close()
	times := map[string][]float64{}
	byQueue, byFile := newRinger(q.Pointer(), 0), newRinger(nil, fd)
	defer byQueue.stop()
	defer byFile.stop()
	asked := make(chan bool)
	received := make(chan uint64)
	go func() {
		for e := range q.Events(b.Context()) {
			t := now()
			if len(e.Data) != 8 {
				b.Error("a record of another size")
			}
			received <- t
		}
	}()
	go func() {
		var count [8]byte
		for range asked {
			if _, err := file.Read(count[:]); err != nil {
				b.Error(err)
			}
			received <- now()
		}
	}()
	defer close(asked)
	for range max(b.N, 1) {
		time.Sleep(200 * time.Microsecond) // the receiver sleeps
		byQueue.ring()
		times["queue"] = append(times["queue"], float64(<-received-byQueue.stamp()))
		asked <- true
		time.Sleep(200 * time.Microsecond)
		byFile.ring()
		times["eventfd"] = append(times["eventfd"], float64(<-received-byFile.stamp()))
	}
	for by, t := range times {
		slices.Sort(t)
		b.ReportMetric(t[len(t)/2], "ns-median-"+by)
	}
	if q.Stats().WakeUps < uint64(len(times["queue"]))*9/10 {
		b.Errorf("%d wake-ups for %d posts: the receiver did not sleep", q.Stats().WakeUps, len(times["queue"]))
	}
}
