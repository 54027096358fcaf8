//go:build linux

package event

import (
	"context"
	"fmt"
	"runtime"
	"slices"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/wherrygo/wherry/event"
)

// BenchmarkThroughput is the time per record until Go has it, all threads together.
// Every record is checked. The queue makes threads wait when it is full, as the
// channel does. The ring ends in C: it is the floor, with cells of the record's size, or
// with a line of 64 bytes for each record.
func BenchmarkThroughput(b *testing.B) {
	for _, size := range []int{8, 64} {
		for _, threads := range []int{1, 2, 4} {
			run := func(by string, f func(b *testing.B, n int) (wrong uint64)) {
				b.Run(fmt.Sprintf("size=%d/threads=%d/by=%s", size, threads, by), func(b *testing.B) {
					n := (b.N + threads - 1) / threads
					used := processorTime()
					defer func() {
						b.ReportMetric(float64(processorTime()-used)/float64(b.Elapsed()), "processors")
					}()
					if wrong := f(b, n); wrong != 0 {
						b.Errorf("%d of %d records are wrong", wrong, n*threads)
					}
				})
			}
			cell := size // of a ring
			send := func(b *testing.B, by, n int, q *event.Queue) (posters []*poster) {
				counters = newCounters()
				b.ResetTimer()
				for i := range threads {
					j := job{by: by, producer: i, count: n, size: size}
					if q != nil {
						j.queue = q.Pointer()
					} else if by == byRing {
						j.size = cell
					}
					posters = append(posters, start(j))
				}
				return posters
			}
			end := func(b *testing.B, n int, posters []*poster) (wrong uint64) {
				for _, p := range posters {
					if _, failed := p.wait(); failed != 0 {
						b.Errorf("%d posts failed", failed)
					}
				}
				b.StopTimer()
				for i := range posters {
					c := &counters[i]
					wrong += c.wrong + uint64(n) - min(uint64(n), c.next-uint64(i)<<threadShift)
				}
				return wrong
			}
			queue := func(receive func(b *testing.B, q *event.Queue, n int)) func(*testing.B, int) uint64 {
				return func(b *testing.B, n int) uint64 {
					q := newQueue(b, event.Options{Capacity: ring, MaxSize: size, Full: event.Wait})
					posters := send(b, byQueue, n, q)
					receive(b, q, n*threads)
					wrong := end(b, n, posters)
					b.ReportMetric(float64(q.Stats().WakeUps)/float64(b.N), "wakeups/op")
					return wrong
				}
			}
			run("callback", func(b *testing.B, n int) uint64 {
				return end(b, n, send(b, byCallback, n, nil))
			})
			run("channel", func(b *testing.B, n int) uint64 {
				channel = make(chan Record, ring)
				posters := send(b, byChannel, n, nil)
				for range n * threads {
					check((<-channel).Number)
				}
				return end(b, n, posters)
			})
			run("events", queue(func(b *testing.B, q *event.Queue, n int) {
				for e := range q.Events(b.Context()) {
					check(number(e.Data))
					if n--; n == 0 {
						break
					}
				}
			}))
			run("batch", queue(func(b *testing.B, q *event.Queue, n int) {
				for n > 0 {
					events, err := q.Batch(b.Context())
					if err != nil {
						b.Fatal(err)
					}
					for i := range events {
						check(number(events[i].Data))
					}
					n -= len(events)
				}
			}))
			viaRing := func(b *testing.B, n int) uint64 {
				posters := send(b, byRing, n, nil)
				wrong := receiveRings(posters)
				for _, p := range posters {
					p.wait()
				}
				b.StopTimer()
				return wrong
			}
			run("ring", viaRing)
			if size == 8 { // with a line for each record, as where their sizes differ
				cell = line
				run("lines", viaRing)
			}
		}
	}
}

// processorTime is how long the program has run, on all processors together. Divided by
// the time that passed it says whether both sides could run at the same time.
func processorTime() time.Duration {
	var usage syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &usage); err != nil {
		return 0
	}
	return time.Duration(usage.Utime.Nano() + usage.Stime.Nano())
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

// BenchmarkPost is what a post costs in C while Go receives: 16 between two readings of
// the clock, as where a thread does something else at the same time, and one, all of
// whose work is waited for. Full rings fail at once, and are counted.
func BenchmarkPost(b *testing.B) {
	for _, together := range []int{16, 1} {
		for _, threads := range []int{1, 2} {
			b.Run(fmt.Sprintf("together=%d/threads=%d", together, threads), func(b *testing.B) {
				q := newQueue(b, event.Options{Capacity: 1 << 16, MaxSize: 64})
				measurePosts(b, q, threads, job{timed: together})
			})
		}
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
				var stop atomic.Bool
				stopped := make(chan bool)
				cycles := 0
				go func() {
					defer close(stopped)
					for !stop.Load() {
						if collector == "runs" {
							runtime.GC()
							cycles++
						} else {
							time.Sleep(time.Millisecond)
						}
					}
				}()
				if by == "queue" {
					measurePosts(b, newQueue(b, event.Options{Capacity: 1 << 16, MaxSize: 64}), 1, job{timed: 1, everyNS: 2000})
				} else {
					channel = make(chan Record, 4096)
					measurePosts(b, nil, 1, job{timed: 1, everyNS: 2000})
				}
				stop.Store(true)
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

func measurePosts(b *testing.B, q *event.Queue, threads int, j job) {
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
				case <-channel:
				case <-ctx.Done():
					return
				}
			}
		}
		last := make([]uint64, threads)
		for e := range q.Events(ctx) {
			r := number(e.Data)
			if i := r >> threadShift; r < last[i] {
				b.Errorf("thread %d: got record %#x after %#x", i, r, last[i])
			}
			last[r>>threadShift] = r
		}
	}()
	for i := range threads {
		j.by, j.producer, j.count, j.size = byChannel, i, n, 64
		if q != nil {
			j.by, j.queue = byQueue, q.Pointer()
		}
		posters = append(posters, start(j))
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
