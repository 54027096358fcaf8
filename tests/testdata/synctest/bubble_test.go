package m

import (
	"runtime"
	"testing"
	"testing/synctest"
	"time"
)

// Calls in a bubble are turned by a signal, by a wait, and by callbacks from both stacks.
func TestBubble(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		for range 10 {
			go runtime.GC()
			if Spin() != 1 || Nap() != 1 || May(1) != 1 {
				t.Fatal("a wrong result")
			}
		}
		synctest.Wait()
		Set()
		for range 100 {
			if got := May(1); got != 1 {
				t.Fatalf("got %d, want 1", got)
			}
		}
		for range 20 {
			if got := Calls(50); got != 50 {
				t.Fatalf("got %d, want 50", got)
			}
			time.Sleep(time.Hour) // of the bubble's clock
		}
	})
}
