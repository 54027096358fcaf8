//go:build go1.25

package main

import (
	"testing"
	"testing/synctest"
	"time"
)

// inBubble runs a piece in a bubble of testing/synctest, if there can be one.
func inBubble(p *plan, it piece) (sum uint64) {
	if test == nil || !it.bubble {
		return direct(p, it)
	}
	synctest.Test(test, func(*testing.T) {
		for range 1 + p.n(10) {
			own := p.fork()
			own.depth = min(own.depth, 1)
			sum = mix(sum, it.run(own))
			time.Sleep(time.Hour) // of the bubble
		}
		synctest.Wait()
	})
	return sum
}
