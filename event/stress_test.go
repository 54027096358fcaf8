//go:build linux && cgo && (amd64 || arm64)

package event

import (
	"math/rand/v2"
	"os"
	"runtime"
	"runtime/debug"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/wherrygo/wherry/event/internal/cthread"
)

// A fate is what became of a thread that posts one record.
type fate struct{ posted, died int }

// victims makes threads that come, post one record, stop at any step of it and
// then end there or go on, until the queue is closed. Their producers' numbers
// begin behind those of the others.
func victims(t *testing.T, q *Queue, from int) []fate {
	const most = 1 << 12
	fates := make([]fate, most)
	var next atomic.Int64
	next.Store(int64(from))
	var all sync.WaitGroup
	for range 4 {
		all.Add(1)
		go func() {
			defer all.Done()
			for q.header.closed.Load() == 0 {
				id := int(next.Add(1))
				if id >= most {
					return
				}
				how := rand.IntN(3)
				v, stopped := cthread.NewVictim(q.Pointer(), id, 0, rand.IntN(manySteps), how, cthread.NoWait*uint(rand.IntN(2)))
				if how == cthread.Stay {
					time.Sleep(time.Duration(rand.IntN(3000)) * time.Microsecond)
					v.Go()
				}
				switch result := v.Wait(); {
				case stopped && how != cthread.Stay:
					fates[id].died = 1
				case result == 0:
					fates[id].posted = 1
				case result != cthread.Full && result != cthread.Closed:
					t.Errorf("a post returned %d", result)
				}
			}
		}()
	}
	all.Wait()
	return fates
}

// Threads post without pause, stammer, are interrupted by signal handlers that
// post, come and go and die, while the collector works, receivers change and
// the queue is closed at some moment. What a post promised is kept. WHERRY_STRESS
// sets how long.
func TestStress(t *testing.T) {
	limit := 2 * time.Second
	if text := os.Getenv("WHERRY_STRESS"); text != "" {
		var err error
		if limit, err = time.ParseDuration(text); err != nil {
			t.Fatal(err)
		}
	}
	defer func(d time.Duration) { closeWait = d }(closeWait)
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(0))
	defer debug.SetGCPercent(debug.SetGCPercent(1))
	var end atomic.Bool
	defer end.Store(true)
	go func() {
		var stats runtime.MemStats
		for !end.Load() {
			runtime.ReadMemStats(&stats) // stops the world
			time.Sleep(50 * time.Microsecond)
		}
	}()
	rounds, posts, deaths := 0, 0, 0
	for begin := time.Now(); time.Since(begin) < limit && !t.Failed(); rounds++ {
		runtime.GOMAXPROCS(1 + rand.IntN(8))
		closeWait = []time.Duration{time.Millisecond, time.Second}[rand.IntN(2)]
		p, d := stress(t, Options{
			Capacity: 2 << rand.IntN(6), Lanes: []int{-1, 0, 2, 4}[rand.IntN(4)], Full: Full(rand.IntN(3)),
			Timestamps: rand.IntN(2) == 0, // then lanes' posts go the long way
		})
		posts, deaths = posts+p, deaths+d
	}
	t.Logf("%d rounds, %d posts, %d deaths", rounds, posts, deaths)
}

func stress(t *testing.T, options Options) (posted, died int) {
	q := newQueue(t, options)
	if rand.IntN(2) == 0 {
		q.age((1<<39)<<q.header.shift - rand.Uint64N(3000))
	}
	threads := []*cthread.Thread{
		cthread.Start(q.Pointer(), cthread.Job{Producer: 0, Count: 1 << 40, Again: true, Pause: 1 + rand.IntN(300)}),
		cthread.Start(q.Pointer(), cthread.Job{Producer: 1, Count: 1 + rand.Uint64N(3000), Stammer: true}),
		cthread.Start(q.Pointer(), cthread.Job{Producer: 2, Count: 1000, Again: true, Max: 90, Signals: 1}), // and 3
	}
	const producers = 4
	ended := make(chan []fate)
	go func() { ended <- victims(t, q, producers) }()
	time.AfterFunc(time.Duration(rand.IntN(60000))*time.Microsecond, func() { q.Close() })
	c := newChecker(1<<12, options.Full == Overwrite)
	for closed := false; !closed; {
		closed = true
		left := rand.IntN(500)
		for e := range q.Events(t.Context()) {
			c.check(t, e)
			if left--; left < 0 {
				closed = false
				break
			}
		}
	}
	for id, f := range <-ended {
		posted, died = posted+f.posted, died+f.died
		seen := int(c.next[id])
		if id > producers && (seen > f.posted+f.died || options.Full != Overwrite && seen < f.posted) {
			t.Errorf("%+v: thread %d: %+v, received %d times", options, id, f, seen)
		}
	}
	for _, thread := range threads {
		r := thread.Wait()
		posted += int(r.Posted)
		if r.Errno != 0 {
			t.Errorf("%+v: a post changes errno", options)
		}
	}
	s := q.Stats()
	got := int(c.total + s.Overwritten)
	if got < posted || got > posted+died || s.Abandoned > uint64(died) || s.Received != c.total || s.Posted != uint64(got) {
		t.Errorf("%+v: %d posted, %d died, %d received, %+v", options, posted, died, c.total, s)
	}
	return posted, died
}
