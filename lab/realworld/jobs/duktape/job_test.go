package main

import (
	"testing"

	"github.com/wherrygo/wherry/lab/realworld/jobs/job"
	"gopkg.in/olebedev/go-duktape.v3"
)

// BenchmarkJob runs a script that calls Go ten thousand times.
func BenchmarkJob(b *testing.B) {
	js := duktape.New()
	defer js.DestroyHeap()
	calls := 0
	if _, err := js.PushGlobalGoFunction("price", func(c *duktape.Context) int {
		calls++
		c.PushNumber(c.GetNumber(0) * 2)
		return 1
	}); err != nil {
		b.Fatal(err)
	}
	for range job.Ops(b) {
		calls = 0
		if err := js.PevalString(`var sum = 0; for (var i = 0; i < 10000; i++) sum += price(i); sum`); err != nil {
			b.Fatal(err)
		}
		if sum := js.GetNumber(-1); sum != 99990000 || calls != 10000 {
			b.Fatalf("got %v by %d calls, want 99990000 by 10000", sum, calls)
		}
		js.Pop()
	}
}
