package main

import (
	"runtime"
	"runtime/cgo"
	"slices"
	"sync"
)

// A plan is a source of numbers that decide what is done. Whatever runs beside or within
// other things has one of its own, so that what is left out changes nothing else.
type plan struct {
	state uint64
	depth int
}

func newPlan(seed uint64, depth int) *plan {
	p := &plan{seed, depth}
	p.next()
	return p
}

func (p *plan) next() uint64 {
	p.state += 0x9E3779B97F4A7C15
	n := (p.state ^ p.state>>30) * 0xBF58476D1CE4E5B9
	n = (n ^ n>>27) * 0x94D049BB133111EB
	return n ^ n>>31
}

// n returns a number below limit.
func (p *plan) n(limit int) int { return int(p.next() >> 11 % uint64(limit)) }

func (p *plan) fork() *plan { return newPlan(p.next(), p.depth) }

// handle returns a number by which a callback finds the plan; free it by Delete.
func (p *plan) handle() cgo.Handle { return cgo.NewHandle(p) }

func planOf[T ~uintptr | ~uint64 | ~uint](handle T) *plan { return cgo.Handle(handle).Value().(*plan) }

// nested runs another piece, or does something else that Go may do in a callback.
func (p *plan) nested() uint64 {
	child := newPlan(p.next(), p.depth-1)
	something := child.n(8)
	if child.depth <= 0 || something == 0 {
		child.rest()
		return child.next()
	}
	piece := pieces[child.n(len(pieces))]
	if slices.Contains(without, piece.name) {
		return 0
	}
	return ways[child.n(len(ways))].run(child, piece)
}

// rest is what Go may do at any time.
func (p *plan) rest() {
	switch p.n(6) {
	case 0:
		runtime.GC()
	case 1:
		runtime.Gosched()
	case 2:
		p.grow()
	case 3:
		done := make(chan bool)
		go func() { done <- true }()
		<-done
	}
}

// grow makes the goroutine's stack move.
func (p *plan) grow() { use(frames(1 + p.n(300))) }

//go:noinline
func frames(n int) byte {
	var frame [512]byte
	frame[n%512] = byte(n)
	if n == 0 {
		return frame[5]
	}
	return frames(n-1) + frame[n%512]
}

var used byte
var usedLock sync.Mutex

func use(b byte) { usedLock.Lock(); used += b; usedLock.Unlock() }

func mix(h, x uint64) uint64 { h = (h ^ x) * 0x100000001b3; return h ^ h>>29 }
