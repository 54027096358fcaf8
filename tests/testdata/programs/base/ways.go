package main

import "runtime"

// A way is how a piece is run.
type way struct {
	name string
	run  func(p *plan, it piece) uint64
}

var (
	ways    []way // anywhere
	topWays []way // from main
)

func init() {
	ways = []way{{"", direct}, {"in a goroutine", inGoroutine}, {"locked", locked}, {"deep", deep}, {"by three", byThree},
		{"after a GC", collected}}
	topWays = append(append(topWays, ways...), way{"often", often}, way{"in a bubble", inBubble})
}

func direct(p *plan, it piece) uint64 { return it.run(p) }

func inGoroutine(p *plan, it piece) uint64 {
	result := make(chan uint64)
	go func() { result <- it.run(p) }()
	return <-result
}

func locked(p *plan, it piece) uint64 {
	return inGoroutine(p, piece{run: func(p *plan) uint64 {
		runtime.LockOSThread()
		if p.n(2) == 0 { // otherwise the thread ends
			defer runtime.UnlockOSThread()
		}
		return it.run(p)
	}})
}

// deep runs a piece where the stack is large already.
func deep(p *plan, it piece) uint64 { return below(1+p.n(200), p, it) }

//go:noinline
func below(n int, p *plan, it piece) uint64 {
	var frame [200]byte
	frame[n%200] = byte(n)
	if n == 0 {
		return it.run(p) + uint64(frame[1])
	}
	return below(n-1, p, it) + uint64(frame[(n+1)%200])
}

// byThree runs a piece three times at once.
func byThree(p *plan, it piece) (sum uint64) {
	var results [3]chan uint64
	for i := range results {
		own := p.fork()
		own.depth = min(own.depth, 1)
		results[i] = make(chan uint64)
		go func() { results[i] <- it.run(own) }()
	}
	for _, result := range results {
		sum = mix(sum, <-result)
	}
	return sum
}

func collected(p *plan, it piece) uint64 {
	runtime.GC()
	return it.run(p)
}

// often runs a piece until its functions have learned what there is to be learned of them.
func often(p *plan, it piece) (sum uint64) {
	for range 12 + p.n(40) {
		own := p.fork()
		own.depth = 0
		sum = mix(sum, it.run(own))
	}
	return sum
}
