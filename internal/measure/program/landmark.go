//go:build cgo

package main

import (
	"encoding/json"
	"math/rand/v2"
	"sync"
	"sync/atomic"

	"github.com/wherrygo/wherry/internal/measure/probe"
)

// landmarks are times that everybody knows. Goroutines share what they work
// on, as such things are there to be shared.
var landmarks = []probe.Scenario{
	{Bench: "landmark/atomic", Variant: "go", What: "atomic add", Total: func() int { return int(counter.Load()) }, Run: func(n int) bool {
		for range n {
			counter.Add(1)
		}
		return true
	}},
	{Bench: "landmark/mutex", Variant: "go", What: "mutex lock and unlock", Total: func() int { return guarded }, Run: func(n int) bool {
		for range n {
			mutex.Lock()
			guarded++
			mutex.Unlock()
		}
		return true
	}},
	{Bench: "landmark/channel", Variant: "go", What: "channel hand-off", Run: func(n int) bool {
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
	{Bench: "landmark/json", Variant: "go", What: "json.Unmarshal of one digit", Run: func(n int) bool {
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
	{Bench: "landmark/memory", Variant: "go", What: "read of main memory", Alone: "memory", Setup: makeRing, Run: func(n int) bool {
		// Each sample starts elsewhere: the way of the last one is in a cache.
		start := int32(samples.Add(1) * 7_654_321 % int64(len(ring)))
		at := start
		for range n {
			at = ring[at]
		}
		// The ring is one cycle: only whole turns come back.
		return (at == start) == (n%len(ring) == 0)
	}},
}

var (
	counter atomic.Int64
	mutex   sync.Mutex
	guarded int
	ring    []int32
	samples atomic.Int64
)

// makeRing links the words of 64 MiB, which no cache holds, into one random
// cycle (Sattolo's algorithm), so that each read has to wait for the last.
func makeRing() {
	random := rand.New(rand.NewPCG(1, 2))
	ring = make([]int32, 64<<20/4)
	for i := range ring {
		ring[i] = int32(i)
	}
	for i := len(ring) - 1; i > 0; i-- {
		j := random.IntN(i)
		ring[i], ring[j] = ring[j], ring[i]
	}
}
