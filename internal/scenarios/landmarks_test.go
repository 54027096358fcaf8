//go:build cgo

package scenarios

import (
	"encoding/json"
	"math/rand/v2"
	"runtime"
	"sync"
	"sync/atomic"
)

// landmarks are times that everybody knows. Goroutines share what they work
// on, as such things are there to be shared.
var landmarks = []Scenario{
	{Name: "atomic/way=go", Total: func() int { return int(counter.Load()) }, Run: func(n int) bool {
		for range n {
			counter.Add(1)
		}
		return true
	}},
	{Name: "mutex/way=go", Total: func() int { return guarded }, Run: func(n int) bool {
		for range n {
			mutex.Lock()
			guarded++
			mutex.Unlock()
		}
		return true
	}},
	{Name: "channel/way=go", Run: func(n int) bool {
		c := make(chan int)
		go func() {
			for i := range n {
				c <- i
			}
			close(c)
		}()
		sum := 0
		for i := range c {
			sum += i
		}
		return sum == n*(n-1)/2
	}},
	{Name: "json/way=go", Run: func(n int) bool {
		sum, digit := 0, []byte("7")
		for range n {
			var x int
			if json.Unmarshal(digit, &x) != nil {
				return false
			}
			sum += x
		}
		return sum == 7*n
	}},
	{Name: "memory/way=go", SetUp: makeRing, Run: func(n int) bool {
		// Each run starts elsewhere: the way of the last one is in a cache.
		start := int32(runs.Add(1) * 7_654_321 % int64(len(ring)))
		at := start
		for range n {
			at = ring[at].next
		}
		// The ring is one cycle: only whole turns come back.
		return (at == start) == (n%len(ring) == 0)
	}},
}

var (
	counter atomic.Int64
	mutex   sync.Mutex
	guarded int
	ring    []cacheLine
	runs    atomic.Int64
)

type cacheLine struct {
	next int32
	_    [60]byte
}

// makeRing links the lines of 64 MiB, which no cache holds, into one random
// cycle (Sattolo's algorithm), so that each read has to wait for the last.
func makeRing() {
	if ring != nil {
		return
	}
	random := rand.New(rand.NewPCG(1, 2))
	ring = make([]cacheLine, 64<<20/64)
	for i := range ring {
		ring[i].next = int32(i)
	}
	for i := len(ring) - 1; i > 0; i-- {
		j := random.IntN(i)
		ring[i].next, ring[j].next = ring[j].next, ring[i].next
	}
}

// handoffs give a number to another goroutine and wait for its answer.
var handoffs = []Scenario{
	{Name: "way=free", Run: func(n int) bool { return handOff(n, false) }},
	{Name: "way=locked", Run: func(n int) bool { return handOff(n, true) }},
}

func handOff(n int, locked bool) bool {
	ask, answer := make(chan int), make(chan int)
	defer close(ask)
	go func() {
		if locked {
			runtime.LockOSThread()
			defer runtime.UnlockOSThread()
		}
		for x := range ask {
			answer <- x + 1
		}
	}()
	x := 0
	for range n {
		ask <- x
		x = <-answer
	}
	return x == n
}
