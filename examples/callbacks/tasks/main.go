// Tasks runs the program of golang/go issue 60961 (parallel calls from C to Go
// cause lock contention), in its shape but not its text: as many workers as
// GOMAXPROCS take ten million tasks from a channel, and each task calls C,
// which calls Go, which calls C.
package main

import (
	"flag"
	"fmt"
	"runtime"

	"github.com/wherrygo/wherry/examples/internal/rate"
)

func main() {
	n := flag.Int("n", 10_000_000, "tasks")
	flag.Parse()

	most := runtime.GOMAXPROCS(0)
	for workers := 1; workers <= most; workers++ {
		rate.Run(fmt.Sprintf("%d workers", workers), *n, func(n int) error { return run(n, workers) })
	}
}
