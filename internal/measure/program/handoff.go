//go:build cgo

package main

import (
	"runtime"

	"github.com/wherrygo/wherry/internal/measure/probe"
)

// handoffs give a number to another goroutine and wait for its answer.
var handoffs = []probe.Scenario{
	{Bench: "handoff", Variant: "free", What: "to a goroutine and back", Run: func(n int) bool { return handOff(n, false) }},
	{Bench: "handoff", Variant: "locked", What: "to a goroutine locked to its thread and back",
		Run: func(n int) bool { return handOff(n, true) }},
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
